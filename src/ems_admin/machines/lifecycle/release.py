"""What a release sets aside, and why: records that nothing else can end.

A healthy operation is never stale, and what the normal ends can resolve (`recovery.py`) is kept. Which files may be
named at all is written here, and nowhere a request could reach. Source: `seed 000` 7.4, 7.4.1, 7.6; `site.md` 4.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.alignment.facts import Updater
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim
from ems_admin.machines.lifecycle.recovery import OUTSIDE_SETUP, Cancel, Context, InProgress, Mode
from ems_admin.machines.records.words import REASON_LIMIT
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import UNNAMED


class Release(StrEnum):
    """Why a record is released, or that it is kept."""

    KEPT = "kept"
    UNREADABLE_STATE = Code.UNREADABLE_STATE
    UNSUPPORTED_TRANSITION_MODE = Code.UNSUPPORTED_TRANSITION_MODE
    WORKFLOW_OWNER_CONFLICT = Code.WORKFLOW_OWNER_CONFLICT
    SETUP_TRANSITION_CONTEXT_MISMATCH = Code.SETUP_TRANSITION_CONTEXT_MISMATCH
    SETUP_TRANSITION_OWNER_UNPROVEN = Code.SETUP_TRANSITION_OWNER_UNPROVEN
    UNUSABLE_UPGRADE_CONTEXT = Code.UNUSABLE_UPGRADE_CONTEXT


class Form(StrEnum):
    """What a record is to its reader."""

    ABSENT = "absent"
    READABLE = "readable"
    UNREADABLE = "unreadable"


class Permit(StrEnum):
    """Whether a release may go on, for all that is known of a replacement of the Admin."""

    GIVEN = "given"
    REPLACEMENT_ACTIVE = Code.REPLACEMENT_ACTIVE
    INSTALL_STATE_UNAVAILABLE = Code.INSTALL_STATE_UNAVAILABLE


@frozen
class OneClaim:
    """B1 alone."""

    transition: TransitionClaim


@frozen
class OneContext:
    """B6 alone."""

    context: Context


@frozen
class Beside:
    """A record of the replacement, beside what becomes of the operation that it belongs to."""

    form: Form
    transition: Release


@frozen
class OneForm:
    """A record that nothing but its own state speaks for."""

    form: Form


@frozen
class OneUpdater:
    """What is seen of updaters: of the one that could matter, or of any."""

    updater: Updater


# Where a setup cannot name the operation it is the setup's record that goes, also that of one which is over: after
# that the operation belongs to nobody, and can be ended.
RELEASE_SETUP: Final = Table[InProgress, Release](
    name="releases_setup",
    asks=InProgress,
    rows=(
        row(Release.UNREADABLE_STATE, setup=SetupClaim.UNREADABLE),
        row(
            Release.SETUP_TRANSITION_CONTEXT_MISMATCH,
            transition=TransitionClaim.SETUP,
            ownership=Ownership.MISMATCH,
        ),
        row(Release.SETUP_TRANSITION_OWNER_UNPROVEN, transition=TransitionClaim.SETUP, ownership=UNNAMED),
        row(Release.KEPT, setup=SetupClaim.NONE),
        row(Release.WORKFLOW_OWNER_CONFLICT, transition=OUTSIDE_SETUP, cancel=Cancel.REFUSED),
        row(Release.KEPT),
    ),
)

RELEASE_TRANSITION: Final = Table[OneClaim, Release](
    name="releases_transition",
    asks=OneClaim,
    rows=(
        row(Release.UNREADABLE_STATE, transition=TransitionClaim.UNREADABLE),
        row(Release.UNSUPPORTED_TRANSITION_MODE, transition=TransitionClaim.UNSUPPORTED),
        row(Release.KEPT),
    ),
)

RELEASE_CONTEXT: Final = Table[OneContext, Release](
    name="releases_upgrade_context",
    asks=OneContext,
    rows=(
        row(Release.UNREADABLE_STATE, context=Context.UNREADABLE),
        row(Release.UNUSABLE_UPGRADE_CONTEXT, context=Context.UNUSABLE),
        row(Release.KEPT),
    ),
)

# The promise of a replacement and the walk of its updater mean nothing without the operation that they are about.
RELEASE_REPLACEMENT: Final = Table[Beside, Release](
    name="releases_replacement",
    asks=Beside,
    rows=(
        row(Release.UNREADABLE_STATE, form=Form.UNREADABLE),
        row(Release.KEPT, form=Form.ABSENT),
        row(Release.UNREADABLE_STATE, transition=Release.UNREADABLE_STATE),
        row(Release.UNSUPPORTED_TRANSITION_MODE, transition=Release.UNSUPPORTED_TRANSITION_MODE),
        row(Release.KEPT),
    ),
)

RELEASE_OTHER: Final = Table[OneForm, Release](
    name="releases_other",
    asks=OneForm,
    rows=(
        row(Release.UNREADABLE_STATE, form=Form.UNREADABLE),
        row(Release.KEPT),
    ),
)

# An updater that was never started counts: it may be started at any moment. Silence is no proof of anything.
PERMIT: Final = Table[OneUpdater, Permit](
    name="release_permit",
    asks=OneUpdater,
    rows=(
        row(Permit.REPLACEMENT_ACTIVE, updater={Updater.RUNNING, Updater.CREATED}),
        row(Permit.INSTALL_STATE_UNAVAILABLE, updater=Updater.UNKNOWN),
        row(Permit.GIVEN),
    ),
)


def reason_refusal(mode: Mode, reason: str) -> Refusal | None:
    """Say what is wrong with the person's reason: a release has to have one, and no reason is a story."""
    if len(reason) > REASON_LIMIT:
        return Refusal(Code.UNSUPPORTED_VALUE, detail="/reason")
    return Refusal(Code.RECOVERY_REASON_REQUIRED) if mode is Mode.RELEASE_STALE_STATE and not reason else None
