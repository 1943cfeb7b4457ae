"""The address that somebody chose for the Admin, when the updater itself has it.

The updater stands in the Admin's networks without an address of its own choice. After a reboot it is started first,
while the Admin is stopped, and the engine may give it the very address that was chosen for the Admin: then no Admin
could start any more, neither the new one nor the old one. Source: `replacement.md` 7.4; `faults.md` F25.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from ems_admin.docker.replacement.acts import Acts
from ems_admin.docker.replacement.snapshot import Remembered

FIXED: Final = (("IPv4Address", "IPAddress"), ("IPv6Address", "GlobalIPv6Address"))
"""How an address is chosen, and where it is shown."""


@frozen(kw_only=True)
class MakingWay:
    """Steps out of a network, and in again."""

    acts: Acts
    own: str | None

    async def out(self, old: Remembered) -> tuple[str, ...]:
        """Leave every network in which the own container has an address of the Admin, and name them.

        Raises `UnaskedError`.
        """
        here = await self.acts.look(self.own) if self.own else None
        if here is None or here.id == old.id:
            return ()
        stands: Mapping[str, Any] = (here.said.get("NetworkSettings") or {}).get("Networks") or {}
        held = tuple(name for name, chosen in old.networks.items() if _holds(stands.get(name), chosen))
        for network in held:
            await self.acts.disconnect(here, network)
        return held

    async def back(self, networks: tuple[str, ...]) -> None:
        """Stand in them once more, at whatever address is free now. Raises `UnaskedError`."""
        here = await self.acts.look(self.own) if self.own and networks else None
        if here is not None:
            for network in networks:
                await self.acts.connect(here, network, {})


def _holds(stands: Mapping[str, Any] | None, chosen: Mapping[str, Any]) -> bool:
    wanted = chosen.get("IPAMConfig") or {}
    return any(wanted.get(choice) and wanted[choice] == (stands or {}).get(shown) for choice, shown in FIXED)
