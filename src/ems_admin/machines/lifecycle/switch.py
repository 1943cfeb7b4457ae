"""What one switch of the console would do, what it would reset, and what it never touches.

Whether it may be done at all is `workflow_lifecycle.BLOCKING`: a switch that is blocked promises nothing.
Source: `seed 000` 7.3, `http.md` 5.4 (*Switch preview*).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.workflow_lifecycle import Owner


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


@frozen
class Switch:
    """What is wanted, and who owns the console."""

    target: Target
    owner: Owner


# The last row is the switch to what is so already. Owners from whom nobody switches away end up there as well, and
# are blocked: a refusal never reads as a completed switch.
SWITCH: Final = Table[Switch, SwitchAction](
    name="switch_action",
    asks=Switch,
    rows=(
        row(SwitchAction.RESUME_GUIDED_SETUP, target=Target.GUIDED_SETUP, owner=Owner.GUIDED_SETUP),
        row(SwitchAction.START_GUIDED_SETUP, target=Target.GUIDED_SETUP, owner=Owner.NONE),
        row(SwitchAction.DISCARD_GUIDED_SETUP, owner=Owner.GUIDED_SETUP),
        row(SwitchAction.CANCEL_GUIDED_UPGRADE, target={Target.GUIDED_SETUP, Target.NONE}, owner=Owner.GUIDED_UPGRADE),
        row(SwitchAction.NONE),
    ),
)

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
    """Say whether the action resets anything, and so needs the person's confirmation."""
    return bool(WILL_RESET[action])
