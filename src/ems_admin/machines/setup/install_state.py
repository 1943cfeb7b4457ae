"""What of an EMS is there already: a reading of the install root, stored nowhere.

Source: `http.md` 5.4 (install-state), `site.md` 1.17.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row


class Presence(StrEnum):
    """Whether a file is there."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class InstallState(StrEnum):
    """The kind of installation."""

    NONE = "none"
    LEGACY_ROOT_CONFIG = "legacy_root_config"
    STANDARD_CONFIG_ONLY = "standard_config_only"
    COMPOSE_ONLY = "compose_only"
    STANDARD_INSTALL = "standard_install"
    ADMIN_PREPARED_INSTALL = "admin_prepared_install"
    PARTIAL_INSTALL = "partial_install"


@frozen
class InstallFiles:
    """The files that tell."""

    root_config: Presence
    standard_config: Presence
    stack_file: Presence
    marker: Presence
    """A B3 that its decoder accepts."""


YES, NO = Presence.YES, Presence.NO

# What cannot be read is no proof of absence: it ends in the last row, which asks before anything is replaced.
INSTALL_STATE: Final = Table[InstallFiles, InstallState](
    name="install_state",
    asks=InstallFiles,
    rows=(
        row(InstallState.NONE, root_config=NO, standard_config=NO, stack_file=NO, marker=NO),
        row(InstallState.LEGACY_ROOT_CONFIG, root_config=YES, standard_config=NO, marker=NO),
        row(InstallState.ADMIN_PREPARED_INSTALL, standard_config=YES, stack_file=YES, marker=YES),
        row(InstallState.STANDARD_INSTALL, standard_config=YES, stack_file=YES, marker=NO),
        row(InstallState.STANDARD_CONFIG_ONLY, standard_config=YES, stack_file=NO, marker=NO),
        row(InstallState.COMPOSE_ONLY, standard_config=NO, stack_file=YES, marker=NO),
        row(InstallState.PARTIAL_INSTALL),
    ),
)


def presence(seen: bool | None) -> Presence:  # noqa: FBT001  # a reading, not a switch
    """Turn a reading into a column; `None` stands for one that failed."""
    return Presence.UNKNOWN if seen is None else Presence.YES if seen else Presence.NO
