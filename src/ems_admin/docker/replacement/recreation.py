"""From the snapshot of an Admin to the body of its like: all of its own, and of its old image nothing.

Pure. What the old image supplied is left out, so that the new one supplies its own; what somebody chose for this
container stays, whatever image it runs from. Source: `replacement.md` 7.4 (U7); `faults.md` F25.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen

from ems_admin.docker.labels import COMPOSE_IMAGE, STARTED_FOR
from ems_admin.docker.replacement.snapshot import Remembered

NO_RESTART: Final = {"Name": "no", "MaximumRetryCount": 0}
COMPOSE: Final = "com.docker.compose."
"""Labels of a project that runs it. An image which compose has built carries the like, and means something else."""
INHERITED: Final = ("User", "WorkingDir", "StopSignal")
"""What a container takes from its image as a whole."""
MERGED: Final = ("ExposedPorts", "Volumes")
"""What it takes entry by entry, as it takes labels and environment."""
OF_IMAGES: Final = frozenset({"Image", "OnBuild", "ArgsEscaped", "Shell", "Entrypoint", "Cmd"})
"""What is never copied: it belongs to images, or is decided as a pair."""
SHORT: Final = 12
DEFAULT, BRIDGE, SHARED, HOST = "default", "bridge", "container:", "host"


@frozen(kw_only=True)
class Creation:
    """A container that is to be."""

    name: str
    body: Mapping[str, Any] = field(repr=False)
    """For the daemon; it names one network at most, for an engine of API 1.41 takes no more."""
    networks: Mapping[str, Mapping[str, Any]]
    """Every network with how the container is to stand in it; what the body lacks is connected before the start."""


def successor_of(old: Remembered, started_for: str) -> Creation:
    """Give the new Admin: from the target, started by nobody but the updater until it is verified."""
    return _like(old, old.target.image_id, policy=NO_RESTART, started_for=started_for)


def predecessor_again(old: Remembered) -> Creation:
    """Give the old Admin once more, for the case that somebody has removed its container."""
    return _like(old, old.image_id, policy=old.policy, started_for=None)


def _like(old: Remembered, image_id: str, *, policy: Mapping[str, Any], started_for: str | None) -> Creation:
    networks = {name: _endpoint(settings, old) for name, settings in old.networks.items()}
    mode, first = _first_network(old)
    body: dict[str, Any] = own_config(old)
    body["Image"] = image_id
    if started_for is not None:
        body["Env"] = [*(word for word in body["Env"] if not _is_for(word)), f"{STARTED_FOR}={started_for}"]
        if COMPOSE_IMAGE in body["Labels"]:
            body["Labels"][COMPOSE_IMAGE] = image_id  # what compose would note: by it a changed image is seen
    body["HostConfig"] = {
        **old.host,
        **volumes_by_name(old),
        "NetworkMode": mode,
        "RestartPolicy": dict(policy),
    }
    if first is not None and networks[first]:
        body["NetworkingConfig"] = {"EndpointsConfig": {first: networks[first]}}
    return Creation(name=old.name, body=body, networks=networks)


def own_config(old: Remembered) -> dict[str, Any]:
    """Give what was chosen for the container itself."""
    said, image = old.config, old.image
    own: dict[str, Any] = {key: value for key, value in said.items() if key not in OF_IMAGES and value is not None}
    for key in INHERITED:
        if own.get(key) == (image.get(key) or ""):
            own.pop(key, None)
    for key in MERGED:
        own[key] = _unlike(said.get(key), image.get(key))
    own["Labels"] = _unlike(said.get("Labels"), image.get("Labels")) | {
        key: value for key, value in (said.get("Labels") or {}).items() if key.startswith(COMPOSE)
    }
    supplied = set(image.get("Env") or ())
    own["Env"] = [word for word in said.get("Env") or () if word not in supplied]
    own.pop("Healthcheck", None)
    if check := _unlike(said.get("Healthcheck"), image.get("Healthcheck")):
        own["Healthcheck"] = check
    own |= _command(said, image)
    if not has_own_hostname(old):
        own.pop("Hostname", None)
    return own


def has_own_hostname(old: Remembered) -> bool:
    """Say whether somebody chose its host name; otherwise it is its id, or that of whose network it shares."""
    shares = str(old.host.get("NetworkMode", "")).startswith(SHARED) or old.host.get("UTSMode") == HOST
    return not shares and old.config.get("Hostname") != old.id[:SHORT]


def volumes_by_name(old: Remembered) -> dict[str, list[Any]]:
    """Bind every volume that got no name, so that the data of the old container is that of the new one."""
    host = old.host
    names = {mount.get("Destination"): mount.get("Name") for mount in old.mounts if mount.get("Type") == "volume"}
    mounts = [
        {**mount, "Source": names.get(mount.get("Target"), "")}
        if mount.get("Type") == "volume" and not mount.get("Source")
        else mount
        for mount in host.get("Mounts") or ()
    ]
    binds = list(host.get("Binds") or ())
    taken = {bind.split(":")[1] for bind in binds if ":" in bind} | {mount.get("Target") for mount in mounts}
    binds += [
        f"{mount['Name']}:{mount['Destination']}{'' if mount.get('RW') else ':ro'}"
        for mount in sorted(old.mounts, key=lambda mount: str(mount.get("Destination")))
        if mount.get("Type") == "volume" and mount.get("Destination") not in taken
    ]
    return {"Binds": binds, "Mounts": mounts}


def aliases(settings: Mapping[str, Any], container_id: str, hostname: object) -> set[str]:
    """Give the names that a container bears in a network, without those that the engine gives by itself."""
    return set(settings.get("Aliases") or ()) - {container_id[:SHORT], hostname}


def _endpoint(settings: Mapping[str, Any], old: Remembered) -> dict[str, Any]:
    said = {
        **{key: settings.get(key) for key in ("IPAMConfig", "Links", "DriverOpts")},
        "Aliases": sorted(aliases(settings, old.id, old.config.get("Hostname"))),
    }
    return {key: value for key, value in said.items() if value}


def _first_network(old: Remembered) -> tuple[str, str | None]:
    """Name the mode in which it is created, and the network that this mode stands for."""
    mode, networks = str(old.host.get("NetworkMode") or DEFAULT), old.networks
    wanted = BRIDGE if mode == DEFAULT else mode
    first = next((name for name, of in networks.items() if wanted in {name, of.get("NetworkID")}), None)
    if first is None and networks:  # somebody has moved it to another one since
        first = min(networks)
        mode = first
    return mode, first


def _command(said: Mapping[str, Any], image: Mapping[str, Any]) -> dict[str, Any]:
    """Decide both together: an own entry point means that no command of the image is taken either."""
    entry, words = said.get("Entrypoint"), said.get("Cmd")
    inherited = entry == image.get("Entrypoint") and not (image.get("Cmd") and not words)
    if not inherited:
        return {"Entrypoint": entry, "Cmd": words}
    return {} if words == image.get("Cmd") else {"Cmd": words}


def _unlike(own: Mapping[str, Any] | None, image: Mapping[str, Any] | None) -> dict[str, Any]:
    supplied = image or {}
    return {key: value for key, value in (own or {}).items() if key not in supplied or supplied[key] != value}


def _is_for(word: str) -> bool:
    return word.partition("=")[0] == STARTED_FOR
