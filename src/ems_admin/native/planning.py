"""What is to run, worked out before anything is touched: which program, at which port, and what is left alone."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ems_admin.engines.order import ordered
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest
from ems_admin.machines.records.installed import ServicePhase
from ems_admin.native import sockets
from ems_admin.native.place import Place
from ems_admin.native.processes import Life
from ems_admin.native.programs import ServiceProgram
from ems_admin.native.register import Entries
from ems_admin.native.sights import UNREACHABLE, Sighting
from ems_admin.native.stack_file import FORMAT_VERSION, StackFile, StackService, read, render
from ems_admin.workflows.ports.engine import EngineFailure


@frozen(kw_only=True)
class Running:
    """The entries, and those among them whose process lives."""

    entries: Entries
    alive: frozenset[str]

    def runs(self, service: StackService) -> bool:
        """Say whether a service runs already just so: the same build, the same digest, the same port."""
        if service.name not in self.alive:
            return False
        entry = self.entries[service.name]
        return (entry.build_id, entry.program_sha256, entry.port) == (service.build_id, service.digest, service.port)


@frozen(kw_only=True)
class Plan:
    """What to end, in this order, and then what to start, in the order of the file."""

    file: StackFile
    ends: tuple[str, ...]
    starts: tuple[StackService, ...]


def running(entries: Entries, seen: Mapping[str, Sighting]) -> Running | EngineFailure:
    """Sort the entries by life; nothing is planned while one of them cannot be told."""
    if any(sighting.life is Life.UNKNOWN for sighting in seen.values()):
        return UNREACHABLE
    return Running(entries=entries, alive=frozenset(n for n, s in seen.items() if s.life is Life.ALIVE))


def plan(place: Place, manifest: Manifest, programs: tuple[ServiceProgram, ...], now: Running) -> Plan | EngineFailure:
    """Choose the ports, then compare with what runs.

    A service without a port of its own keeps the one it had, as long as nobody else has taken it. An entry that is
    not to go on as it is is ended, also a dead one: something that it started may be left.
    """
    before, services = read(place), list[StackService]()
    ours = frozenset(now.entries[name].port for name in now.alive)
    for wanted in ordered(programs, service_of=lambda one: one.service):
        taken = frozenset(service.port for service in services)
        port = wanted.service.publish or _remembered(wanted.service.name, before, now, ours=ours, taken=taken)
        if port in taken or not (port in ours or sockets.is_free(port)):
            return EngineFailure(code=Code.EMS_START_FAILED, detail="port_in_use")
        services.append(render(place, manifest, wanted, port=port))
    starts = tuple(service for service in services if not now.runs(service))
    kept = {service.name for service in services} - {service.name for service in starts}
    return Plan(
        file=StackFile(format_version=FORMAT_VERSION, services=tuple(services)),
        ends=tuple(name for name in stop_order(before, now.entries) if name not in kept),
        starts=starts,
    )


def _remembered(name: str, before: StackFile, now: Running, *, ours: frozenset[int], taken: frozenset[int]) -> int:
    entry, planned = now.entries.get(name), before.get(name)
    for port in (entry and entry.port, planned and planned.port):
        if port and port not in taken and (port in ours or sockets.is_free(port)):
            return port
    return sockets.free_port(taken | ours)


def to_end(entries: Entries) -> Entries:
    """Leave out what a person has stopped: it is down already, and its entry is the note that it stays so."""
    return {name: entry for name, entry in entries.items() if entry.phase is not ServicePhase.STOPPED}


def stop_order(file: StackFile, entries: Entries) -> tuple[str, ...]:
    """Order what has an entry against the order of start; what the file does not know goes first."""
    known = [service.name for service in file.services]
    unknown = [name for name in entries if name not in known]
    return (*unknown, *(name for name in reversed(known) if name in entries))
