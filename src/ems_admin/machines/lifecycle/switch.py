"""What one switch of the console would do, what stands against it, what it would reset, and what it never touches.

A switch that is blocked promises nothing. Source: `seed 000` 7.3, `http.md` 5.4 (*Switch preview*), `site.md` 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Table, row
from ems_admin.machines.lifecycle.claims import SetupClaim
from ems_admin.machines.lifecycle.recovery import NAMED
from ems_admin.machines.setup.facts import Ownership
from ems_admin.machines.workflow_lifecycle import Blocking, Owner


class Target(StrEnum):
    """What a person wants to do instead."""

    GUIDED_SETUP = "guided_setup"
    GUIDED_UPGRADE = "guided_upgrade"
    NONE = "none"


class SwitchAction(StrEnum):
    """What the switch has done by whoever owns it."""

    DISCARD_GUIDED_SETUP = "discard_guided_setup"
    CANCEL_GUIDED_UPGRADE = "cancel_guided_upgrade"
    RESUME_GUIDED_SETUP = "resume_guided_setup"
    START_GUIDED_SETUP = "start_guided_setup"
    NONE = "none"


class Scope(StrEnum):
    """What a switch may reset, and what every switch preserves."""

    SETUP_DRAFT = "setup_draft"
    GENERATED_CONFIG = "generated_config"
    DEPLOYMENT_PLAN = "deployment_plan"
    SETUP_PROGRESS = "setup_progress"
    OPERATION = "operation"
    UPGRADE_CONTEXT = "upgrade_context"
    LIVE_CONFIGURATION = "live_configuration"
    RUNTIME_DATA = "runtime_data"
    DEPLOYMENT_MARKER = "deployment_marker"
    CONTAINERS = "containers"
    VOLUMES = "volumes"
    BACKUPS = "backups"


class Install(StrEnum):
    """Whether anything of an EMS is there that a new Setup would be about."""

    NONE = "none"
    SOME = "some"


class Confirmation(StrEnum):
    """Whether the person has to say yes."""

    REQUIRED = "required"
    NOT_REQUIRED = "not_required"


@frozen
class Switch:
    """What is wanted, who owns the console, and whether a Setup is active in it."""

    target: Target
    owner: Owner
    setup: SetupClaim


@frozen
class Wanted:
    """What a switch would do, and what stands against switching here at all."""

    action: SwitchAction
    blocking: Blocking
    ownership: Ownership


@frozen
class Weighed:
    """What a switch would do, and what is installed."""

    action: SwitchAction
    install: Install


# The last row is the switch to what is so already. Owners from whom nobody switches away end up there as well, and
# are blocked: a refusal never reads as a completed switch.
SWITCH: Final = Table[Switch, SwitchAction](
    name="switch_action",
    asks=Switch,
    rows=(
        row(
            SwitchAction.RESUME_GUIDED_SETUP,
            target=Target.GUIDED_SETUP,
            owner=Owner.GUIDED_SETUP,
            setup=SetupClaim.ACTIVE,
        ),
        row(SwitchAction.START_GUIDED_SETUP, target=Target.GUIDED_SETUP, owner=Owner.NONE),
        row(SwitchAction.DISCARD_GUIDED_SETUP, owner=Owner.GUIDED_SETUP),
        row(SwitchAction.CANCEL_GUIDED_UPGRADE, target={Target.GUIDED_SETUP, Target.NONE}, owner=Owner.GUIDED_UPGRADE),
        row(SwitchAction.NONE),
    ),
)

# A Setup goes on beside its own running work: nothing is ended, and nobody is asked to wait.
OBSTACLE: Final = Table[Wanted, Blocking](
    name="switch_refused_by",
    asks=Wanted,
    rows=(
        row(
            Blocking.NOTHING,
            action=SwitchAction.RESUME_GUIDED_SETUP,
            blocking={Blocking.SETUP_OPERATION_IN_PROGRESS, Blocking.WORKFLOW_OPERATION_IN_PROGRESS},
            ownership=NAMED,
        ),
        *(row(blocking, blocking=blocking) for blocking in Blocking),
    ),
)

CONFIRMATION: Final = Table[Weighed, Confirmation](
    name="switch_asks_for_confirmation",
    asks=Weighed,
    rows=(
        row(
            Confirmation.REQUIRED,
            action={SwitchAction.DISCARD_GUIDED_SETUP, SwitchAction.CANCEL_GUIDED_UPGRADE},
        ),
        row(Confirmation.REQUIRED, action=SwitchAction.START_GUIDED_SETUP, install=Install.SOME),
        row(Confirmation.NOT_REQUIRED),
    ),
)

UNNAMED_BECAUSE: Final[Mapping[Ownership, Code]] = {
    Ownership.UNPROVEN: Code.SETUP_TRANSITION_OWNER_UNPROVEN,
    Ownership.MISMATCH: Code.SETUP_TRANSITION_CONTEXT_MISMATCH,
    Ownership.UNREADABLE: Code.TRANSITION_STATUS_UNAVAILABLE,
}
"""The detail of `workflow_switch_blocked`: why the Setup cannot name what it would have to cancel."""

WILL_RESET: Final[Mapping[SwitchAction, tuple[Scope, ...]]] = {
    SwitchAction.DISCARD_GUIDED_SETUP: (
        Scope.SETUP_DRAFT,
        Scope.GENERATED_CONFIG,
        Scope.DEPLOYMENT_PLAN,
        Scope.SETUP_PROGRESS,
        Scope.OPERATION,
    ),
    SwitchAction.CANCEL_GUIDED_UPGRADE: (Scope.OPERATION, Scope.UPGRADE_CONTEXT),
    SwitchAction.RESUME_GUIDED_SETUP: (),
    SwitchAction.START_GUIDED_SETUP: (),
    SwitchAction.NONE: (),
}

WILL_PRESERVE: Final = (
    Scope.LIVE_CONFIGURATION,
    Scope.RUNTIME_DATA,
    Scope.DEPLOYMENT_MARKER,
    Scope.CONTAINERS,
    Scope.VOLUMES,
    Scope.BACKUPS,
)


def ends_something(action: SwitchAction) -> bool:
    """Say whether the action resets anything, and so has to hold the site alone."""
    return bool(WILL_RESET[action])


def met_by_a_switch(code: Code) -> Code:
    """Name running work that is in the way as a switch does: that of a Setup by itself, any other as one."""
    return code if code is Code.SETUP_OPERATION_IN_PROGRESS else Code.WORKFLOW_OPERATION_IN_PROGRESS
