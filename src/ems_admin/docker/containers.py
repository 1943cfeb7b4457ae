"""Containers as the daemon shows them: what is read of one, and of many, one broken among them not spoiling the rest.

Source: `site.md` 8; `faults.md` D1, F19, F22.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import field, frozen

from ems_admin.docker.daemon import NOT_FOUND

NEVER: Final = "0001-01-01T00:00:00Z"
"""How the daemon writes a time that has not been."""


class Doing(StrEnum):
    """What a container does."""

    CREATED = "created"
    RUNNING = "running"
    RESTARTING = "restarting"
    PAUSED = "paused"
    EXITED = "exited"
    """Also one that is dead or being removed."""
    UNKNOWN = "unknown"
    """A row that says nothing, or a word of another daemon."""


DOING: Final = {doing.value: doing for doing in Doing} | {"dead": Doing.EXITED, "removing": Doing.EXITED}


@frozen(kw_only=True)
class Container:
    """One container as it was just inspected."""

    id: str
    name: str
    """Without the leading slash."""
    image_id: str
    """`sha256:…` of what it really runs from."""
    image: str
    """What it was asked to run from: a tag, a digest or an id."""
    doing: Doing
    exit_code: int
    oom: bool
    restarts: int
    error: str
    """Why the daemon could not start it; empty otherwise."""
    policy: str
    """When the daemon starts it again by itself."""
    started_at: datetime | None
    labels: Mapping[str, str]
    said: Mapping[str, Any] = field(eq=False, repr=False)
    """All that the daemon said of it."""

    @property
    def runs(self) -> bool:
        """Say whether its process lives, be it frozen."""
        return self.doing in {Doing.RUNNING, Doing.RESTARTING, Doing.PAUSED}


async def look(docker: Docker, name_or_id: str) -> Container | None:
    """Inspect one container; `None` when the daemon answers that there is none.

    Raises `UnaskedError`, or `DockerError` for any other answer.
    """
    try:
        found = await docker.containers.get(name_or_id)
    except DockerError as error:
        if error.status == NOT_FOUND:
            return None
        raise
    return read(found._container)  # noqa: SLF001  # what `show` would ask for once more


async def labelled(docker: Docker, *labels: str) -> tuple[Container, ...]:
    """Inspect every container, in any state, that carries all of these labels: `key` or `key=value`."""
    return await _each(docker, {"label": list(labels)})


async def named_like(docker: Docker, prefix: str) -> tuple[Container, ...]:
    """Inspect every container, in any state, whose name begins so."""
    return await _each(docker, {"name": [f"^/?{prefix}"]})


async def _each(docker: Docker, filters: Mapping[str, Any]) -> tuple[Container, ...]:
    seen = [await _seen(docker, row.get("Id"), row) for row in await listed(docker, filters)]
    return tuple(one for one in seen if one is not None)


async def listed(docker: Docker, filters: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """List containers in any state, as the daemon says it. Raises `UnaskedError` or `DockerError`."""
    # Not by the client's own list: it fails as a whole on one row without an id.
    found = await docker._query_json("containers/json", params={"all": True, "filters": filters})  # noqa: SLF001
    return tuple(row for row in found if isinstance(row, dict)) if isinstance(found, list) else ()


async def _seen(docker: Docker, container_id: object, row: Mapping[str, Any]) -> Container | None:
    """Inspect one row of a list. One that cannot be inspected is shown as unknown; one that is gone, not at all."""
    if not isinstance(container_id, str):
        return None
    try:
        return await look(docker, container_id)
    except DockerError:
        names = row.get("Names")
        name = str(names[0]) if isinstance(names, list) and names else ""
        return read({"Id": container_id, "Name": name, "Config": {"Labels": row.get("Labels")}})


def read(said: Mapping[str, Any]) -> Container:
    """Read what the daemon said; what is missing or of another type says nothing, and never raises."""
    state, config = _part(said, "State"), _part(said, "Config")
    labels = config.get("Labels")
    return Container(
        id=_text(said, "Id"),
        name=_text(said, "Name").removeprefix("/"),
        image_id=_text(said, "Image"),
        image=_text(config, "Image"),
        doing=DOING.get(_text(state, "Status"), Doing.UNKNOWN),
        exit_code=_number(state, "ExitCode"),
        oom=state.get("OOMKilled") is True,
        restarts=_number(said, "RestartCount"),
        error=_text(state, "Error"),
        policy=_text(_part(_part(said, "HostConfig"), "RestartPolicy"), "Name"),
        started_at=_time(_text(state, "StartedAt")),
        labels={str(key): str(value) for key, value in labels.items()} if isinstance(labels, dict) else {},
        said=said,
    )


def _part(said: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = said.get(key)
    return found if isinstance(found, dict) else {}


def _text(said: Mapping[str, Any], key: str) -> str:
    found = said.get(key)
    return found if isinstance(found, str) else ""


def _number(said: Mapping[str, Any], key: str) -> int:
    found = said.get(key)
    return found if isinstance(found, int) else 0


def _time(text: str) -> datetime | None:
    """Read a time of the daemon, which counts nanoseconds."""
    if not text or text == NEVER:
        return None
    whole, _, fraction = text.rstrip("Z").partition(".")
    try:
        return datetime.fromisoformat(f"{whole}.{fraction[:6]:0<6}+00:00" if fraction else f"{whole}+00:00")
    except ValueError:
        return None
