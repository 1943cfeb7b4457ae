"""The explorer finds what it is there to find: three rules broken on purpose, and each caught."""

from __future__ import annotations

import pytest

from ems_admin.machines.alignment.facts import BEGIN
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.facts import LINK_OPERATION, LinkFacts
from ems_admin.workflows import authority
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold
from ems_admin.workflows.setup import system_build
from ems_admin.workflows.setup.creation import begin_facts
from ems_admin.workflows.setup.selection import Selection
from ems_admin.workflows.work import Arbiter
from tests.exploration.explorer import Explorer
from tests.exploration.invariants import Invariants
from tests.exploration.meetings import MEETINGS, Meeting, opened_twice, own_intents, reviewed_config


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
