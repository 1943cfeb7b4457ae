"""A whole replacement of the real Admin, asked for over HTTP, and half of one met by whoever starts the site."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from ems_admin.builds.catalogue import CATALOGUE, read_catalogue
from ems_admin.composition.native import admins_of
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Run, WalkStep
from ems_admin.native.replacement.admins import Role
from ems_admin.native.sockets import free_port
from ems_admin.stores.host import HostClock
from ems_admin.stores.site_files import SiteFiles
from tests.cli.files import files_below
from tests.cli.process import Admin, Client
from tests.cli.test_demo import walk_to_a_running_ems
from tests.codes_heard import said_elsewhere
from tests.native.host import marked, until
from tests.native.replacement.installed import Installed, install


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


@define
class Site:
    """One site and its only address."""

    installed: Installed
    root: Path
    port: int

    @property
    def client(self) -> Client:
        return Client(f"http://127.0.0.1:{self.port}")

    @property
    def files(self) -> SiteFiles:
        return SiteFiles(admin_data=self.root / "admin")

    @property
    def target(self) -> str:
        """Name the newer good build: the second of the three."""
        return read_catalogue((self.installed.catalogue / CATALOGUE).read_bytes()).builds[1].build_id

    def health(self) -> dict[str, Any]:
        with suppress(OSError):
            return self.client.ask("GET", "/api/admin/health")
        return {}

    def walk(self) -> Run | None:
        reading = self.files.run.look()
        return reading.record if isinstance(reading, Present) else None

    def pointed(self) -> tuple[str, str] | None:
        reading = self.files.current_admin.look()
        return (reading.record.build, reading.record.previous) if isinstance(reading, Present) else None

    def owner(self) -> int | None:
        return admins_of(self.installed.place(self.root), HostClock()).owner()

    def admins(self) -> list[tuple[str, int]]:
        """Give the Admins and updaters that carry a mark: those that nobody started by hand."""
        return [found for found in marked(self.installed.place(self.root).site) if found[0] in set(Role)]

    def hand_over(self, admin: Admin) -> Client:
        """Ask the old Admin to be replaced."""
        client = Client(admin.url).sign_in()
        begun = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
        body = {"tag": "v0.2.0", "setup_workflow_id": begun["setup_workflow_id"]}
        own = {"X_Setup_Intent_ID": begun["setup_intent_id"]}
        client.ask("POST", "/api/setup/system-build/update-admin", body, **own)
        return client


@pytest.fixture
def site(tmp_path: Path, installed: Installed) -> Site:
    return Site(installed, tmp_path / "ems", free_port(frozenset()))


def test_an_admin_is_replaced_by_another_build_at_the_same_address(site: Site) -> None:
    with site.installed.serving(site.root, site.port) as old:
        site.hand_over(old)
        assert old.process.wait(90) == 0
        said = old.process.stdout.read() if old.process.stdout else ""
        assert f"another Admin in the place of this one, at http://127.0.0.1:{site.port}." in said
        assert str(site.root / "admin" / "logs" / "admin.log") in said
        until(lambda: site.health().get("build_id") == site.target, 60)
        until(lambda: (walk := site.walk()) is not None and walk.step is WalkStep.ENDED, 60)
        walk = site.walk()
        assert walk is not None
        assert (walk.code, walk.entries) == (None, 1)
        assert site.health()["started_for"] == f"{walk.operation_id}-{walk.attempt}"
        assert site.pointed() == (site.target, site.installed.own.build_id)
        until(lambda: site.admins() == [(Role.SUCCESSOR, site.owner())])  # the updater is about to leave
        client = site.client.sign_in()
        stage = client.ask("GET", "/api/admin/system-alignment/status")["transition"]["stage"]
        assert stage in {"admin_reconnect_pending", "admin_aligned"}


def test_whoever_starts_the_site_finishes_what_a_dead_updater_left_and_runs_the_new_program(site: Site) -> None:
    """Both the updater and the Admins are gone, as after a loss of power, in the middle of the move.

    `replacement.md` 7.8.
    """
    with site.installed.serving(site.root, site.port) as old:
        site.hand_over(old)
        until(lambda: site.pointed() is not None, 90)
        for _, pid in site.admins():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert old.process.wait(10) == 0
    walk = site.walk()
    assert walk is not None
    assert walk.step is WalkStep.MOVING
    with site.installed.serving(site.root, site.port) as started:
        assert started.url == f"http://127.0.0.1:{site.port}"
        walk = site.walk()
        assert walk is not None
        assert (walk.step, walk.code, walk.entries) == (WalkStep.ENDED, None, 2)
        assert site.owner() == started.process.pid
        health = site.health()
        assert (health["build_id"], health["started_for"]) == (site.target, None)
        assert site.admins() == []
        assert started.end()[0] == 0


def test_the_admin_alone_comes_of_a_newer_build_while_the_ems_keeps_its_process(site: Site) -> None:
    """`site.md` 9: planned and carried out over HTTP, by real processes; the EMS is looked at and nothing more."""
    update = "/api/admin/maintenance/admin-update"
    mark = site.installed.place(site.root).site
    with site.installed.serving(site.root, site.port) as old:
        client = Client(old.url).sign_in()
        installed = walk_to_a_running_ems(client)["known_good"]
        (ems,) = (found for found in marked(mark) if found[0] == "ems")
        plan = client.ask("POST", f"{update}/plan", {"tag": "v0.2.0"})
        assert (plan["reason"], plan["target_admin"]["build_id"]) == ("digest_changed", site.target)
        held = site.files.known_good.look(), site.files.selected_release.look(), site.files.marker.look()
        job = client.ask("POST", f"{update}/execute", {"plan_id": plan["plan_id"], "confirm": True})
        assert (job["kind"], job["operation_id"] is not None) == ("admin_update", True)
        assert old.process.wait(90) == 0
        until(lambda: site.health().get("build_id") == site.target, 60)
        until(lambda: (walk := site.walk()) is not None and walk.step is WalkStep.ENDED, 60)
        client = site.client.sign_in()
        assert client.ask("GET", f"{update}/status")["state"] == "resume_ready"
        for stage in ("resources_verified", "completed"):
            seen = client.ask("POST", f"{update}/resume", {"operation_id": job["operation_id"]})
            assert seen["transition"]["stage"] == stage, seen
        assert client.ask("GET", f"{update}/status")["state"] == "completed"
        assert ems in marked(mark), "the very same process"
        good, *others = site.files.known_good.look(), site.files.selected_release.look(), site.files.marker.look()
        assert others == list(held[1:])
        assert isinstance(good, Present)
        assert (good.record.system_tag, good.record.ems_digest) == (installed["system_tag"], installed["ems_digest"])
        assert (good.record.build_id, good.record.admin_build_id) == (installed["build_id"], site.target)
        assert client.ask("GET", "/api/admin/maintenance/overview")["installed"]["system_tag"] == "v0.1.0"
        validated = client.ask("POST", "/api/admin/maintenance/upgrade/validate", {"tag": "v0.2.0"})
        ways = [validated["action_state"][way] for way in ("continue_allowed", "admin_update_required")]
        assert (validated["upgrade_direction"], ways) == ("newer", [True, False])


def test_a_pointer_that_cannot_be_read_keeps_nobody_from_starting(site: Site) -> None:
    """The program that was started runs, and says so where people look."""
    state = site.root / "admin" / "state"
    state.mkdir(parents=True)
    (state / "current-admin.json").write_text("{")
    with site.installed.serving(site.root, site.port) as admin:
        assert admin.url
        client = site.client.sign_in()
        warnings = client.ask("GET", "/api/admin/console")["warnings"]
        assert [said_elsewhere(warning["code"]) for warning in warnings] == ["current_admin_unusable"]
        assert site.health()["build_id"] == site.installed.own.build_id
        kept = site.installed.place(site.root).program(site.installed.own.build_id, "programs/admin")
        assert (kept / "ems_admin" / "app.py").is_file()


def test_a_demo_out_of_its_own_builds_does_not_pack_others_over_them(installed: Installed, tmp_path: Path) -> None:
    root = tmp_path / "demo"
    tree = installed.place(root / "site").program(installed.own.build_id, "programs/admin")
    shutil.copytree(installed.root / "ems_admin", tree / "ems_admin", ignore=shutil.ignore_patterns("__pycache__"))
    with (tree / "ems_admin" / "app.py").open("a") as code:
        code.write("# the next build\n")
    shutil.copytree(installed.catalogue, root / "builds")
    before = files_below(root / "builds")
    with installed.running(tree, root / "site", "demo", "--root", str(root), "--port", "0") as admin:
        assert admin.url
        assert not [line for line in admin.lines if "Packing" in line]
    assert files_below(root / "builds") == before
