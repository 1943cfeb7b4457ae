"""What can be checked of a write before it is asked for: the buttons that offer it say so beforehand.

Source: `seed 000` 2.3.
"""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.preview import base
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.config.preview import document, revision_of, selected_resources
from ems_admin.workflows.config.settlement import refuse_unprovable
from ems_admin.workflows.ports.records import RefusalError


async def preview_holds(hold: Hold) -> None:
    """Check what can be checked of the stored preview without its draft: it is there, its build and the live config.

    Nothing is revoked by looking; the request itself will.
    """
    shown = hold.setup.preview
    if shown is None:
        raise RefusalError(Refusal(Code.SETUP_PREVIEW_REQUIRED))
    await selected_resources(hold.house, hold.setup)
    live = await hold.house.config.config()
    document(live)
    if shown.base_config_revision != base(revision_of(live)):
        raise RefusalError(Refusal(Code.STALE_SETUP_CONFIG))


async def nothing_is_unprovable(hold: Hold) -> None:
    """Check that no earlier config write is open which nobody can settle."""
    await refuse_unprovable(hold.house)
