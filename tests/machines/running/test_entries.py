"""What can be asked of running work."""

from __future__ import annotations

from typing import Final

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.running.entries import (
    RunningWork,
    WorkEntry,
    holder,
    is_ending,
    joined,
    name_holder,
    worker_active,
)
from ems_admin.machines.running.kinds import (
    EXCLUDES,
    SETUP_KINDS,
    SETUP_MUTATIONS,
    SETUP_TERMINATIONS,
    SIDE_KINDS,
    WorkClass,
    WorkKind,
    class_of,
)
from ems_admin.machines.work import RUNNING_WORK
from tests.machines.transcript import replay
from tests.machines.words import value

PREPARE: Final = "begin_mutation entry=e1:deployment_prepare:w1:-:1200:h1:j1\n"


def told(story: str) -> RunningWork:
    record = replay(RUNNING_WORK, "given turns=- expired=no\nopen_site\n" + story).record
    assert record is not None
    return record


def entry(words: str) -> WorkEntry:
    read = value(WorkEntry, words)
    assert isinstance(read, WorkEntry)
    return read


def test_nobody_holds_a_site_on_which_only_a_backup_is_made() -> None:
    work = told("begin_side_work entry=s1:backup_create:-:-:1200:h1:j1\n")
    assert (holder(work), is_ending(work), len(work.entries)) == (None, False, 1)


def test_the_same_request_finds_the_entry_that_it_joins() -> None:
    work = told(PREPARE)
    assert joined(work, entry("e2:deployment_prepare:w1:-:1201:h1:j2")) == holder(work)
    assert joined(work, entry("e2:deployment_prepare:w1:-:1201:h2:j2")) is None
    assert joined(work, entry("e2:deployment_start:w1:-:1201:h1:j2")) is None


def test_work_without_a_request_is_never_joined() -> None:
    work = told("begin_mutation entry=e1:config_apply:w1:-:1200:-:-\n")
    assert joined(work, entry("e2:config_apply:w1:-:1200:-:-")) is None


def test_a_worker_is_alive_for_the_operation_that_its_entry_names() -> None:
    work = told(PREPARE + "add_operation entry_id=e1 operation_id=op1\n")
    assert worker_active(work, "op1")
    assert not worker_active(work, "op2")
    assert not worker_active(told(PREPARE), "op1")


def test_an_entry_that_turned_is_the_new_one_alone() -> None:
    work = told(PREPARE + "begin_termination entry=t1:complete:w1:op1:1205:-:j1 turns=e1\n")
    assert [running.id for running in work.entries] == ["t1"]
    assert is_ending(work)
    assert worker_active(work, "op1"), "the operation stays somebody's to the end"


def test_a_refusal_names_the_kind_in_the_way_and_nothing_else() -> None:
    work = told(PREPARE)
    assert name_holder(Refusal(Code.WORK_IN_PROGRESS), work).more == {"operation": WorkKind.DEPLOYMENT_PREPARE}
    assert name_holder(Refusal(Code.WORK_IN_PROGRESS), told("")).more == {}


def begin(kind: WorkKind) -> str:
    """Name the trigger by which work of this kind begins."""
    return {
        WorkClass.MUTATION: "begin_mutation",
        WorkClass.TERMINAL: "begin_termination",
        WorkClass.SIDE: "begin_side_work",
    }[class_of(kind)]


@pytest.mark.parametrize("kind", WorkKind)
def test_every_mutation_excludes_every_other_and_every_end(kind: WorkKind) -> None:
    """The table of exclusion is what the machine does, kind by kind. `seed 000` 5.4."""
    for other in WorkKind:
        story = f"{begin(kind)} entry=e1:{kind}:-:-:1200:-:-\n{begin(other)} entry=e2:{other}:-:-:1200:-:-\n"
        (_, _, second) = replay(RUNNING_WORK, "given turns=- expired=no\nopen_site\n" + story).steps
        excluded = class_of(kind) in EXCLUDES[class_of(other)] or (kind is other and kind in SIDE_KINDS)
        assert isinstance(second.decision, Refused) == excluded, other


def test_the_nine_and_the_four_are_those_of_the_setup() -> None:
    """`seed 000` 5.4."""
    assert len(SETUP_MUTATIONS) == 9
    assert SETUP_TERMINATIONS - {WorkKind.CLEANUP_DISOWN} == {
        WorkKind.ABANDON,
        WorkKind.SUPERSEDE,
        WorkKind.CLEANUP_RETRY,
        WorkKind.COMPLETE,
    }
    assert {class_of(kind) for kind in SETUP_KINDS} == {WorkClass.MUTATION, WorkClass.TERMINAL}
