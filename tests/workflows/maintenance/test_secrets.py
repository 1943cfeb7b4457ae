"""W4 and secrets: what is shown hides them, a mask means unchanged, a new one goes to the store (site.md 9)."""

from __future__ import annotations

import json

from ems_admin.workflows.config.diff import MASK
from tests.workflows.maintenance.edits import (
    edited,
    installed,
    live,
    pointers,
    saving,
    shown,
    stored_secrets,
)
from tests.workflows.places import SECRET
from tests.workflows.scene import CONFIG, CREDENTIALS


def test_what_is_shown_holds_no_secret_and_its_mask_means_unchanged() -> None:
    scene = installed()
    draft = edited(scene)
    assert SECRET not in json.dumps(draft)
    assert draft["mqtt"]["brokers"]["home"]["password"] == MASK
    before = scene.files[CREDENTIALS]
    scene.do(saving(scene, draft))
    assert scene.files[CREDENTIALS] == before
    assert MASK not in scene.files[CONFIG].decode()
    assert "password" not in live(scene)["mqtt"]["brokers"]["home"]


def test_a_new_password_goes_to_the_store_and_never_into_the_config() -> None:
    scene = installed()
    draft = shown(scene)
    draft["mqtt"]["brokers"]["home"]["password"] = "another-secret"
    assert scene.do(saving(scene, draft)).changed
    assert stored_secrets(scene)["home"] == {"username": "ems", "password": "another-secret"}
    assert "another-secret" not in scene.files[CONFIG].decode()


def test_a_new_user_keeps_the_masked_password() -> None:
    scene = installed()
    draft = shown(scene)
    draft["mqtt"]["brokers"]["home"]["username"] = "somebody"
    scene.do(saving(scene, draft))
    assert stored_secrets(scene)["home"] == {"username": "somebody", "password": SECRET}


def test_a_mask_with_nothing_behind_it_is_a_finding_at_its_field() -> None:
    scene = installed()
    draft = shown(scene)
    draft["mqtt"]["brokers"]["shed"] = {"host": "shed.lan", "port": 1883, "tls": False, "password": MASK}
    assert pointers(scene.refused(saving(scene, draft))) == ["/mqtt/brokers/shed/password"]
