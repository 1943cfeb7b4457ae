"""The pages that are open when everybody meets: each was shown the same site, and acts on what it was shown.

What a page was shown costs more than what it then does, and is the same in every schedule: it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from attrs import frozen

from ems_admin.workflows.maintenance.config import live_config
from ems_admin.workflows.upgrade.executing import UpgradeRequest
from tests.memory.running import MemoryIds
from tests.memory.site import MemorySite
from tests.memory.world import World
from tests.workflows.places import secret_draft
from tests.workflows.scene import Scene
from tests.workflows.upgrade.upgrades import nothing, request, without_a_key, yesterday

CHANGES: Final[Mapping[str, Callable[[Scene], None]]] = {"as it is": nothing, "without a key": without_a_key}
"""With the second the upgrade has something to migrate."""


@frozen(kw_only=True)
class Pages:
    """A site, and what was shown of it."""

    files: dict[str, bytes]
    folders: set[str]
    ids: int
    config: Mapping[str, Any]
    """As an editor has it."""
    revision: str | None
    upgrade: UpgradeRequest
    """The plan that somebody is about to agree to."""
    adds: frozenset[str]
    """Fields that it would add to the config."""
    workflow_id: str | None
    preview_id: str | None

    def scene(self) -> Scene:
        """Stand there in a new process."""
        site = MemorySite(world=World(files=dict(self.files), folders=set(self.folders)), ids=MemoryIds(self.ids))
        return Scene(
            site=site,
            workflow_id=self.workflow_id,
            preview_id=self.preview_id,
            draft=secret_draft("Setup"),
        )


@cache
def pages(change: str, *, in_setup: bool) -> Pages:
    """Open every page; with `in_setup` the tab has come as far as its preview meanwhile."""
    scene = yesterday(CHANGES[change])
    shown = scene.do(live_config(scene.house))
    assert shown.config is not None
    planned = request(scene)
    if in_setup:
        scene.open(confirm=True)
        assert scene.fetch().error is None
        assert scene.review(secret_draft("Setup")).config_preview_id is not None
    return Pages(
        files=scene.files,
        folders=set(scene.site.world.folders),
        ids=scene.site.ids.count,
        config=shown.config,
        revision=shown.revision,
        upgrade=planned,
        adds=frozenset({"/features/winter_mode"}) if planned.migration_revision else frozenset(),
        workflow_id=scene.workflow_id if in_setup else None,
        preview_id=scene.preview_id if in_setup else None,
    )
