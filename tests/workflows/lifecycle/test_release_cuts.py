"""A release that is cut, or that the disk refuses, at every step (`seed 000` 7.7)."""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from tests.workflows.lifecycle.test_recovery import preview
from tests.workflows.lifecycle.test_release import BACKUPS, NAMED, backups, everything_broken, released, releasing
from tests.workflows.scene import UNPROVABLE, PowerCut


def steps() -> list[str]:
    scene = everything_broken()
    scene.do(releasing(scene))
    return scene.durable


@pytest.mark.parametrize("cut", range(1, len(NAMED) * 2 + 3))
def test_after_a_cut_anywhere_no_record_is_gone_without_its_copy_and_a_second_release_ends_it(cut: int) -> None:
    """Seed 000 7.7: the backup plus the original, and a second release re-quarantines what is still unreadable."""
    assert len(steps()) == len(NAMED) * 2 + 2
    scene = everything_broken()
    before = scene.files
    scene.cut_after = cut
    with pytest.raises(PowerCut):
        scene.do(releasing(scene))
    after = scene.restart()
    gone = set(NAMED) - set(after.files)
    copies = set(backups(after).values())
    assert all(before[name] in copies for name in gone)
    if gone:
        assert any(name.endswith("recovery-manifest.json") for name in after.files), "listed before the first one goes"
    assert {file.name for file in released(after).files} == set(NAMED) - gone
    assert not set(NAMED) & set(after.files)
    assert preview(after).view.lifecycle.state == "idle"


@pytest.mark.parametrize("failing", range(len(NAMED) * 2 + 2))
def test_when_the_disk_fails_at_any_step_nothing_is_lost_and_a_retry_ends_it(failing: int) -> None:
    scene = everything_broken()
    before, name = scene.files, steps()[failing]
    scene.fail(BACKUPS.rstrip("/") if failing == 0 else name)
    refusal = scene.refused(releasing(scene))
    assert (refusal.code, scene.house.work.holder) == (Code.STATE_WRITE_FAILED, None)
    copies = set(backups(scene).values())
    assert all(before[gone] in copies for gone in set(NAMED) - set(scene.files))
    if failing <= len(NAMED) + 1:
        assert set(NAMED) <= set(scene.files), "without copies and their list no record goes"
    released(scene)
    assert not set(NAMED) & set(scene.files)


def test_a_list_that_nobody_can_prove_lets_no_record_go() -> None:
    scene = everything_broken()
    manifest_name = steps()[len(NAMED) + 1]
    scene.fail(manifest_name, UNPROVABLE, lands=True)
    assert scene.refused(releasing(scene)).code is Code.STATE_COMMIT_UNPROVABLE
    assert set(NAMED) <= set(scene.files)
