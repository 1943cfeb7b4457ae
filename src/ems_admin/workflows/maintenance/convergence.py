"""What the EMS that runs is told of a new config (W9): five values that it may have been given otherwise meanwhile.

Source: `site.md` 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ems_admin.workflows.house import House
from ems_admin.workflows.ports.runtime import RuntimeSync, RuntimeValue

CONVERGED: Final = (
    ("system", "dry_run"),
    ("system", "max_total_power"),
    ("system", "deadband"),
    ("system", "loop_interval_seconds"),
    ("features", "winter_mode"),
)


async def converge(house: House, config: Mapping[str, Any]) -> RuntimeSync:
    """Tell the EMS that runs of the config that has just become live: after W4, W5 and W7. Never writes the config."""
    return await house.runtime.converge(runtime_values(config))


def runtime_values(config: Mapping[str, Any]) -> Mapping[str, RuntimeValue]:
    """Give the values by their dotted keys, as far as this config has them."""
    parts = {part: config[part] for part, _ in CONVERGED if isinstance(config.get(part), Mapping)}
    return {f"{part}.{key}": parts[part][key] for part, key in CONVERGED if key in parts.get(part, {})}
