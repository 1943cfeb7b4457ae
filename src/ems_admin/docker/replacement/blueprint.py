"""From what an updater is created: the Admin's own body without its ports, its name and its addresses.

Nothing of compose is taken over: whoever runs it meanwhile would remove a container that its file does not name.
Source: `replacement.md` 7.1, 7.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from attrs import frozen

from ems_admin.docker.containers import Container
from ems_admin.docker.labels import ATTEMPT, OPERATION, OWN_CONTAINER, PREDECESSOR, SITE, STARTED_FOR
from ems_admin.docker.place import DockerPlace
from ems_admin.workflows.ports.replacement import Launch

SHARED: Final = (
    "NetworkMode",
    "ExtraHosts",
    "Dns",
    "DnsOptions",
    "DnsSearch",
    "GroupAdd",
    "UsernsMode",
    "ReadonlyRootfs",
    "Tmpfs",
    "CapAdd",
    "CapDrop",
    "SecurityOpt",
    "LogConfig",
    "Runtime",
)
"""What of the Admin's own body an updater gets unchanged."""
RESTARTED: Final = {"Name": "unless-stopped", "MaximumRetryCount": 0}
"""A crash or a reboot starts it again, until its last act is to say no."""
STOP_TIMEOUT: Final = 30
OWN_PREFIXES: Final = ("EMS_ADMIN_", "DOCKER_")
OWN_WORDS: Final = frozenset({"TZ"})
NOT_ITS: Final = frozenset({STARTED_FOR, OWN_CONTAINER})
"""What says of the Admin which container it is, and for what it was started."""
DEFAULT, BRIDGE = "default", "bridge"


@frozen(kw_only=True)
class Home:
    """What an updater of this site has to know, and cannot read from the records."""

    place: DockerPlace
    host: str
    """The address of the daemon, which it reaches as the Admin does."""
    stable: timedelta


def blueprint(own: Container, launch: Launch, home: Home) -> dict[str, Any]:
    """Give the body of an updater, to be created under the name `launch.container`."""
    body, host = _part(own.said, "Config"), _part(own.said, "HostConfig")
    return {
        "Image": own.image_id,
        "Cmd": _command(launch, home.place),
        "User": body.get("User", ""),
        "Env": _environment(body.get("Env") or [], launch, home),
        "Labels": labels_of(own, launch, home.place.site),
        "StopTimeout": STOP_TIMEOUT,
        # The image asks an Admin how it is; an updater answers nobody.
        "Healthcheck": {"Test": ["NONE"]},
        "HostConfig": {
            **{key: host[key] for key in SHARED if host.get(key)},
            "Mounts": _mounts(own),
            "RestartPolicy": RESTARTED,
        },
    }


def labels_of(own: Container, launch: Launch, site: str) -> dict[str, str]:
    """Give the labels by which an updater is known."""
    return {
        SITE: site,
        OPERATION: launch.operation_id,
        ATTEMPT: str(launch.attempt),
        PREDECESSOR: own.id,
    }


def further_networks(own: Container) -> dict[str, str]:
    """Name the networks of the Admin beyond the one in which a container is created, each with its id."""
    mode = str(_part(own.said, "HostConfig").get("NetworkMode", ""))
    first = BRIDGE if mode == DEFAULT else mode
    found = {name: str(_part(joined, name).get("NetworkID", "")) for joined in [_joined(own)] for name in joined}
    return {name: network for name, network in found.items() if first not in {name, network}}


def networks_of(container: Container) -> frozenset[str]:
    """Name the networks that a container has joined."""
    return frozenset(_joined(container))


def _joined(container: Container) -> Mapping[str, Any]:
    return _part(_part(container.said, "NetworkSettings"), "Networks")


def _command(launch: Launch, place: DockerPlace) -> list[str]:
    where = ["--install-root", str(place.install_root), "--data-dir", str(place.admin_data), "--engine", "docker"]
    return ["updater", *where, "--operation", launch.operation_id, "--attempt", str(launch.attempt)]


def _environment(of_admin: list[str], launch: Launch, home: Home) -> list[str]:
    """Give what the Admin was told from outside. What its image says, the updater's image says too: it is the same."""
    said = dict(word.partition("=")[::2] for word in of_admin)
    kept = {name: value for name, value in said.items() if name.startswith(OWN_PREFIXES) or name in OWN_WORDS}
    told = {
        **{name: value for name, value in kept.items() if name not in NOT_ITS},
        "DOCKER_HOST": home.host,
        "EMS_ADMIN_STABILITY": str(home.stable.total_seconds()),
    }
    if OWN_CONTAINER in said:  # this engine tells nobody its id by a mount, so the updater has to be told as well
        told[OWN_CONTAINER] = launch.container
    return [f"{name}={value}" for name, value in sorted(told.items())]


def _mounts(own: Container) -> list[dict[str, Any]]:
    """Give every mount that the Admin really has, also an unnamed volume by the name that it has got."""
    found = own.said.get("Mounts") or []
    mounts = [mount for row in found if (mount := _mount(row)) is not None]
    in_memory = [row for row in _part(own.said, "HostConfig").get("Mounts") or [] if row.get("Type") == "tmpfs"]
    return [*mounts, *in_memory]


def _mount(row: Mapping[str, Any]) -> dict[str, Any] | None:
    same = {"Target": row["Destination"], "ReadOnly": row.get("RW") is not True}
    match row.get("Type"):
        case "bind":
            propagation = {"BindOptions": {"Propagation": row["Propagation"]}} if row.get("Propagation") else {}
            return {"Type": "bind", "Source": row["Source"], **same, **propagation}
        case "volume":
            return {"Type": "volume", "Source": row["Name"], **same, "VolumeOptions": {"NoCopy": True}}
        case _:
            return None


def _part(said: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = said.get(key)
    return found if isinstance(found, dict) else {}
