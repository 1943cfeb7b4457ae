"""What an operation is held against, and what its success leaves on record of an EMS that it did not bring."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.alignment.bringing import (
    BRINGS,
    PROOF,
    Brought,
    Proof,
    ProvenAdmin,
    has_the_ems,
    is_meant,
    known_good_of,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode, Stage
from tests.machines.samples import operation
from tests.machines.verdicts import questions, replay, unused
from tests.memory.house import EMS_DIGEST, OWN, manifest
from tests.stores.records import KNOWN_GOOD

BUILD = manifest()
ADMIN = ProvenAdmin(digest=OWN.digest or "", build_id=OWN.build_id, revision=OWN.revision)
ALIGNING = evolve(
    operation(Stage.HEALTHCHECK_PENDING, Mode.ALIGN_EXISTING_INSTALL),
    system_tag=BUILD.system_tag,
    build_id=BUILD.build_id,
    revision=BUILD.revision,
    admin_digest=OWN.digest or "",
    ems_digest=KNOWN_GOOD.ems_digest,
)
UPGRADING = evolve(ALIGNING, mode=Mode.GUIDED_UPGRADE, ems_digest=EMS_DIGEST)
LATER = KNOWN_GOOD.healthcheck_at + timedelta(days=1)


@pytest.mark.parametrize(("name", "kind", "table"), [("brings.txt", Brought, BRINGS), ("proof.txt", Proof, PROOF)])
def test_a_text_comes_out_as_it_was_written_and_leaves_no_row_untold(
    name: str, kind: type[Any], table: Table[Any, Any]
) -> None:
    written = (Path(__file__).parent / name).read_text(encoding="utf-8")
    assert replay(written, kind, table.classify) == written
    assert unused(table, list(questions(written, kind))) == []


def test_a_build_is_meant_by_the_half_that_is_brought() -> None:
    assert is_meant(BUILD, ALIGNING)
    assert not is_meant(BUILD, evolve(ALIGNING, admin_digest="7" * 64))
    assert is_meant(BUILD, UPGRADING)
    assert not is_meant(BUILD, evolve(UPGRADING, ems_digest="7" * 64))
    for other in (ALIGNING, UPGRADING):
        assert not is_meant(BUILD, evolve(other, build_id="another"))
        assert not is_meant(BUILD, evolve(other, revision="f" * 40))


def test_only_a_build_that_has_the_ems_is_chosen_whole() -> None:
    assert has_the_ems(BUILD, UPGRADING)
    assert not has_the_ems(BUILD, ALIGNING)


def test_an_alignment_leaves_the_ems_its_name_and_notes_the_admin_that_ran() -> None:
    good = known_good_of(ALIGNING, ADMIN, before=KNOWN_GOOD, build=BUILD, now=LATER)
    assert isinstance(good, KnownGood)
    assert (good.admin_digest, good.admin_build_id, good.admin_revision, good.healthcheck_at) == (
        ADMIN.digest,
        ADMIN.build_id,
        ADMIN.revision,
        LATER,
    )
    of_the_ems = ("system_tag", "build_id", "revision", "ems_image", "ems_digest", "compatibility_mode")
    assert [getattr(good, word) for word in of_the_ems] == [getattr(KNOWN_GOOD, word) for word in of_the_ems]


def test_whoever_brings_an_ems_names_it_whatever_was_noted_before() -> None:
    for before in (None, KNOWN_GOOD, evolve(KNOWN_GOOD, ems_digest=EMS_DIGEST)):
        good = known_good_of(UPGRADING, ADMIN, before=before, build=None, now=LATER)
        assert isinstance(good, KnownGood)
        assert (good.system_tag, good.build_id, good.ems_digest) == (BUILD.system_tag, BUILD.build_id, EMS_DIGEST)


def test_an_ems_without_a_name_is_never_given_that_of_another_build() -> None:
    for before in (None, evolve(KNOWN_GOOD, ems_digest="7" * 64)):
        refused = known_good_of(ALIGNING, ADMIN, before=before, build=BUILD, now=LATER)
        assert isinstance(refused, Refusal)
        assert refused.code is Code.KNOWN_GOOD_UNAVAILABLE
    own = evolve(ALIGNING, ems_digest=EMS_DIGEST)
    good = known_good_of(own, ADMIN, before=None, build=BUILD, now=LATER)
    assert isinstance(good, KnownGood)
    assert good.system_tag == BUILD.system_tag
