"""What an upgrade means for the parts of a site: from which build to which, who is away meanwhile, what room it takes.

Pure: it compares what was read. What could not be asked is shown as unknown, never as unchanged.

Source: `site.md` 9 (Plan); `http.md` 5.3 (upgrade/plan).
"""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.installed import DeployedImage, KnownGood
from ems_admin.machines.values.digests import known_by
from ems_admin.workflows.ports.builds import Examined
from ems_admin.workflows.ports.services import NotSeen, Observation, SeenService, ServiceState
from ems_admin.workflows.selection import Selection
from ems_admin.workflows.upgrade.migration import LiveFiles, PlannedMigration


class PartKind(StrEnum):
    """What a site is made of."""

    ADMIN = "admin"
    EMS = "ems"
    """The build that is installed, as a whole."""
    CONFIG = "config"
    SERVICE = "service"


class Effect(StrEnum):
    """What becomes of a part."""

    STAYS = "stays"
    REPLACED = "replaced"
    ADDED = "added"
    REMOVED = "removed"
    UNKNOWN = "unknown"
    """Nobody can say what is there now."""


@frozen(kw_only=True)
class Version:
    """Which one of a part. The digest of the config is its revision."""

    system_tag: str | None
    build_id: str | None
    digest: str | None


@frozen(kw_only=True)
class PartChange:
    """From what to what a part goes."""

    kind: PartKind
    name: str
    before: Version | None
    after: Version | None
    effect: Effect


@frozen(kw_only=True)
class Interruption:
    """A part that is away for a moment."""

    kind: PartKind
    name: str


@frozen(kw_only=True)
class Space:
    """Room on the disk, in bytes."""

    archive: int
    unpacked: int
    """Of the files of the build; natively its programs are unpacked from them once more."""
    images: int | None
    """What the images of the services take up; `None` where no source tells, 0 natively."""
    needed: int
    """As far as it is known."""
    free: int | None
    """`None`: it could not be read."""

    @property
    def enough(self) -> bool | None:
        """Say whether it fits; `None` when nobody can."""
        return None if self.free is None else self.needed <= self.free


@frozen(kw_only=True)
class Present:
    """The site as it stands, as far as it can be seen."""

    own: OwnIdentity | None
    installed_tag: str | None
    known_good: KnownGood | None
    live: LiveFiles
    observation: Observation
    images: tuple[DeployedImage, ...]
    """What every service of the target is to run from."""
    free: int | None
    imported: bool
    """The very build lies in the release cache already."""


AWAY: Final = frozenset({Effect.REPLACED, Effect.REMOVED})
SEEN_AT_WORK: Final = frozenset({ServiceState.RUNNING, ServiceState.STARTING, ServiceState.RESTARTING})


def parts(present: Present, selection: Selection, migration: PlannedMigration) -> tuple[PartChange, ...]:
    """List every part with what it is and what it is to be."""
    return (
        _admin(present.own, selection),
        _ems(present, selection),
        _config(present.live, migration),
        *_services(present, selection),
    )


def interruptions(changes: tuple[PartChange, ...], observation: Observation) -> tuple[Interruption, ...]:
    """List who is away meanwhile: an Admin that is replaced, and services that run and do not stay."""
    at_work = {seen.service for seen in _seen(observation) if seen.state in SEEN_AT_WORK}
    return tuple(
        Interruption(kind=change.kind, name=change.name)
        for change in changes
        if (change.kind is PartKind.ADMIN and change.effect in AWAY)
        or (change.kind is PartKind.SERVICE and change.effect in AWAY and change.name in at_work)
        or (change.kind is PartKind.SERVICE and change.effect is Effect.UNKNOWN)
    )


def space(examined: Examined, present: Present, *, native: bool) -> Space:
    """Add up what has to be fetched: an imported build lies there already, its programs perhaps not."""
    cached = 0 if present.imported else examined.archive_bytes + examined.unpacked_bytes
    return Space(
        archive=examined.archive_bytes,
        unpacked=examined.unpacked_bytes,
        images=0 if native else None,
        needed=cached + (examined.unpacked_bytes if native else 0),
        free=present.free,
    )


def _admin(own: OwnIdentity | None, selection: Selection) -> PartChange:
    before = None
    if own is not None:
        digest = known_by(selection.digest_kind, digest=own.digest, image_id=own.image_id)
        before = Version(system_tag=own.system_tag, build_id=own.build_id, digest=digest)
    return PartChange(
        kind=PartKind.ADMIN,
        name="admin",
        before=before,
        after=_target(selection, selection.admin_digest),
        effect=Effect.STAYS if selection.aligned else Effect.REPLACED,
    )


def _ems(present: Present, selection: Selection) -> PartChange:
    good = present.known_good
    before = Version(
        system_tag=present.installed_tag,
        build_id=good.build_id if good else None,
        digest=good.ems_digest if good else None,
    )
    after = _target(selection, selection.ems_digest)
    effect = Effect.STAYS if before == after else Effect.REPLACED
    return PartChange(kind=PartKind.EMS, name="ems", before=before, after=after, effect=effect)


def _config(live: LiveFiles, migration: PlannedMigration) -> PartChange:
    before = live.revision and Version(system_tag=None, build_id=None, digest=live.revision)
    after = before
    if migration.required:
        after = Version(system_tag=None, build_id=None, digest=hashlib.sha256(migration.data).hexdigest())
    return PartChange(
        kind=PartKind.CONFIG,
        name="config/config.json",
        before=before or None,
        after=after or None,
        effect=Effect.REPLACED if migration.required else Effect.STAYS,
    )


def _services(present: Present, selection: Selection) -> tuple[PartChange, ...]:
    unseen = isinstance(present.observation, NotSeen)
    before = {seen.service: _running(seen) for seen in _seen(present.observation)}
    after = {image.service: _target(selection, image.digest) for image in present.images}
    return tuple(
        PartChange(
            kind=PartKind.SERVICE,
            name=name,
            before=before.get(name),
            after=after.get(name),
            effect=Effect.UNKNOWN if unseen else _effect(before.get(name), after.get(name)),
        )
        for name in dict.fromkeys((*after, *before))
    )


def _effect(before: Version | None, after: Version | None) -> Effect:
    if before is None:
        return Effect.ADDED
    if after is None:
        return Effect.REMOVED
    if before.digest is None:
        return Effect.UNKNOWN
    return Effect.STAYS if before.digest == after.digest else Effect.REPLACED


def _running(seen: SeenService) -> Version:
    return Version(system_tag=None, build_id=seen.build_id, digest=seen.digest)


def _target(selection: Selection, digest: str) -> Version:
    manifest = selection.manifest
    return Version(system_tag=manifest.system_tag, build_id=manifest.build_id, digest=digest)


def _seen(observation: Observation) -> tuple[SeenService, ...]:
    if isinstance(observation, NotSeen):
        return ()
    return tuple(seen for seen in observation.services if seen.state is not ServiceState.ABSENT)
