"""How the running Admin stands to a build (`http.md` 5.4)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import pytest
from attrs import evolve

from ems_admin.machines.alignment.matching import AlignmentState, alignment_of
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.transition import DigestKind

OWN: Final = OwnIdentity(
    system_tag="v1", build_id="b1", revision="r1", built_at=datetime(2026, 1, 1, tzinfo=UTC), digest="d1", requires=""
)


@pytest.mark.parametrize(
    ("own", "state"),
    [
        (OWN, AlignmentState.ALIGNED),
        (evolve(OWN, system_tag="v2"), AlignmentState.ALIGNED),
        (evolve(OWN, digest="d2"), AlignmentState.ADMIN_RECREATE_REQUIRED),
        (evolve(OWN, build_id="b2"), AlignmentState.MISMATCH),
        (evolve(OWN, revision="r2"), AlignmentState.MISMATCH),
        (evolve(OWN, digest="d2", build_id="b2"), AlignmentState.ADMIN_UPDATE_REQUIRED),
        (evolve(OWN, digest=None), AlignmentState.ADMIN_UPDATE_REQUIRED),
        (None, AlignmentState.ADMIN_UPDATE_REQUIRED),
    ],
)
def test_bytes_and_words_are_compared_apart(own: OwnIdentity | None, state: AlignmentState) -> None:
    assert alignment_of(own, kind=DigestKind.REGISTRY, digest="d1", build_id="b1", revision="r1") is state


@pytest.mark.parametrize(
    ("kind", "digest", "state"),
    [
        (DigestKind.REGISTRY, "d1", AlignmentState.ALIGNED),
        (DigestKind.IMAGE_ID, "i1", AlignmentState.ALIGNED),
        (DigestKind.REGISTRY, "i1", AlignmentState.ADMIN_RECREATE_REQUIRED),
        (DigestKind.IMAGE_ID, "d1", AlignmentState.ADMIN_RECREATE_REQUIRED),
    ],
)
def test_two_kinds_of_digests_are_never_equal(kind: DigestKind, digest: str, state: AlignmentState) -> None:
    """An image that was built here and pushed as well has both (`site.md` 8)."""
    own = evolve(OWN, image_id="i1")
    assert alignment_of(own, kind=kind, digest=digest, build_id="b1", revision="r1") is state
