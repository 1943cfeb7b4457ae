"""What is to run, written down: the stack file that people read, and the note of what was prepared (B3).

Source: `site.md` 4 (B3), 8, 9 (update stack).
"""

from __future__ import annotations

from attrs import evolve

from ems_admin.machines.records.reading import Present
from ems_admin.workflows.config.preview import revision_of
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.engine import Deployment
from ems_admin.workflows.upgrade.walk import told


async def write_down(house: House, deployment: Deployment) -> None:
    """Write both, the file first. Raises `RefusalError`.

    The note keeps whose it is: it is the Setup's, and an upgrade owns none. It names what runs from now on, so that an
    EMS of the new build is not shown as one that nobody prepared. A site without a note gets none.
    """
    told(await house.engine.write_stack(deployment))
    live = revision_of(await house.config.config())
    async with house.records.marker.hold() as held:
        reading = await held.read()
        if isinstance(reading, Present):
            marker = evolve(
                reading.record,
                release=deployment.manifest.system_tag,
                images=house.engine.images(deployment),
                config_sha256=live or reading.record.config_sha256,
            )
            require(await held.commit(marker))
