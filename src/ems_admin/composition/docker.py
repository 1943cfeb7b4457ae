"""The Docker engine: the EMS and the Admin as containers. Source: `site.md` 8; `replacement.md`."""

from __future__ import annotations

from ems_admin.composition.machinery import Machinery
from ems_admin.composition.options import Options
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.engine import DockerEngine
from ems_admin.docker.identity import DockerIdentity
from ems_admin.docker.own_container import own_container_id
from ems_admin.docker.replacement.launcher import DockerLauncher
from ems_admin.docker.replacement.mover import DockerMover
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.stores.host import HostClock
from ems_admin.stores.installation import InstallRoot


def docker_machinery(
    options: Options, installation: InstallRoot, clock: HostClock, *, own: OwnIdentity | None
) -> Machinery:
    """Compose it for the Admin whose program says that it is `own`."""
    daemon, place, container = Daemon(options.docker_host), options.docker_place, own_container_id()
    return Machinery(
        engine=DockerEngine(
            daemon,
            place,
            own=container,
            runtime=installation.runtime_identity,
            clock=clock,
            built_at=lambda: own.built_at if own else None,
        ),
        launcher=DockerLauncher(
            daemon,
            place,
            own=container,
            clock=clock,
            stable=options.stability,
            built_at=own.built_at if own else None,
        ),
        mover=docker_mover(options, clock),
        identity=DockerIdentity(daemon=daemon, own=container, written=own),
    )


def docker_mover(options: Options, clock: HostClock) -> DockerMover:
    """Compose the hand of an updater, or of the Admin that finishes its walk."""
    return DockerMover(
        Daemon(options.docker_host), options.docker_place, own=own_container_id(), clock=clock, stable=options.stability
    )
