"""All that is known of the old Admin before anything touches it: what a way back reads, and it reads nothing else.

What its image had supplied is kept beside it, for from the container alone nobody could tell the two apart. Its
environment holds secrets; they are in the record, and nowhere else.
Source: `replacement.md` 7.1, 7.4 (U3); `faults.md` F25, F33.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen

from ems_admin.codec import RECORD_LIMIT, Json, TextError, canonical, parse
from ems_admin.docker.containers import Container
from ems_admin.docker.images import Image

FORMAT: Final = 1
LARGEST: Final = RECORD_LIMIT * 3 // 4
"""Bytes of a snapshot as the record spells it: the rest of the run record needs its room."""
KEPT: Final = ("Id", "Name", "Image", "Config", "HostConfig", "Mounts")
SPECIAL_NETWORKS: Final = frozenset({"host", "none"})


@frozen(kw_only=True)
class Target:
    """The image of the new Admin, as it was resolved here."""

    reference: str
    """What `.env.admin` is to say: `repository@digest`, or an image id."""
    image_id: str


@frozen(kw_only=True)
class Remembered:
    """The old Admin as it ran."""

    container: Mapping[str, Any] = field(repr=False)
    """As the daemon inspects it."""
    image: Mapping[str, Any] = field(repr=False)
    """What its image gives to its containers."""
    pin: bytes | None = field(repr=False)
    """The bytes of `.env.admin`; `None` when there was none."""
    target: Target

    @property
    def id(self) -> str:
        """Its container id."""
        return str(self.container["Id"])

    @property
    def name(self) -> str:
        """Its own name."""
        return str(self.container["Name"]).removeprefix("/")

    @property
    def image_id(self) -> str:
        """What it runs from."""
        return str(self.container["Image"])

    @property
    def config(self) -> Mapping[str, Any]:
        """What runs, be it of its own or of its image."""
        return _part(self.container, "Config")

    @property
    def host(self) -> Mapping[str, Any]:
        """How it runs on its host."""
        return _part(self.container, "HostConfig")

    @property
    def policy(self) -> Mapping[str, Any]:
        """When the engine starts it by itself."""
        return _part(self.host, "RestartPolicy")

    @property
    def networks(self) -> dict[str, Mapping[str, Any]]:
        """Every network that it is in, by name; not those of the host, which nobody connects to."""
        found = _part(_part(self.container, "NetworkSettings"), "Networks")
        return {name: of or {} for name, of in found.items() if name not in SPECIAL_NETWORKS}

    @property
    def mounts(self) -> tuple[Mapping[str, Any], ...]:
        """What it sees at which place, volumes without a name included."""
        return tuple(self.container.get("Mounts") or ())

    @property
    def text(self) -> str:
        """Write it for the run record."""
        said: Json = {
            "format_version": FORMAT,
            "container": dict(self.container),
            "image": dict(self.image),
            "pin": None if self.pin is None else base64.b64encode(self.pin).decode(),
            "target": {"reference": self.target.reference, "image_id": self.target.image_id},
        }
        return canonical(said).decode()

    @property
    def fits(self) -> bool:
        """Say whether the run record can hold it."""
        return len(canonical(self.text)) <= LARGEST


def remember(container: Container, image: Image, *, name: str, pin: bytes | None, target: Target) -> Remembered:
    """Take down a container that was just inspected; `name` is its own, whatever it is called at the moment."""
    said = {key: container.said.get(key) for key in KEPT}
    settings = _part(container.said, "NetworkSettings")
    said["Name"] = name
    said["NetworkSettings"] = {key: settings.get(key) for key in ("Networks", "Ports")}
    return Remembered(container=said, image=image.config, pin=pin, target=target)


def remembered(text: str | None) -> Remembered | None:
    """Read the snapshot of a run record; `None` when there is none that can be read."""
    if text is None:
        return None
    try:
        return _read(parse(text.encode()))
    except (TextError, KeyError, TypeError, ValueError):
        return None


def _read(said: Any) -> Remembered | None:
    if said["format_version"] != FORMAT:
        return None
    found = Remembered(
        container=said["container"],
        image=said["image"],
        pin=None if said["pin"] is None else base64.b64decode(said["pin"], validate=True),
        target=Target(reference=said["target"]["reference"], image_id=said["target"]["image_id"]),
    )
    return found if found.id and found.name and found.image_id else None


def _part(said: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = said.get(key)
    return found if isinstance(found, Mapping) else {}
