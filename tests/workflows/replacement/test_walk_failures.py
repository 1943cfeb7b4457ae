"""What fails before the verification brings the old Admin back with its own code; what fails after it is tried again.

Source: `replacement.md` 7.4 (Rollback); `faults.md` F25, F26, F30, F33, F34, F36.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.replacement import Silence
from tests.memory.host import Container, Doing, Kind, Trouble
from tests.memory.world import Call, Mark
from tests.stores.records import OPERATION
from tests.workflows.replacement.handover import End, Handover
from tests.workflows.replacement.test_walk import REPLACED
from tests.workflows.replacement.test_walk_cut import ROLLED_BACK

BEFORE = ("snapshot", "fence", "stop old admin", "set aside", "create new admin", "start new admin", "verify new admin")
AFTER = ("pin new admin", "unfence new admin", "keep new admin running", "remove old admin", "retire")
BACK = (
    *("remove new admin", "name old admin", "start old admin", "unfence old admin"),
    *("pin old admin", "which image runs"),
)
RECORDS = ("state/replacement-run.json", "state/pending-transition.json")


def rolled_back(code: Code) -> End:
    return evolve(ROLLED_BACK, walk_code=code, operation_code=code)


def in_trouble(act: str, *troubles: Trouble) -> Handover:
    handover = Handover()
    handover.host.troubles[act] = list(troubles)
    return handover


@pytest.mark.parametrize("lands", [False, True])
@pytest.mark.parametrize("act", BEFORE)
def test_a_failure_before_the_verification_ends_with_the_old_admin_and_its_code(act: str, *, lands: bool) -> None:
    failure = EngineFailure(code=Code.REPLACEMENT_CONFIG_DRIFT, message="one\ntwo", exit_code=7)
    handover = in_trouble(act, Trouble(answer=failure, lands=lands))
    assert handover.finish() == rolled_back(Code.REPLACEMENT_CONFIG_DRIFT)
    run = handover.run
    assert run is not None
    assert (run.exit_code, run.log) == (7, ("one", "two"))
    assert handover.transition.error_message == "two"


def test_a_snapshot_that_cannot_be_taken_touches_no_admin() -> None:
    """`faults.md` F33: `rollback_not_possible`, nothing stopped."""
    handover = in_trouble("snapshot", Trouble(answer=EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)))
    assert handover.finish() == rolled_back(Code.ROLLBACK_NOT_POSSIBLE)
    assert set(handover.durable) == {*RECORDS, "retire"}


def test_a_new_admin_that_ends_at_once_is_told_with_its_exit_code_and_last_words() -> None:
    """`faults.md` F34"""
    handover = Handover()
    handover.host.successor_lives = False
    assert handover.finish() == rolled_back(Code.REPLACEMENT_START_FAILED)
    run = handover.run
    assert run is not None
    assert (run.exit_code, run.log) == (3, ("it ended at once",))


def test_a_new_admin_that_is_not_whole_is_taken_back() -> None:
    """`faults.md` F26"""
    handover = Handover()
    handover.host.successor_is_whole = False
    assert handover.finish() == rolled_back(Code.HEALTHCHECK_FAILED)


def test_a_stranger_with_the_name_for_the_set_aside_stays_untouched() -> None:
    """`faults.md` F32"""
    handover = Handover()
    stranger = Container(
        id="s", name=f"ems-admin-before-{OPERATION}", kind=Kind.STRANGER, image="s", doing=Doing.RUNNING
    )
    handover.host.containers["s"] = evolve(stranger)
    assert handover.finish() == rolled_back(Code.CONTAINER_NAME_CONFLICT)
    assert handover.host.containers["s"] == stranger


@pytest.mark.parametrize("act", AFTER[:-1])
def test_a_failure_after_the_verification_is_tried_again_and_never_leads_back(act: str) -> None:
    """From U10 there is only forward (`replacement.md` 7.4)."""
    failure = Trouble(answer=EngineFailure(code=Code.STATE_WRITE_FAILED))
    assert in_trouble(act, failure, failure, failure).finish() == REPLACED


@pytest.mark.parametrize("act", BACK)
def test_a_failure_on_the_way_back_is_tried_again_until_the_old_admin_runs(act: str) -> None:
    failure = Trouble(answer=EngineFailure(code=Code.STATE_WRITE_FAILED))
    handover = in_trouble(act, failure, failure, failure)
    handover.host.successor_is_whole = False
    assert handover.finish() == rolled_back(Code.HEALTHCHECK_FAILED)


@pytest.mark.parametrize("lands", [False, True])
@pytest.mark.parametrize("act", [*BEFORE, *AFTER])
def test_an_engine_that_is_silent_is_waited_for_and_never_counted_as_a_failure(act: str, *, lands: bool) -> None:
    """`replacement.md` 7.4"""
    silence = Trouble(answer=Silence(), lands=lands)
    handover = in_trouble(act, *[silence] * 5)
    assert handover.finish() == REPLACED
    assert handover.passed.count(Call("sleep")) == 5
    run = handover.run
    assert run is not None
    assert run.entries == 1


@pytest.mark.parametrize("lands", [False, True])
@pytest.mark.parametrize("act", BACK)
def test_a_silent_engine_is_waited_for_on_the_way_back_too(act: str, *, lands: bool) -> None:
    handover = in_trouble(act, *[Trouble(answer=Silence(), lands=lands)] * 5)
    handover.host.successor_is_whole = False
    assert handover.finish() == rolled_back(Code.HEALTHCHECK_FAILED)


def test_an_engine_that_goes_away_for_minutes_at_any_place_is_waited_for() -> None:
    places = Handover()
    places.finish()
    for place in range(len(places.passed)):
        handover = Handover().go(place)
        handover.host.silent = True
        handover.go(60)
        handover.host.silent = False
        assert handover.finish() == REPLACED, f"silent after {place} places"


def test_an_engine_that_is_silent_across_a_crash_still_counts_the_entry() -> None:
    handover = Handover()
    marks: list[Mark] = []
    while Call("stop old admin") not in marks:
        marks = handover.go(1).passed
    handover.host.silent = True
    handover.go(20).processes.crash(next(iter(handover.processes.live)))
    handover.go(20)
    handover.host.silent = False
    assert handover.finish() == REPLACED
    run = handover.run
    assert run is not None
    assert run.entries == 2
    assert handover.transition.stage is Stage.ADMIN_RECONNECT_PENDING
