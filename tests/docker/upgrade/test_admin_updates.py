"""The Admin alone on real Docker, over HTTP: its EMS stays the very container, and the upgrade comes later.

Source: `site.md` 3, 9; `http.md` 5.3 (Admin update).
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

from tests.docker.upgrade.operator import AWAY, STATUS, Operator
from tests.docker.upgrade.site import UpgradeHouse

UPDATE: Final = "/api/admin/maintenance/admin-update"


def test_the_admin_comes_first_and_its_ems_by_the_upgrade_that_follows(site: UpgradeHouse) -> None:
    site.install()
    operator, newer = Operator(house=site), site.lab.builds["newer"]
    ems, good = site.lab.api.container(site.ems), record(site, "known-good-system-build")
    assert ems is not None
    update(site, operator)

    admin, kept = site.named_admin(), site.lab.api.container(site.ems)
    assert admin is not None
    assert kept is not None
    assert (admin.image_id, admin.runs) == (newer.admin_image_id, True)
    assert (kept["Id"], kept["State"]["StartedAt"]) == (ems["Id"], ems["State"]["StartedAt"])
    after = record(site, "known-good-system-build")
    assert (after["admin_build_id"], after["admin_digest"]) == (newer.identity.build_id, newer.admin.digest)
    for word in ("system_tag", "build_id", "revision", "ems_image", "ems_digest"):
        assert after[word] == good[word], word

    operator.agree().join()
    operator.go_on()
    assert operator.heard == []
    transition = record(site, "pending-transition")
    assert (transition["mode"], transition["admin_alignment_required"]) == ("guided_upgrade", False)
    same = site.named_admin()
    assert same is not None
    assert same.id == admin.id, "it was in place already"
    assert site.ems_digest == newer.ems.digest
    assert record(site, "known-good-system-build")["system_tag"] == newer.identity.system_tag


def update(site: UpgradeHouse, operator: Operator) -> None:
    """Plan, agree, wait for the new Admin, and go on until the EMS is looked at."""
    visitor = operator.sign_in()
    tag = site.lab.builds["newer"].identity.system_tag
    plan = visitor.post(f"{UPDATE}/plan", {"tag": tag})
    assert plan["reason"] == "digest_changed"
    job = visitor.post(f"{UPDATE}/execute", {"plan_id": plan["plan_id"], "confirm": True})

    def is_ready() -> bool:
        with contextlib.suppress(*AWAY):
            found = operator.sign_in().get(f"{UPDATE}/status")
            assert found["error"] is None, found
            moved = operator.sign_in().get(STATUS)["transition"]["replacement_active"]
            return bool(found["state"] == "resume_ready" and moved is False)
        return False

    site.wait_until(is_ready, "the new Admin is ready to go on", limit=200)
    visitor = operator.sign_in()
    for stage in ("resources_verified", "completed"):
        seen = visitor.post(f"{UPDATE}/resume", {"operation_id": job["operation_id"]})
        assert seen["transition"]["stage"] == stage, seen


def record(site: UpgradeHouse, name: str) -> dict[str, Any]:
    found = site.read_record(name)
    assert found is not None
    return found
