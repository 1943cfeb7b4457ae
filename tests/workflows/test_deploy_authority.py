"""Who owns a generated config, and whether it is fresh: W3 (`seed 000` 2.2; `site.md` 1.3; D2)."""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from tests.workflows.deploying import generated_name, sidecar
from tests.workflows.places import fetched, reviewed, secret_draft, written
from tests.workflows.scene import CONFIG, Scene


def test_a_newer_preview_never_disowns_what_was_written() -> None:
    """`site.md` 1.3, D2."""
    scene = written()
    scene.review(secret_draft())
    assert scene.job(scene.preparing()).error is None
    assert scene.files[CONFIG] == scene.generated()


@pytest.mark.parametrize(
    "changes", [{"owner": "somebody"}, {"preview_id": "p" * 43}, {"prepared_config_sha256": "0" * 64}]
)
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_sidecar_that_is_not_ours_needs_a_review_whatever_is_agreed_to(
    changes: dict[str, str], overwrite: bool
) -> None:
    scene = written()
    sidecar(scene, **changes)
    before = scene.files
    assert scene.refused(scene.preparing(overwrite=overwrite)).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED
    assert scene.files == before


def test_a_config_without_sidecar_needs_a_review() -> None:
    scene = written()
    del scene.site.world.files[generated_name(scene).replace("config.json", "config.meta.json")]
    assert scene.refused(scene.preparing()).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED


@pytest.mark.parametrize("tampered", [b"{}", b"\xff"])
def test_a_tampered_config_needs_a_review(tampered: bytes) -> None:
    scene = written()
    scene.site.world.files[generated_name(scene)] = tampered
    assert scene.refused(scene.preparing()).code is Code.GENERATED_CONFIG_REVIEW_REQUIRED


def live_beside(base: bytes | None, live: bytes | str | None) -> Scene:
    scene = fetched()
    if base is not None:
        scene.site.world.files[CONFIG] = base
    scene.review()
    scene.do(scene.writing())
    now = scene.generated() if live == "generated" else live
    scene.site.world.files.pop(CONFIG, None)
    if isinstance(now, bytes):
        scene.site.world.files[CONFIG] = now
    return scene


@pytest.mark.parametrize(
    ("base", "live", "fresh"),
    [
        (None, None, True),
        (None, "generated", True),
        (None, b'{"other": 1}', False),
        (b'{"base": 1}', None, False),
        (b'{"base": 1}', b'{"base": 1}', True),
        (b'{"base": 1}', "generated", True),
        (b'{"base": 1}', b'{"other": 1}', False),
    ],
)
def test_freshness_knows_presence_and_absence(base: bytes | None, live: bytes | str | None, fresh: bool) -> None:
    scene = live_beside(base, live)
    if fresh:
        assert scene.job(scene.preparing(overwrite=True)).error is None
        assert scene.files[CONFIG] == scene.generated()
        return
    before = scene.files
    assert scene.refused(scene.preparing(overwrite=True)).code is Code.STALE_GENERATED_CONFIG
    assert scene.files == before


def test_a_config_that_was_applied_already_is_no_foreign_install() -> None:
    scene = reviewed()
    scene.do(scene.applying())
    scene.review()
    scene.do(scene.writing())
    assert scene.job(scene.preparing()).error is None
