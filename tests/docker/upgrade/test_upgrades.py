"""A Guided Upgrade on real Docker, over HTTP: with its Admin replaced, and to an EMS that is never well.

Source: `site.md` 9; `http.md` 5.3 (Guided Upgrade); `faults.md` F23, F24.
"""

from __future__ import annotations

from tests.docker.upgrade.operator import STATUS, Operator
from tests.docker.upgrade.site import UpgradeHouse
from tests.e2e.visitor import Visitor

CONTAINERS = "/api/admin/maintenance/containers"
NEVER_WELL = "healthcheck_failed"


def test_an_upgrade_replaces_admin_config_and_ems_and_is_known_to_be_good(site: UpgradeHouse) -> None:
    site.install()
    old_ems, old_admin = site.lab.api.container(site.ems), site.named_admin()
    assert old_ems is not None
    assert old_admin is not None
    site.write_an_old_broker()
    operator = Operator(house=site)
    operator.agree().join()
    operator.go_on()
    newer = site.lab.builds["newer"]
    assert operator.heard == []
    health = site.wait_until(site.health, "the new Admin answers")
    assert health["build_id"] == newer.identity.build_id
    admin = site.named_admin()
    assert admin is not None
    assert (admin.image_id, admin.runs) == (newer.admin_image_id, True)
    new_ems = site.lab.api.container(site.ems)
    assert new_ems is not None
    assert site.ems_digest == newer.ems.digest
    assert new_ems["HostConfig"]["PortBindings"] == old_ems["HostConfig"]["PortBindings"]
    good = site.read_record("known-good-system-build")
    assert good is not None
    assert (good["build_id"], good["ems_digest"]) == (newer.identity.build_id, newer.ems.digest)
    transition = site.read_record("pending-transition")
    assert transition is not None
    assert len(site.backups(transition["operation_id"])) == 1
    assert len(site.migrations(transition["operation_id"])) == 1
    assert "password" not in site.config["mqtt"]["brokers"]["shed"]
    assert site.services == [site.ems], "nothing that was put aside is left"
    whatever_is_removed_by_hand_comes_back(operator)


def whatever_is_removed_by_hand_comes_back(operator: Operator) -> None:
    """The container of the EMS is gone: it is missed, brought back as it was prepared, and all is well again."""
    site, visitor = operator.house, operator.sign_in()
    assert failing(visitor) == set()
    site.lab.api.remove(site.ems)
    rows = {row["service"]: row for row in visitor.get(CONTAINERS)["containers"]}
    assert {name: (row["state"], row["ours"], row["protected"]) for name, row in rows.items()} == {
        site.ems: ("absent", True, False),
        "admin": ("running", True, True),
    }
    assert failing(visitor) == {"ems"}
    visitor.until_done(visitor.post(f"{CONTAINERS}/{site.ems}/start", {"confirm": True})["id"])
    assert site.ems_digest == site.lab.builds["newer"].ems.digest
    assert failing(visitor) == set()


def failing(visitor: Visitor) -> set[str]:
    """Examine the site, and name the checks that it does not pass."""
    job = visitor.until_done(visitor.post("/api/admin/maintenance/diagnostics/run")["id"])
    return {check["key"] for check in job["result"]["checks"] if check["status"] == "failed"}


def test_an_ems_that_is_never_well_gives_its_place_back_to_the_known_good_one(site: UpgradeHouse) -> None:
    site.newer_is_well = False
    site.install()
    before, good = site.lab.api.container(site.ems), site.read_record("known-good-system-build")
    assert before is not None
    operator = Operator(house=site, options={"auto_rollback": True})
    operator.agree().join()
    operator.go_on_until(NEVER_WELL)
    failed = site.read_record("pending-transition")
    assert failed is not None
    assert (failed["stage"], failed["error_code"]) == ("failed_recoverable", NEVER_WELL)
    assert "runs again" in failed["error_message"]
    after = site.lab.api.container(site.ems)
    assert after is not None
    assert (after["Id"], after["State"]["Running"]) == (before["Id"], True)
    assert site.ems_digest == site.lab.builds["good"].ems.digest
    assert site.read_record("known-good-system-build") == good
    shown = operator.sign_in().get(STATUS)["transition"]
    assert shown["cancel_available"] or shown["return_available"]
