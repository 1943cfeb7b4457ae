"""What the EMS that runs is told of a new config (W9): five values that it may have been given otherwise meanwhile.

Source: `site.md` 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ems_admin.workflows.ports.runtime import RuntimeValue

CONVERGED: Final = (
    ("system", "dry_run"),
    ("system", "max_total_power"),
    ("system", "deadband"),
    ("system", "loop_interval_seconds"),
    ("features", "winter_mode"),
)


def runtime_values(config: Mapping[str, Any]) -> Mapping[str, RuntimeValue]:
    """Give the values by their dotted keys, as far as this config has them."""
    return {f"{part}.{key}": config[part][key] for part, key in CONVERGED if key in config.get(part, {})}
