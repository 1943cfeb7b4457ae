"""The kinds of work that a site does, their classes, and which class excludes which: data, and no decision.

Source: `site.md` 2 (*Running work*), `seed 000` 5.4.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class WorkClass(StrEnum):
    """What a piece of work does to the site."""

    MUTATION = "mutation"
    """It can still commit something irreversible."""
    TERMINAL = "terminal"
    """It ends a workflow or an operation."""
    SIDE = "side"
    """It stands in nobody's way but its own."""


class WorkKind(StrEnum):
    """What runs."""

    SYSTEM_BUILD_UPDATE_ADMIN = "system_build_update_admin"
    SYSTEM_BUILD_CONFIRM = "system_build_confirm"
    SETUP_RELEASE_PREPARE = "setup_release_prepare"
    CONFIG_WRITE = "config_write"
    CONFIG_APPLY = "config_apply"
    DEPLOYMENT_PREPARE = "deployment_prepare"
    DEPLOYMENT_START = "deployment_start"
    PERMISSION_REPAIR = "permission_repair"
    CONTAINER_CONFLICT_RESOLUTION = "container_conflict_resolution"

    TRANSITION_RESUME = "transition_resume"
    """Also verify-resources."""
    GUIDED_UPGRADE = "guided_upgrade"
    ADMIN_UPDATE = "admin_update"
    BUILD_RETURN = "build_return"
    MAINTENANCE_CONFIG = "maintenance_config"
    """Also the MQTT migration and the taking over of a legacy config."""
    BACKUP_RESTORE = "backup_restore"
    CONTAINER_ACTION = "container_action"

    ABANDON = "abandon"
    SUPERSEDE = "supersede"
    CLEANUP_RETRY = "cleanup_retry"
    COMPLETE = "complete"
    CLEANUP_DISOWN = "cleanup_disown"

    TRANSITION_CANCEL = "transition_cancel"
    LIFECYCLE_SWITCH = "lifecycle_switch"
    LIFECYCLE_RECOVERY = "lifecycle_recovery"

    BACKUP_CREATE = "backup_create"
    DIAGNOSTICS = "diagnostics"
    DISCOVERY = "discovery"


SETUP_MUTATIONS: Final = frozenset(
    {
        WorkKind.SYSTEM_BUILD_UPDATE_ADMIN,
        WorkKind.SYSTEM_BUILD_CONFIRM,
        WorkKind.SETUP_RELEASE_PREPARE,
        WorkKind.CONFIG_WRITE,
        WorkKind.CONFIG_APPLY,
        WorkKind.DEPLOYMENT_PREPARE,
        WorkKind.DEPLOYMENT_START,
        WorkKind.PERMISSION_REPAIR,
        WorkKind.CONTAINER_CONFLICT_RESOLUTION,
    }
)
SETUP_TERMINATIONS: Final = frozenset(
    {WorkKind.ABANDON, WorkKind.SUPERSEDE, WorkKind.CLEANUP_RETRY, WorkKind.COMPLETE, WorkKind.CLEANUP_DISOWN}
)
SETUP_KINDS: Final = SETUP_MUTATIONS | SETUP_TERMINATIONS
"""Work of a Guided Setup: whoever meets it is told so."""

TERMINAL_KINDS: Final = SETUP_TERMINATIONS | {
    WorkKind.TRANSITION_CANCEL,
    WorkKind.LIFECYCLE_SWITCH,
    WorkKind.LIFECYCLE_RECOVERY,
}
SIDE_KINDS: Final = frozenset({WorkKind.BACKUP_CREATE, WorkKind.DIAGNOSTICS, WorkKind.DISCOVERY})


def class_of(kind: WorkKind) -> WorkClass:
    """Give the class of a kind. What is neither terminal nor aside can commit something: the careful default."""
    if kind in TERMINAL_KINDS:
        return WorkClass.TERMINAL
    return WorkClass.SIDE if kind in SIDE_KINDS else WorkClass.MUTATION


EXCLUDES: Final[Mapping[WorkClass, frozenset[WorkClass]]] = {
    WorkClass.MUTATION: frozenset({WorkClass.MUTATION, WorkClass.TERMINAL}),
    WorkClass.TERMINAL: frozenset({WorkClass.MUTATION, WorkClass.TERMINAL}),
    WorkClass.SIDE: frozenset(),
}
"""Which classes may not run beside which. Work aside excludes its own kind alone."""
