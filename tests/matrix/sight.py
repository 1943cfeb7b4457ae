"""A site as everybody can see it: whose the console is, where the operation stands, which files there are.

The same for a site in memory and for one that is served: what is asked are the workflows of its house.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from ems_admin.machines.composition.row import Operation
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.workflow_lifecycle import Owner, State
from ems_admin.workflows.arbiter.recovering import preview_recovery
from ems_admin.workflows.house import House
from ems_admin.workflows.views.console import console
from tests.workflows.scene import B3, B5, B6, CONFIG, CREDENTIALS

Files = Mapping[str, bytes]
DIRECTORY = "workflows/guided-setup/"
LEGACY = "generated/"
EMS = (CONFIG, CREDENTIALS, "/stack.json", "/running-ems")
"""What the EMS runs with, and that it runs."""


@frozen(kw_only=True)
class Sight:
    """One look at a site."""

    owner: Owner
    state: State
    operation: Operation
    offers: frozenset[str]
    """The acts that the page offers, by their names."""
    working: bool
    """Whether something runs that a start would not find."""
    way_out: bool
    """Whether recovery has a way, or nothing that needs one."""
    files: Files
    """Everything durable, the journal aside."""

    @property
    def live_config(self) -> bytes | None:
        return self.files.get(CONFIG)

    @property
    def known_good(self) -> bytes | None:
        return self.files.get(B5)

    @property
    def context(self) -> bytes | None:
        return self.files.get(B6)

    @property
    def setup_files(self) -> Files:
        """What Setups have written for themselves."""
        return {n: d for n, d in self.files.items() if n == B3 or n.startswith((DIRECTORY, LEGACY))}


async def see(house: House, files: Files) -> Sight:
    """Look at a site."""
    recovery = await preview_recovery(house)
    shown = await console(house)
    lifecycle = shown.lifecycle.lifecycle
    offers = {offer.action.action for offer in shown.actions if offer.refusal is None}
    view = shown.alignment.transition
    if view is not None:
        offers |= {"cancel"} & {action.action for action in view.next_actions}
        offers |= {"return"} if view.return_available else set()
    return Sight(
        owner=lifecycle.owner,
        state=lifecycle.state,
        operation=await operation_of(house),
        offers=frozenset(offers),
        working=house.work.holder is not None,
        way_out=is_no_dead_end(
            lifecycle.owner,
            running=recovery.running is not None,
            offered=recovery.safe_available or recovery.release_available,
        ),
        files=files,
    )


def is_no_dead_end(owner: Owner, *, running: bool, offered: bool) -> bool:
    """Nobody owns the console, or what owns it still works, or recovery has something to offer."""
    return owner is Owner.NONE or running or offered


async def operation_of(house: House) -> Operation:
    match await house.records.transition.read():
        case Absent():
            return Operation.NONE
        case Present(record=record):
            return Operation(record.stage)
        case _:
            return Operation.UNREADABLE
