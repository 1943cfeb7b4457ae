"""What a release has kept stays kept (`seed 000` 7.4, 7.4.1)."""

from __future__ import annotations

from tests.workflows.lifecycle.classes import Stored, stand
from tests.workflows.lifecycle.test_release import backups, released
from tests.workflows.scene import Scene


def test_the_admin_never_prunes_the_copies_of_a_release() -> None:
    """Through a start, a whole Setup with its pruning of builds, its end, and another release."""
    scene = stand(Stored("unreadable", "unreadable"))
    released(scene)
    kept = backups(scene)
    assert len(kept) == 3
    after: Scene = scene.restart()
    after.open(confirm=True)
    assert after.fetch().error is None
    after.review()
    after.do(after.writing())
    assert after.job(after.preparing(overwrite=True)).error is None
    assert after.job(after.starting()).error is None
    after.site.world.files["state/replacement-dispatch.json"] = b"{"
    released(after)
    assert kept.items() <= backups(after).items()
