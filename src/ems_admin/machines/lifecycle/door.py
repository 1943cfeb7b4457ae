"""What a person finds behind the door to Guided Setup.

A door ends nothing: it resumes the Setup that is there, begins one where nobody has the console, and otherwise says
what has to come first. Asked by the start path, and by the button that stands for it.
Source: `http.md` 5.3 (start-path); `seed 000` 7.5; `faults.md` F03.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim
from ems_admin.machines.lifecycle.switch import SwitchAction
from ems_admin.machines.workflow_lifecycle import Owner


class Agreed(StrEnum):
    """Whether the person agrees to go over what is installed; where nothing is, there is nothing to agree to."""

    YES = "yes"
    NO = "no"


class Door(StrEnum):
    """Where the door leads."""

    UNREADABLE = "unreadable"
    """What cannot be read might claim anything: it is nobody to switch from."""
    RESUME = "resume"
    ASK = "ask"
    """An install is there."""
    CLEAN_UP = "clean_up"
    """A Setup that has ended still owns files."""
    SWITCH = "switch"
    """Somebody else has the console: the previewed switch comes first."""
    BEGIN = "begin"


@frozen
class Doorstep:
    """Who owns the console, what a switch to Guided Setup would do, and what the person has said."""

    owner: Owner
    action: SwitchAction
    setup: SetupClaim
    agreed: Agreed


DOOR: Final = Table[Doorstep, Door](
    name="setup_door",
    asks=Doorstep,
    rows=(
        row(Door.UNREADABLE, owner=Owner.UNKNOWN),
        row(Door.RESUME, action=SwitchAction.RESUME_GUIDED_SETUP),
        row(Door.ASK, agreed=Agreed.NO),
        row(Door.CLEAN_UP, setup={SetupClaim.CLEANUP_PENDING, SetupClaim.REVIEW_REQUIRED}),
        row(Door.BEGIN, action=SwitchAction.START_GUIDED_SETUP),
        row(Door.SWITCH),
    ),
)
