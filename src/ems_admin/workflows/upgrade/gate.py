"""The gate of both phases of a Guided Upgrade: whoever looks at a build, and whoever begins, passes the same rule.

Source: `seed 000` 5.3, 7.5; `site.md` 1.10.
"""

from __future__ import annotations

from ems_admin.machines.composition.gates import upgrade_refusal
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.claims import SetupClaim, TransitionClaim, setup_claim, transition_claim
from ems_admin.machines.records.reading import Present, Unreadable
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.view import read_setup


async def require_upgrade_open(house: House) -> None:
    """Refuse while a Setup, or what it left behind, comes first. Raises `RefusalError`.

    `setup_abandon_required`, `setup_cleanup_required`, and what is answered when nobody can say whose the console is.
    """
    if refusal := upgrade_refusal(await setup_says(house), await transition_says(house)):
        raise RefusalError(refusal)


async def setup_says(house: House) -> SetupClaim:
    """Read what B0 claims; a review that was never the workflow's own is settled on the way (`seed 000` 5.3)."""
    setup = await read_setup(house)
    return SetupClaim.UNREADABLE if isinstance(setup, Refusal) else setup_claim(setup)


async def transition_says(house: House) -> TransitionClaim:
    """Read what B1 claims."""
    reading = await house.records.transition.read()
    if isinstance(reading, Unreadable):
        return transition_claim(standing.read_error(reading))
    return transition_claim(reading.record if isinstance(reading, Present) else None)
