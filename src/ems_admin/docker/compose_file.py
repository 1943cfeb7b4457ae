"""`docker-compose.yml` in the install root: exactly what runs, for people to read, and for `docker compose` to take.

It is never an authority: what runs is asked of the daemon. Its names alone are read again, to know which containers
might stand in the way.

Source: `site.md` 8 (stack file, docker).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from ems_admin.docker.creating import OF_THE_ENGINE
from ems_admin.docker.definition import GRACE, RESTART_POLICY, SECURITY, Definition
from ems_admin.docker.labels import COMPOSE_PROJECT, COMPOSE_SERVICE, project
from ems_admin.engines.disk import replace_file

HEAD: Final = (
    "# What ems-admin runs here, as it was last started. It is written anew with every start: a change in here\n"
    "# changes nothing that runs, and does not last.\n"
)
LIMIT: Final = 1024 * 1024
"""Bytes."""


def render(stack: tuple[Definition, ...]) -> bytes:
    """Write the services in the order of their start; there is at least one."""
    first = stack[0]
    told: dict[str, Any] = {
        "name": project(first.site),
        "services": {one.service: _service(one) for one in stack},
    }
    networks = sorted({one.network for one in stack} - OF_THE_ENGINE)
    if networks:
        told["networks"] = {name: {"name": name, "external": True} for name in networks}
    return (HEAD + yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=120)).encode()


def _service(one: Definition) -> dict[str, Any]:
    told: dict[str, Any] = {
        "image": one.reference,
        "container_name": one.service,
        "user": one.user,
        "restart": RESTART_POLICY,
        "stop_grace_period": f"{GRACE.total_seconds():.0f}s",
        "security_opt": [f"{word}:true" for word in SECURITY],
        "environment": {name: _plain(value) for name, value in one.environment},
        "volumes": [
            {"type": "bind", "source": bind.source, "target": bind.target}
            | {"read_only": bind.read_only, "bind": {"create_host_path": False}}
            for bind in one.binds
        ],
        "ports": [f"{one.published}:{one.port}"],
        # Compose keeps its own labels for itself.
        "labels": {k: _plain(v) for k, v in one.labels.items() if k not in {COMPOSE_PROJECT, COMPOSE_SERVICE}},
    }
    if one.command:
        told["command"] = [_plain(word) for word in one.command]
    if one.after:
        told["depends_on"] = list(one.after)
    if one.network in OF_THE_ENGINE:
        told["network_mode"] = one.network
    else:
        told["networks"] = {one.network: {"aliases": [one.service]}}
    return told


def _plain(text: str) -> str:
    """Keep compose from filling a dollar sign in."""
    return text.replace("$", "$$")


def write(file: Path, stack: tuple[Definition, ...]) -> None:
    """Replace the file as a whole, unless it says this already. Blocking; raises `OSError`."""
    data = render(stack)
    if not file.is_file() or file.read_bytes() != data:
        replace_file(file, data)


def images_by_name(file: Path) -> Mapping[str, str]:
    """Read which names the services bear, and what each is to run from; nothing from another file. Blocking."""
    try:
        if not file.is_file() or file.stat().st_size > LIMIT:
            return {}
        said = yaml.safe_load(file.read_bytes())
    except (OSError, yaml.YAMLError, UnicodeDecodeError, RecursionError):
        return {}
    services = said.get("services") if isinstance(said, dict) else None
    found = services.values() if isinstance(services, dict) else ()
    pairs = ((one.get("container_name"), one.get("image")) for one in found if isinstance(one, dict))
    return {name: image for name, image in pairs if isinstance(name, str) and isinstance(image, str)}
