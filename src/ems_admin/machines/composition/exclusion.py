"""Rows 22 to 26c: a start, a success, and what an end and a running work do to one another.

Source: `seed 000` 3, 5.3, 5.4.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.row import (
    PREPARED,
    SETUP,
    UPGRADE,
    Artifacts,
    Given,
    KnownGood,
    Operation,
    Recovery,
    Row,
    Then,
    Verdict,
    acts,
)
from ems_admin.machines.workflow_lifecycle import Owner, State


def at_work(words: str) -> Given:
    """Stand in a Setup while something of it runs."""
    return Given(words=words, owner=SETUP, state=State.OPERATION_RUNNING, operation=Operation.RESOURCES_VERIFIED)


STARTS: Final = (
    Row(
        number="22",
        given=Given(
            words="A Setup has a draft previewed",
            owner=SETUP,
            state=State.ACTIVE,
            operation=Operation.RESOURCES_VERIFIED,
        ),
        when="The Admin is killed and starts again",
        then=Then(
            view="the same reading of the same records; only what lived in the process is gone",
            offers=acts("apply_config", "write_config", "abandon"),
        ),
    ),
    Row(
        number="22a",
        given=Given(
            words="A Guided Upgrade waits for the health check of its EMS",
            owner=UPGRADE,
            state=State.OPERATION_RUNNING,
            operation=Operation.HEALTHCHECK_PENDING,
        ),
        when="The EMS proves healthy",
        then=Then(
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.COMPLETED,
            artifacts=Artifacts.CONTEXT_CLEARED,
            known_good=KnownGood.WRITTEN,
            recovery=Recovery.NOT_NEEDED,
            view="done",
            offers=acts("start_setup"),
            withholds=acts("cancel", "resume"),
        ),
    ),
)

CLEANUPS: Final = (
    Row(
        number="23",
        given=PREPARED,
        when="The person discards the Setup, and one of its files will not go",
        then=Then(
            verdict=Verdict.PARTIAL,
            codes=(Code.ABANDON_CLEANUP_INCOMPLETE,),
            state=State.CLEANUP_PENDING,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.SOME_LEFT,
            view="what is left, and the same Setup's cleanup to be tried again; nothing else begins before",
            offers=acts("abandon", "recover_safe"),
            withholds=acts("start_setup"),
        ),
    ),
    Row(
        number="23a",
        given=PREPARED,
        when="The person discards the Setup, and one file that it had claimed is not provably its own",
        then=Then(
            verdict=Verdict.PARTIAL,
            codes=(Code.SETUP_ARTIFACT_REVIEW_REQUIRED,),
            state=State.REVIEW_REQUIRED,
            operation=Operation.CANCELLED,
            artifacts=Artifacts.SOME_LEFT,
            view="what is kept and why; looking again changes nothing of it",
            offers=acts("abandon"),
            withholds=acts("start_setup"),
        ),
    ),
    Row(
        number="23b",
        given=Given(
            words="A Setup has claimed nothing yet, and the files of an installed system lie where it would write",
            owner=SETUP,
            state=State.ACTIVE,
            operation=Operation.RESOURCES_VERIFIED,
        ),
        when="The person discards the Setup",
        then=Then(
            owner=Owner.NONE,
            state=State.IDLE,
            operation=Operation.CANCELLED,
            view="the two doors; nothing is said of files that were never the Setup's",
            offers=acts("start_setup"),
            withholds=acts("abandon"),
        ),
    ),
)

CLAIMS: Final = (
    Row(
        number="26",
        given=at_work("A Setup applies its config right now"),
        when="Somebody discards the Setup, and somebody else chooses another build",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_OPERATION_IN_PROGRESS, Code.SETUP_OPERATION_IN_PROGRESS),
            view="what runs, by its name; nothing claims to have been discarded",
            withholds=acts("abandon"),
        ),
    ),
    Row(
        number="26a",
        given=Given(
            words="A Setup is being discarded right now",
            owner=SETUP,
            state=State.ACTIVE,
            operation=Operation.RESOURCES_VERIFIED,
        ),
        when="Its draft is applied and written",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_WORKFLOW_NOT_ACTIVE, Code.SETUP_WORKFLOW_NOT_ACTIVE),
            view="this Setup is over",
            withholds=acts("apply_config", "write_config"),
        ),
    ),
    Row(
        number="26b",
        given=at_work("A worker prepares the EMS of a Setup"),
        when="Somebody discards the Setup, and somebody else chooses another build",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_OPERATION_IN_PROGRESS, Code.SETUP_OPERATION_IN_PROGRESS),
            view="wait until it has ended, then discard",
            withholds=acts("abandon"),
        ),
    ),
    Row(
        number="26c",
        given=at_work("A worker prepares the EMS of a Setup, and another Setup has taken its place"),
        when="The worker comes to its next durable step",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_WORKFLOW_NOT_ACTIVE,),
            state=State.ACTIVE,
            view="the job has failed; config, stack, marker and services are as they were",
            offers=acts("abandon"),
        ),
    ),
)
