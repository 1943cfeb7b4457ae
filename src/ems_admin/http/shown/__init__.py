"""What answers look like: every value of the workflows in the shape that the contract gives it.

`shown(value)` is total: a value with a shape of its own has it registered in one of these modules, any other frozen
value is shown field by field under its own names. Source: `http.md` 5.4.
"""

from ems_admin.http.shown import (  # noqa: F401
    admin_update,
    backups,
    builds,
    config,
    config_history,
    console,
    deployment,
    jobs,
    lifecycle,
    maintenance,
    operation,
    refusals,
    setup,
    upgrade_plan,
    ways_out,
)
from ems_admin.http.shown.shape import shown

__all__ = ("shown",)
