"""Rows 15 to 18c: a Setup is restarted, discarded or replaced, an upgrade cancelled, a failure gone on with.

Who may end an operation is told by its mode and its owner, never by the page that asks.
Source: `seed 000` 3, 5.2, 5.3, 5.6.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.row import (
    PREPARED,
    SETUP,
    SETUP_FAILED,
    UPGRADE_FAILED,
    Artifacts,
    Given,
    Operation,
    Recovery,
    Row,
    Then,
    Verdict,
    acts,
)
from ems_admin.machines.workflow_lifecycle import Owner, State

RESTARTS: Final = (
    Row(
        number="15",
        given=PREPARED,
        when="The person restarts the Setup",
        then=Then(
            operation=Operation.CANCELLED,
            artifacts=Artifacts.REMOVED,
            view="Guided Setup at its first step, with a new identity and a fresh confirmation",
            offers=acts("prepare_build", "abandon"),
            withholds=acts("deployment_prepare", "deployment_start"),
        ),
    ),
    Row(
        number="16",
        given=SETUP_FAILED,
        when="The person discards the Setup, by its exact identity",
        then=Then(
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.REMOVED,
            view="the two doors",
            offers=acts("start_setup"),
            withholds=acts("abandon", "resume"),
        ),
    ),
    Row(
        number="16a",
        given=UPGRADE_FAILED,
        when="The person cancels the upgrade",
        then=Then(
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.CONTEXT_CLEARED,
            view="the two doors",
            offers=acts("start_setup"),
            withholds=acts("cancel", "resume"),
        ),
    ),
    Row(
        number="16b",
        given=Given(
            words="An operation is there of a kind that this Admin does not know",
            owner=Owner.UNKNOWN,
            state=State.ACTIVE,
            operation=Operation.UNREADABLE,
        ),
        when="Somebody cancels it all the same",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.TRANSITION_CANCEL_UNSUPPORTED,),
            view="the recovery panel, without anything that would discard or cancel",
            offers=acts("recover_release"),
            withholds=acts("abandon", "cancel", "resume", "start_setup"),
        ),
    ),
    Row(
        number="16c",
        given=PREPARED,
        when="Somebody cancels the operation past the Setup that owns it",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_ABANDON_REQUIRED,),
            view="the way to discard the Setup",
            offers=acts("abandon"),
        ),
    ),
    Row(
        number="16d",
        given=PREPARED,
        when="The person chooses another build after all",
        then=Then(
            operation=Operation.CANCELLED,
            artifacts=Artifacts.REMOVED,
            view="Guided Setup at its first step, a new identity with the new build",
            offers=acts("prepare_build", "abandon"),
        ),
    ),
)

FAILURES: Final = (
    Row(
        number="17",
        given=PREPARED,
        when="The EMS is started, and does not become healthy",
        then=Then(
            operation=Operation.FAILED_RECOVERABLE,
            view="the recovery panel: what failed, and how to go on",
            offers=acts("resume", "abandon"),
        ),
    ),
    Row(
        number="18",
        given=SETUP_FAILED,
        when="The person goes on from the stage that is kept for it, and then discards the Setup",
        then=Then(
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.REMOVED,
            recovery=Recovery.NOT_NEEDED,
            view="the recovery panel, and then the two doors",
            offers=acts("start_setup"),
        ),
    ),
    Row(
        number="18a",
        given=SETUP_FAILED,
        when="Somebody asks to return to the build that runs",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_RETURN_UNSUPPORTED,),
            view="the recovery panel with going on and discarding, and no return",
            offers=acts("resume", "abandon", "recover_safe"),
            withholds=acts("return"),
        ),
    ),
    Row(
        number="18b",
        given=UPGRADE_FAILED,
        when="The person returns to the build that runs",
        then=Then(
            owner=Owner.ALIGN_EXISTING_INSTALL,
            state=State.OPERATION_RUNNING,
            operation=Operation.ADMIN_RECONNECT_PENDING,
            recovery=Recovery.NOT_NEEDED,
            view="the Admin changes over, for a new operation of its own",
            withholds=acts("return", "cancel"),
        ),
    ),
    Row(
        number="18c",
        given=Given(
            words="The operation of a Setup is importing its build",
            owner=SETUP,
            state=State.OPERATION_RUNNING,
            operation=Operation.ADMIN_ALIGNED,
        ),
        when="The person discards the Setup meanwhile",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.MUTATION_IN_PROGRESS,),
            view="wait for the import, then discard",
            withholds=acts("abandon"),
        ),
    ),
)

ENDINGS: Final = (*RESTARTS, *FAILURES)
