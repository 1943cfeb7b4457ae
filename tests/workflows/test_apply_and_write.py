"""What apply and write leave behind, and what they take back (`seed 000` 2.3, 06 to 08; `site.md` 1.14)."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import GeneratedMetadata
from tests.workflows.places import SECRET, fetched, reviewed, secret_draft, written
from tests.workflows.scene import B0, CONFIG, CREDENTIALS, INTENT

Act = Callable[..., Coroutine[Any, Any, Any]]


def test_apply_makes_the_shown_bytes_live_and_consumes_the_preview() -> None:
    scene = fetched()
    shown = scene.review(secret_draft())
    applied = scene.do(scene.applying())
    assert scene.site.world.files[CONFIG] == shown.reviewed.composed.data
    assert applied.revision == shown.reviewed.composed.sha256
    assert SECRET in scene.site.world.files[CREDENTIALS].decode()
    assert SECRET not in scene.site.world.files[CONFIG].decode()
    assert scene.setup.preview is None
    assert scene.refused(scene.applying()).code is Code.SETUP_PREVIEW_REQUIRED
    assert INTENT not in scene.files
    assert not [name for name in scene.files if name.endswith(".kept")]


def test_apply_over_a_live_config_needs_a_word_and_keeps_the_old_one() -> None:
    scene = fetched()
    old = scene.site.world.files[CONFIG] = b'{"old": 1}'
    scene.review()
    assert scene.refused(scene.applying()).code is Code.TARGET_EXISTS
    applied = scene.do(scene.applying(overwrite=True))
    assert applied.backup is not None
    assert scene.site.world.files[applied.backup] == old


def test_overwrite_is_no_way_around_a_changed_config() -> None:
    scene = reviewed()
    scene.site.world.files[CONFIG] = b"{}"
    assert scene.refused(scene.applying(overwrite=True)).code is Code.STALE_SETUP_CONFIG


def test_a_config_that_changes_under_the_very_commit_is_seen() -> None:
    """Check 07 is 04 again, under the config lock: what was staged is taken back to the byte."""
    scene = fetched()
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {"old": {"username": "a"}}}'
    scene.review(secret_draft())
    before = scene.files
    work = scene.applying()
    scene.until(work, lambda mark: mark.name == f"commit {CREDENTIALS}")
    scene.site.world.files[CONFIG] = b"{}"
    assert scene.refused(work).code is Code.STALE_SETUP_CONFIG
    assert scene.files == {**before, CONFIG: b"{}", B0: scene.files[B0]}
    assert scene.setup.preview is None


def test_credentials_that_cannot_be_staged_leave_every_byte() -> None:
    scene = fetched()
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {}}'
    scene.review(secret_draft())
    before = scene.files
    scene.fail(CREDENTIALS)
    assert scene.refused(scene.applying()).code is Code.CREDENTIAL_STAGING_FAILED
    assert scene.files == before
    scene.do(scene.applying())


def test_a_store_of_secrets_that_is_no_store_is_not_written_over() -> None:
    scene = fetched()
    scene.site.world.files[CREDENTIALS] = b"not json"
    scene.review(secret_draft())
    before = scene.files
    assert scene.refused(scene.applying()).code is Code.CREDENTIAL_STAGING_FAILED
    assert scene.files == before


def test_a_config_that_cannot_be_replaced_takes_its_secrets_back() -> None:
    scene = fetched()
    scene.site.world.files[CREDENTIALS] = b'{"format_version": 1, "credentials": {}}'
    scene.review(secret_draft())
    before = scene.files
    scene.fail(CONFIG)
    assert scene.refused(scene.applying()).code is Code.STATE_WRITE_FAILED
    assert scene.files == before


def test_write_binds_the_pair_and_keeps_the_preview() -> None:
    scene = fetched()
    shown = scene.review(secret_draft())
    scene.do(scene.writing())
    setup, metadata = scene.setup, scene.generated("config.meta.json")
    assert metadata is not None
    assert scene.generated() == shown.reviewed.composed.data
    assert setup.preview is not None
    assert setup.artifacts.generated_preview_id == setup.preview.preview_id == scene.preview_id
    assert CONFIG not in scene.files
    assert CREDENTIALS not in scene.files
    name = f"workflows/guided-setup/{scene.workflow_id}/generated/config.meta.json"
    sidecar = scene.record(name, GeneratedMetadata)
    assert (sidecar.workflow_id, sidecar.preview_id) == (scene.workflow_id, scene.preview_id)
    assert sidecar.prepared_config_sha256 == shown.reviewed.composed.sha256


def test_a_bound_config_is_written_over_with_a_word_only() -> None:
    scene = written()
    scene.review(secret_draft())
    before = scene.files
    assert scene.refused(scene.writing()).code is Code.TARGET_EXISTS
    assert scene.files == before
    scene.do(scene.writing(overwrite=True))
    assert scene.setup.artifacts.generated_preview_id == scene.preview_id


def test_the_unbound_leftover_of_a_crash_stands_in_nobodys_way() -> None:
    scene = reviewed()
    name = f"workflows/guided-setup/{scene.workflow_id}/generated/config.json"
    scene.site.world.files[name] = b"{}"
    scene.do(scene.writing())


def test_a_draft_without_secrets_leaves_none_of_an_earlier_one_beside_it() -> None:
    scene = fetched()
    scene.review(secret_draft())
    scene.do(scene.writing())
    assert SECRET in (scene.generated("credentials.json") or b"").decode()
    scene.review(evolve(secret_draft(), mqtt_broker=type(scene.draft.mqtt_broker)()))
    scene.do(scene.writing(overwrite=True))
    stored = json.loads(scene.generated("credentials.json") or b'{"credentials": {}}')
    assert stored["credentials"] == {}


def test_new_secrets_never_stand_beside_a_config_that_may_be_deployed() -> None:
    """A write that fails half-way leaves a pair that is the old one, or one that is refused."""
    scene = fetched()
    scene.review(secret_draft())
    scene.do(scene.writing())
    changed = evolve(secret_draft("Other"), mqtt_broker=evolve(secret_draft().mqtt_broker, password="another"))
    scene.review(changed)
    scene.fail(f"workflows/guided-setup/{scene.workflow_id}/generated/config.json")
    scene.refused(scene.writing(overwrite=True))
    assert "another" not in (scene.generated("credentials.json") or b"").decode()
