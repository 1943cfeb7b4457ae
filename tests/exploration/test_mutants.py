"""The explorer finds what it is there to find: six rules broken on purpose, five of them by their order."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any

import pytest

from ems_admin.machines.alignment.facts import BEGIN
from ems_admin.machines.kernel import Seam
from ems_admin.machines.lifecycle.recovery import Mode as RecoveryMode
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.facts import LINK_OPERATION, LinkFacts
from ems_admin.workflows import authority
from ems_admin.workflows.alignment.beginning import begin_facts
from ems_admin.workflows.arbiter import releasing
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold
from ems_admin.workflows.replacement import walking
from ems_admin.workflows.seams import Performers
from ems_admin.workflows.selection import Selection
from ems_admin.workflows.setup import ending, system_build
from ems_admin.workflows.work import Arbiter
from tests.exploration.explorer import Explorer
from tests.exploration.invariants import HOME, LED_HOME, Invariants
from tests.exploration.lifecycle import ACTS, Arbitration
from tests.exploration.meetings import MEETINGS, Meeting, opened_twice, own_intents, reviewed_config
from tests.exploration.replaced import REACHED, Replaced
from tests.exploration.replacement import SUCCESSORS, HostExplorer
from tests.exploration.ways import HOMEWARD
from tests.workflows.lifecycle.classes import Stored, stand


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    """What a mutant has led to proves nothing, and what was proven before says nothing of a mutant."""
    for memory in (HOME, LED_HOME, HOMEWARD, REACHED):
        memory.clear()
    yield
    for memory in (HOME, LED_HOME, HOMEWARD, REACHED):
        memory.clear()


def explore(meeting: Meeting) -> None:
    watcher = Invariants(configs=reviewed_config(), intents=meeting.intents())
    Explorer(meeting.begin, meeting.acts, watcher).explore()


def test_a_confirmation_that_is_spent_before_the_claim_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seed 000` 5.5: the claim comes before the intent on purpose."""

    async def claim_and_ask_nothing_again(hold: Hold) -> None:
        claimed = hold.house.work.begin(hold.row.claim or WorkKind.SETUP_RELEASE_PREPARE, workflow_id=hold.workflow_id)
        hold.entry, hold.joined = claimed.entry, claimed.joined

    monkeypatch.setattr(authority, "CHECKS", {**authority.CHECKS, Demand.CLAIM: claim_and_ask_nothing_again})
    demands = (Demand.WORKFLOW, Demand.OWNERSHIP, Demand.INTENT, Demand.CLAIM)
    prepare = AuthorityRow(demands=demands, claim=WorkKind.SETUP_RELEASE_PREPARE)
    confirm = AuthorityRow(demands=demands, claim=WorkKind.SYSTEM_BUILD_CONFIRM)
    fits = {prepare: system_build.admin_is_aligned, confirm: system_build.admin_is_aligned}
    monkeypatch.setattr(system_build, "FITS", {**system_build.FITS, **fits})
    mutant = Meeting(
        begin=opened_twice,
        acts=(
            lambda scene: scene.fetching(row=prepare),
            lambda scene: scene.fetching(row=confirm, intent_id=scene.spare_intent_id),
        ),
        outcomes=frozenset(),
        intents=own_intents,
    )
    with pytest.raises(AssertionError, match="a refused claim has spent the confirmation"):
        explore(mutant)


def test_an_operation_that_begins_before_it_is_named_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seed 000` 5.5: an operation that nobody owns must never come into being."""

    async def begin_and_then_link(hold: Hold, selection: Selection, mode: Mode) -> Transition:
        facts = begin_facts(hold, selection, mode)
        begun = await hold.house.records.transition.decide(BEGIN, facts, hold.caller)
        link = LinkFacts(
            now=facts.now,
            workflow_id=hold.setup.workflow_id,
            operation_id=facts.operation_id,
            mode=mode,
            system_tag=facts.system_tag,
            replaces=hold.setup.operation_id,
        )
        await hold.house.records.setup.decide(LINK_OPERATION, link, hold.caller)
        return begun

    monkeypatch.setattr(system_build, "own_or_new", begin_and_then_link)
    with pytest.raises(AssertionError, match="a living operation that its workflow does not name"):
        explore(MEETINGS["a build and an end"])


def test_an_end_that_waits_for_nobody_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seed 000` 5.4: a mutation owns the workflow until its irreversible work is done."""

    def take_it(
        self: Arbiter,
        kind: WorkKind,
        *,
        workflow_id: str | None = None,
        operation_id: str | None = None,
        expired: bool = False,
        turns: str | None = None,
    ) -> WorkEntry:
        return self._entry(kind, workflow_id, operation_id, None)

    monkeypatch.setattr(Arbiter, "begin_termination", take_it)
    with pytest.raises(AssertionError, match=r"a workflow that has ended|left open"):
        explore(MEETINGS["apply and an end"])


def in_another_order(first: str, second: str) -> Callable[[Seam, Performers], Coroutine[Any, Any, None]]:
    """Walk a seam with two of its steps in each other's place."""
    places = {first: second, second: first}

    async def walk(seam: Seam, performers: Performers) -> None:
        for step in seam.steps:
            await performers[places.get(step.name, step.name)]()

    return walk


def test_a_workflow_that_ends_before_its_operation_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seed 000` 5.3: the operation is cancelled first, under the workflow that can still name it."""
    monkeypatch.setattr(ending, "walk", in_another_order("cancel_operation", "end_workflow"))
    with pytest.raises(AssertionError, match="a living operation of a workflow that has ended"):
        explore(MEETINGS["write and an end"])


def test_a_record_that_goes_before_its_copy_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`seed 000` 7.4: back up, write the manifest, then unlink."""
    monkeypatch.setattr(releasing, "walk", in_another_order("write_manifest", "unlink"))
    name = f"recover, {RecoveryMode.RELEASE_STALE_STATE}"
    begin = partial(stand, Stored("unreadable", "absent"))
    with pytest.raises(AssertionError, match="went before the manifest"):
        Explorer(begin, (ACTS[name],), Arbitration(name=name, promised=True)).explore()


def test_an_old_admin_that_goes_before_the_new_one_is_verified_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """`replacement.md` 7.4: until U10 a failure brings the old Admin back."""
    steps = dict(walking.ACTS)
    steps["verify_successor"], steps["remove_predecessor"] = steps["remove_predecessor"], steps["verify_successor"]
    monkeypatch.setattr(walking, "ACTS", steps)
    with pytest.raises(AssertionError, match=r"no Admin runs|wait for one another|Admins run"):
        HostExplorer(SUCCESSORS["unhealthy"], (), Replaced(), bound=0).explore()
