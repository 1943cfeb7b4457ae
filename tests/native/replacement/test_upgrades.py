"""Guided Upgrades of a real site, asked for over HTTP: to a newer build, and to one whose EMS is never well.

Admin and EMS are processes of their own; both are replaced on the way (`site.md` 9).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.native.sockets import free_port
from tests.cli.process import Client
from tests.cli.test_demo import walk_to_a_running_ems
from tests.native.host import marked, until
from tests.native.replacement.installed import Installed, install
from tests.native.replacement.test_served import Site

UPGRADE: Final = "/api/admin/maintenance/upgrade"
NEWER: Final = "v0.2.0"
SICK: Final = "v0.3.0"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("upgraded"))


@pytest.fixture
def site(tmp_path: Path, installed: Installed) -> Site:
    return Site(installed, tmp_path / "ems", free_port(frozenset()))


def begin(client: Client, tag: str, **options: bool) -> dict[str, Any]:
    """Verify, plan and agree; give the job."""
    verified = client.ask("POST", f"{UPGRADE}/validate", {"tag": tag})["action_state"]["selection_fingerprint"]
    wish = {"tag": tag, "options": options, "selection_fingerprint": verified}
    plan = client.ask("POST", f"{UPGRADE}/plan", wish)
    agreed = {
        "migration_revision": plan["migration"]["revision"],
        "plan_fingerprint": plan["plan_fingerprint"],
        "confirm": True,
    }
    return client.ask("POST", f"{UPGRADE}/execute", {**wish, **agreed})


def under_its_new_admin(site: Site, build_id: str) -> Client:
    """Wait until the updater has replaced the Admin, and sign in there."""
    until(lambda: site.health().get("build_id") == build_id, 90)
    until(lambda: (walk := site.walk()) is not None and walk.step is WalkStep.ENDED, 60)
    return site.client.sign_in()


def resume(client: Client, operation_id: str) -> dict[str, Any]:
    """Go on, and wait for the end of the job."""
    return client.ended(client.ask("POST", f"{UPGRADE}/resume", {"operation_id": operation_id}), 120)


def good(site: Site) -> tuple[str, str]:
    reading = site.files.known_good.look()
    assert isinstance(reading, Present)
    return reading.record.system_tag, reading.record.ems_digest


def ems_of(site: Site) -> list[int]:
    return [pid for name, pid in marked(site.installed.place(site.root).site) if name == "ems"]


def test_a_real_site_is_upgraded_with_its_admin_and_put_back_when_the_next_build_is_sick(site: Site) -> None:
    with site.installed.serving(site.root, site.port) as old:
        client = Client(old.url).sign_in()
        first = walk_to_a_running_ems(client)["known_good"]
        before = ems_of(site)

        job = begin(client, NEWER)
        assert old.process.wait(120) == 0
        client = under_its_new_admin(site, site.target)
        shown = client.ask("GET", "/api/admin/console")["upgrade"]
        assert (shown["state"], shown["next_step"]) == ("aligning", "handover")
        assert shown["operation_id"] == job["operation_id"]
        assert shown["backup_reference"] == f"upgrade-{job['operation_id']}"
        assert ems_of(site) == before, "the EMS is not touched before the new Admin goes on"
        ended = resume(client, job["operation_id"])
        assert ended["status"] == "succeeded", ended
        console = client.ask("GET", "/api/admin/console")
        assert (console["upgrade"]["state"], console["upgrade"]["context"]) == ("completed", "none")
        assert (console["deployment"]["state"], console["known_good"]["system_tag"]) == ("running", NEWER)
        assert good(site)[1] != first["ems_digest"]
        (ems,) = ems_of(site)
        assert [ems] != before
        assert client.ask("GET", "/api/admin/maintenance/overview")["installed"]["system_tag"] == NEWER

        newer = good(site)
        job = begin(client, SICK, auto_rollback=True)
        until(lambda: (site.walk() or job) is not job and site.health().get("build_id") not in {site.target, None}, 120)
        client = under_its_new_admin(site, site.health()["build_id"])
        ended = resume(client, job["operation_id"])
        assert (ended["status"], ended["error"]["code"]) == ("failed", "healthcheck_failed"), ended
        console = client.ask("GET", "/api/admin/console")
        failure = console["alignment"]["transition"]["failure"]
        assert f"The known-good build {NEWER} runs again." in failure["detail"], failure
        assert (console["upgrade"]["state"], good(site)) == ("failed_recoverable", newer)
        services = client.ask("GET", "/api/setup/deployment/status")["services"]
        assert [service["digest"] for service in services] == [newer[1]]
        assert [service["health"] for service in services] == ["healthy"]
        assert len(ems_of(site)) == 1

        cancel = {"operation_id": job["operation_id"], "confirm": True}
        assert not client.ask("POST", "/api/admin/system-alignment/cancel", cancel)["active"]
        assert client.ask("GET", "/api/admin/console")["upgrade"]["state"] == "cancelled"
        assert good(site) == newer
