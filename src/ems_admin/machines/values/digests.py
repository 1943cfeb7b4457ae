"""What a digest was taken of, and by which one an Admin is known: two kinds are never equal.

Source: `site.md` 8 (digests).
"""

from __future__ import annotations

from enum import StrEnum

from ems_admin.machines.records.build import Channel, ImagePin, Manifest
from ems_admin.machines.records.transition import DigestKind


class Half(StrEnum):
    """One of the two programs of a build."""

    ADMIN = "admin"
    EMS = "ems"


def digests_of(manifest: Manifest, half: Half) -> frozenset[str]:
    """List the digests by which one half of a build goes: of its image, and of its program tree."""
    pins: dict[Half, ImagePin] = {Half.ADMIN: manifest.admin, Half.EMS: manifest.ems}
    program = manifest.programs.get(half)
    found = (pins[half].digest, program.sha256 if program else None)
    return frozenset(digest for digest in found if digest is not None)


def kind_of_images(channel: Channel) -> DigestKind:
    """Say what the image digests of a build are: one that was built on this machine was never in a registry."""
    return DigestKind.IMAGE_ID if channel is Channel.LOCAL else DigestKind.REGISTRY


def known_by(kind: DigestKind, *, digest: str | None, image_id: str | None) -> str | None:
    """Give that of a running Admin which is of the kind that is asked for; `None` when it is not known."""
    return image_id if kind is DigestKind.IMAGE_ID else digest
