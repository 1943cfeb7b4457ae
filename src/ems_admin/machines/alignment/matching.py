"""How the running Admin stands to a build: by its bytes, and by what it says of itself.

Source: `http.md` 5.4 (action_state); `site.md` 6 (Agreement).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.transition import DigestKind
from ems_admin.machines.values.digests import known_by


class AlignmentState(StrEnum):
    """How the running Admin stands to the build."""

    ALIGNED = "aligned"
    ADMIN_RECREATE_REQUIRED = "admin_recreate_required"
    """It says that it is the build's, and its bytes are not."""
    ADMIN_UPDATE_REQUIRED = "admin_update_required"
    """It is another one, or cannot tell."""
    MISMATCH = "mismatch"
    """Its bytes are the build's, and it says that it is another one: the build contradicts itself."""


class Match(StrEnum):
    """Whether something of the running Admin is that of the build."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "unknown"


@frozen
class Compared:
    """The running Admin beside the one of a build."""

    digest: Match
    words: Match
    """Build id and revision."""


ALIGNMENT: Final = Table[Compared, AlignmentState](
    name="admin_alignment",
    asks=Compared,
    rows=(
        row(AlignmentState.ALIGNED, digest=Match.SAME, words=Match.SAME),
        row(AlignmentState.MISMATCH, digest=Match.SAME, words=Match.OTHER),
        row(AlignmentState.ADMIN_RECREATE_REQUIRED, digest=Match.OTHER, words=Match.SAME),
        row(AlignmentState.ADMIN_UPDATE_REQUIRED),
    ),
)


def compared(own: OwnIdentity | None, *, kind: DigestKind, digest: str, build_id: str, revision: str) -> Compared:
    """Hold the running Admin (`None`: it cannot be identified) beside the one of a build, like with like."""
    if own is None:
        return Compared(Match.UNKNOWN, Match.UNKNOWN)
    words = Match.SAME if (own.build_id, own.revision) == (build_id, revision) else Match.OTHER
    known = known_by(kind, digest=own.digest, image_id=own.image_id)
    if known is None:
        return Compared(Match.UNKNOWN, words)
    return Compared(Match.SAME if known == digest else Match.OTHER, words)


def alignment_of(
    own: OwnIdentity | None, *, kind: DigestKind, digest: str, build_id: str, revision: str
) -> AlignmentState:
    """Say how the running Admin stands to the one of a build."""
    return ALIGNMENT.classify(compared(own, kind=kind, digest=digest, build_id=build_id, revision=revision))
