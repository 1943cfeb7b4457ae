"""Rows 1 to 5b: a person goes from one desk to another. Going is no act; only a previewed switch ends anything.

Source: `seed 000` 3, 7.3.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.row import (
    INSTALLED,
    PREPARED,
    SETUP,
    UPGRADING,
    Artifacts,
    Given,
    Operation,
    Row,
    Then,
    Verdict,
    acts,
)
from ems_admin.machines.workflow_lifecycle import Owner, State

NAVIGATION: Final = (
    Row(
        number="1",
        given=PREPARED,
        when="The person leaves for Maintenance, looks at the config there, and saves an edit",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SYSTEM_TRANSITION_IN_PROGRESS,),
            view="Maintenance shows everything; saving names the unfinished operation and the way to it",
            offers=acts("abandon", "deployment_start", "switch_to_guided_upgrade"),
        ),
    ),
    Row(
        number="2",
        given=Given(
            words="An EMS is installed that no Setup of this Admin knows; a person is in Maintenance",
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.NONE,
        ),
        when="The person opens Guided Setup and says yes to replacing what is there",
        then=Then(
            owner=SETUP,
            state=State.ACTIVE,
            view="Guided Setup at its first step",
            offers=acts("prepare_build", "abandon"),
        ),
    ),
    Row(
        number="3",
        given=PREPARED,
        when="The person turns to a Guided Upgrade: looks at a build, begins, and lets the Setup be discarded for it, "
        "whose files go only at the second try",
        then=Then(
            verdict=Verdict.OWNER_FIRST,
            codes=(
                Code.SETUP_ABANDON_REQUIRED,
                Code.SETUP_ABANDON_REQUIRED,
                Code.ABANDON_CLEANUP_INCOMPLETE,
                Code.SETUP_CLEANUP_REQUIRED,
                Code.SETUP_CLEANUP_REQUIRED,
            ),
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.REMOVED,
            view="Guided Upgrade, with a build to choose",
            offers=acts("start_setup"),
            withholds=acts("abandon", "resume"),
        ),
    ),
    Row(
        number="4",
        given=UPGRADING,
        when="The person leaves for Maintenance and looks at the config there",
        then=Then(
            view="Maintenance, with the upgrade named as unfinished", offers=acts("cancel", "switch_to_guided_setup")
        ),
    ),
    Row(
        number="5",
        given=INSTALLED,
        when="The person turns to Guided Upgrade and looks at a newer build",
        then=Then(view="Guided Upgrade, the build verified and nothing begun", offers=acts("start_setup")),
    ),
    Row(
        number="5a",
        given=UPGRADING,
        when="The person switches to Guided Setup, as the preview of the switch has told",
        then=Then(
            owner=SETUP,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.CONTEXT_CLEARED,
            view="Guided Setup at its first step, with a new identity and a fresh confirmation",
            offers=acts("prepare_build", "abandon"),
            withholds=acts("cancel"),
        ),
    ),
    Row(
        number="5b",
        given=PREPARED,
        when="The person looks around at every other desk and comes back through the first door",
        then=Then(view="the same Setup, at the step where it was", offers=acts("deployment_start", "abandon")),
    ),
)
