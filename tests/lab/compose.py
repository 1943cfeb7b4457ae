"""`docker compose up` for one file: what it asks of the engine, so that the very file that people get is tested.

Whatever stands in the file is either translated here or makes this fail: nothing in it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from attrs import frozen

from tests.house.tracked import ROOT

FILE: Final = ROOT / "docker-compose.admin.yml"
_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
_SECONDS: Final = re.compile(r"(\d+)s")


class ComposeError(ValueError):
    """The file wants a variable that nobody has set."""


@frozen(kw_only=True)
class Wanted:
    """One container of a compose file, as the engine is asked for it."""

    project: str
    name: str
    network: str
    create: dict[str, Any]


def variables(text: str) -> dict[str, str]:
    """Read an env file."""
    lines = (line.strip() for line in text.splitlines())
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def wanted(text: str, said: Mapping[str, str]) -> Wanted:
    """Translate a compose file of one service, with the variables of its env file."""
    document = dict(_filled(yaml.safe_load(text), said))
    project, services = document.pop("name"), document.pop("services")
    _nothing_left(document)
    ((service, words),) = services.items()
    network = f"{project}_default"
    return Wanted(
        project=project,
        name=words["container_name"],
        network=network,
        create=_create(dict(words), project, service, network),
    )


def _create(words: dict[str, Any], project: str, service: str, network: str) -> dict[str, Any]:
    words.pop("container_name")
    ports = [port.split(":") for port in words.pop("ports", ())]
    host: dict[str, Any] = {
        "NetworkMode": network,
        "PortBindings": {f"{inner}/tcp": [{"HostIp": "", "HostPort": outer}] for outer, inner in ports},
        "Binds": [bind if bind.count(":") > 1 else f"{bind}:rw" for bind in words.pop("volumes", ())],
        "RestartPolicy": {"Name": words.pop("restart", "no"), "MaximumRetryCount": 0},
        "GroupAdd": [str(group) for group in words.pop("group_add", ())],
        "ReadonlyRootfs": words.pop("read_only", False),
        "Tmpfs": dict.fromkeys(words.pop("tmpfs", ()), ""),
        "CapDrop": words.pop("cap_drop", []),
        "SecurityOpt": words.pop("security_opt", []),
    }
    if logging := words.pop("logging", None):
        host["LogConfig"] = {"Type": logging["driver"], "Config": logging["options"]}
    body = {
        "Image": words.pop("image"),
        "Cmd": words.pop("command"),
        "User": words.pop("user"),
        "Env": [f"{name}={value}" for name, value in words.pop("environment", {}).items()],
        "StopTimeout": _seconds(words.pop("stop_grace_period")),
        "ExposedPorts": {f"{inner}/tcp": {} for _, inner in ports},
        "Labels": _labels(project, service),
        "HostConfig": host,
        "NetworkingConfig": {"EndpointsConfig": {network: {"Aliases": [service]}}},
    }
    _nothing_left(words)
    return body


def _labels(project: str, service: str) -> dict[str, str]:
    start = "com.docker.compose"
    return {
        f"{start}.project": project,
        f"{start}.service": service,
        f"{start}.container-number": "1",
        f"{start}.oneoff": "False",
    }


def _seconds(duration: str) -> int:
    found = _SECONDS.fullmatch(duration)
    assert found is not None, duration
    return int(found[1])


def _nothing_left(words: Mapping[str, Any]) -> None:
    assert not words, f"the lab's compose does not know {', '.join(words)}"


def _filled(value: Any, said: Mapping[str, str]) -> Any:
    """Put the variables in."""
    if isinstance(value, dict):
        return {name: _filled(inner, said) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, said) for inner in value]
    return _VARIABLE.sub(lambda found: _value(found, said), value) if isinstance(value, str) else value


def _value(found: re.Match[str], said: Mapping[str, str]) -> str:
    name, how, more = found.groups()
    value = said.get(name, "")
    if not value and how == "?":
        raise ComposeError(f"{name}: {more}")
    return value or (more if how == "-" else "")


def text_of(folder: Path) -> str:
    """Give the compose file that lies in an install root."""
    return (folder / FILE.name).read_text()
