"""What counts as said: the program's own words, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import evolve

from ems_admin.builds.refused import mismatch
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.house import Warnings
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.records import NotCommitted, RefusalError
from tests.codes_heard import HEARD, forget_what_was_handed_in, missing
from tests.codes_later import LATER
from tests.stores.records import TRANSITION


@pytest.fixture
def heard() -> Iterator[set[str]]:
    """Nothing, at first; what the run has heard so far comes back in the end."""
    before = set(HEARD)
    HEARD.clear()
    yield HEARD
    HEARD.clear()  # what these tests make up themselves is not to count
    HEARD.update(before)


def as_the_program(*lines: str) -> None:
    """Run a module of the program, made up here."""
    known = ("from ems_admin.machines.codes import Code", "from ems_admin.machines.kernel import Refusal")
    exec("\n".join((*known, *lines)), {"__name__": "ems_admin.workflows.some_part"})


def test_what_the_program_says_is_heard(heard: set[str]) -> None:
    mismatch("manifest.json")
    assert heard == {Code.SYSTEM_BUILD_MISMATCH}


def test_what_a_test_says_is_not(heard: set[str]) -> None:
    Refusal(Code.CONFLICT)
    NotCommitted(code=Code.CONFLICT)
    Warnings(shown={}).show(Code.DISK_NEARLY_FULL)
    assert heard == set()


def test_what_is_only_handed_on_is_not_heard(heard: set[str]) -> None:
    with pytest.raises(RefusalError):
        require(NotCommitted(code=Code.STATE_WRITE_FAILED))
    assert heard == set()
    forget_what_was_handed_in()
    as_the_program("def say(): Refusal(Code.STATE_WRITE_FAILED)", "say()")
    assert heard == {Code.STATE_WRITE_FAILED}


def test_what_a_test_has_put_into_a_record_is_handed_on_too(heard: set[str]) -> None:
    evolve(TRANSITION, error_code=str(Code.HEALTHCHECK_FAILED))
    as_the_program("def say(): Refusal(Code.HEALTHCHECK_FAILED)", "say()")
    assert heard == set()


def test_what_stands_in_a_declaration_is_not_said(heard: set[str]) -> None:
    as_the_program("READY = Refusal(Code.STATE_WRITE_FAILED)")
    assert heard == set()


def test_a_code_that_nobody_says_is_missed(heard: set[str]) -> None:
    heard.update(Code)
    heard.remove(Code.CONFLICT)
    assert [fault for fault in missing() if f"say {Code.CONFLICT}:" in fault]


def test_a_code_that_is_to_come_later_and_is_said_is_a_fault(heard: set[str]) -> None:
    later = {code for codes in LATER.values() for code in codes}
    heard.update(set(Code) - later)
    assert list(missing()) == []
    early = next(iter(later))
    heard.add(early)
    assert [fault.split()[0] for fault in missing()] == [early]


def test_no_code_waits_for_two_parts() -> None:
    waiting = [code for codes in LATER.values() for code in codes]
    assert len(waiting) == len(set(waiting))
