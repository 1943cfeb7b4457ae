"""Whether the new Admin runs as it was meant to: each unexplained difference from the snapshot, named by its field.

Pure. Explained is what its own image supplies, what the attempt changes, and what the engine gives to every container:
ids, short names, addresses that nobody chose. Values are never told, for an environment holds secrets.
Source: `replacement.md` 7.4 (U9); `faults.md` D4, F25.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from ems_admin.docker.containers import Container
from ems_admin.docker.images import Image
from ems_admin.docker.replacement.recreation import INHERITED, OF_IMAGES, Creation, aliases
from ems_admin.docker.replacement.snapshot import SPECIAL_NETWORKS, Remembered

BY_ENTRY: Final = ("Labels", "ExposedPorts", "Volumes")
APART: Final = frozenset({*OF_IMAGES, *BY_ENTRY, *INHERITED, "Env", "Healthcheck", "Hostname"})
UNORDERED: Final = frozenset({"Binds", "CapAdd", "CapDrop", "GroupAdd", "SecurityOpt", "VolumesFrom"})
OF_THE_ENGINE: Final = frozenset({"ContainerIDFile", "RestartPolicy"})
"""The policy is the updater's until the new Admin is verified."""
ANY_PORT: Final = frozenset({"", "0"})


def differences(old: Remembered, wanted: Creation, new: Container, image: Image) -> tuple[str, ...]:
    """Name what differs between what was to be created and what runs."""
    said = new.said
    return (
        *(("Image",) if new.image_id != wanted.body["Image"] else ()),
        *_config(wanted.body, _of(said, "Config"), image.config),
        *_host(wanted.body["HostConfig"], _of(said, "HostConfig")),
        *_mounts(old, said.get("Mounts") or (), image.config),
        *_networks(wanted, new),
        *_ports(wanted.body["HostConfig"], _of(_of(said, "NetworkSettings"), "Ports")),
    )


def _config(wanted: Mapping[str, Any], said: Mapping[str, Any], image: Mapping[str, Any]) -> Iterator[str]:
    """Do what the engine does when it lays a body over an image, and compare."""
    for key in sorted((wanted.keys() | said.keys()) - APART - {"HostConfig", "NetworkingConfig"}):
        if _bare(wanted.get(key)) != _bare(said.get(key)):
            yield f"Config.{key}"
    for key in INHERITED:
        if _bare(wanted.get(key) or image.get(key)) != _bare(said.get(key)):
            yield f"Config.{key}"
    for key in BY_ENTRY:
        yield from _entries(f"Config.{key}", _laid(wanted.get(key), image.get(key)), said.get(key) or {})
    yield from _entries(
        "Config.Env",
        _laid(_variables(wanted.get("Env")), _variables(image.get("Env"))),
        _variables(said.get("Env")),
    )
    check = _laid(wanted.get("Healthcheck"), image.get("Healthcheck"))
    yield from _entries("Config.Healthcheck", check, said.get("Healthcheck") or {})
    entry, command = _command(wanted, image)
    if _bare(entry) != _bare(said.get("Entrypoint")):
        yield "Config.Entrypoint"
    if _bare(command) != _bare(said.get("Cmd")):
        yield "Config.Cmd"
    if "Hostname" in wanted and wanted["Hostname"] != said.get("Hostname"):
        yield "Config.Hostname"


def _host(wanted: Mapping[str, Any], said: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted((wanted.keys() | said.keys()) - OF_THE_ENGINE):
        meant, found = _bare(wanted.get(key)), _bare(said.get(key))
        if key in UNORDERED:
            meant, found = sorted(meant or ()), sorted(found or ())
        if meant != found:
            yield f"HostConfig.{key}"


def _mounts(old: Remembered, said: Any, image: Mapping[str, Any]) -> Iterator[str]:
    meant = {str(mount.get("Destination")): _mount(mount) for mount in old.mounts}
    found = {str(mount.get("Destination")): _mount(mount) for mount in said}
    for place in sorted(meant.keys() | found.keys()):
        new_volume = place not in meant and place in (image.get("Volumes") or {})
        if meant.get(place) != found.get(place) and not new_volume:
            yield f"Mounts.{PurePosixPath(place).name}"  # no place of the host gets into a record


def _mount(mount: Mapping[str, Any]) -> tuple[Any, ...]:
    what = mount.get("Name") if mount.get("Type") == "volume" else mount.get("Source")
    return (mount.get("Type"), what, bool(mount.get("RW")), mount.get("Propagation") or "")


def _networks(wanted: Creation, new: Container) -> Iterator[str]:
    found: dict[str, Any] = dict(_of(_of(new.said, "NetworkSettings"), "Networks"))
    for name in sorted((wanted.networks.keys() | found.keys()) - SPECIAL_NETWORKS):
        if name not in wanted.networks or name not in found:
            yield f"Networks.{name}"
            continue
        meant, said = wanted.networks[name], found[name] or {}
        own = aliases(said, new.id, wanted.body.get("Hostname"))
        if set(meant.get("Aliases", ())) != own:
            yield f"Networks.{name}.Aliases"
        for key in ("IPAMConfig", "Links", "DriverOpts"):
            if _bare(meant.get(key)) != _bare(said.get(key)):
                yield f"Networks.{name}.{key}"
        fixed = meant.get("IPAMConfig") or {}
        for key, address in (("IPv4Address", "IPAddress"), ("IPv6Address", "GlobalIPv6Address")):
            if fixed.get(key) and new.runs and said.get(address) != fixed[key]:
                yield f"Networks.{name}.{address}"


def _ports(host: Mapping[str, Any], said: Mapping[str, Any]) -> Iterator[str]:
    """Hold every port that somebody chose against what is really bound."""
    for port, bindings in sorted((host.get("PortBindings") or {}).items()):
        chosen = {binding.get("HostPort", "") for binding in bindings or ()} - ANY_PORT
        if not chosen <= {binding.get("HostPort", "") for binding in said.get(port) or ()}:
            yield f"Ports.{port}"


def _command(wanted: Mapping[str, Any], image: Mapping[str, Any]) -> tuple[Any, Any]:
    if "Entrypoint" in wanted and wanted["Entrypoint"] is not None:
        return wanted["Entrypoint"], wanted.get("Cmd")
    return image.get("Entrypoint"), wanted.get("Cmd") or image.get("Cmd")


def _laid(own: Mapping[str, Any] | None, image: Mapping[str, Any] | None) -> dict[str, Any]:
    return {**(image or {}), **(own or {})}


def _entries(field: str, wanted: Mapping[str, Any], said: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(wanted.keys() | said.keys()):
        if key not in wanted or key not in said or _bare(wanted[key]) != _bare(said[key]):
            yield f"{field}.{key}"


def _variables(words: Any) -> dict[str, str]:
    pairs = (word.partition("=") for word in words or ())
    return {name: value for name, _, value in pairs}


def _bare(value: Any) -> Any:
    """Take away what says nothing: the engine writes nothing, null, zero, false and empty for the same."""
    if isinstance(value, Mapping):
        kept = {key: _bare(of) for key, of in value.items()}
        return {key: of for key, of in kept.items() if of is not None} or None
    if isinstance(value, list | tuple):
        return [_bare(of) for of in value] or None
    return value or None


def _of(said: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = said.get(key)
    return found if isinstance(found, Mapping) else {}
