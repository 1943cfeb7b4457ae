"""What every room of the library has: the site, and the name under which its journal tells of what was asked here."""

from __future__ import annotations

from typing import Final

from attrs import field, frozen

from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.house import House

THE_LIBRARY: Final = Caller(session=None, token="library", scope=Scope.OWNER)  # noqa: S106  # a name, not a secret


@frozen(kw_only=True, eq=False)
class Room:
    """A part of the site. Every method raises `RefusalError`, whose `refusal` has code, detail and further facts."""

    house: House = field(repr=False)
    caller: Caller = THE_LIBRARY
