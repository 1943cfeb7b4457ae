"""`ems-admin demo`: kept between runs, adopted after a kill, stopped with its EMS."""

import signal
from pathlib import Path
from typing import Any

import pytest

from ems_admin.native.place import Place
from tests.cli.process import Admin, Client, run, running
from tests.native.host import kill_marked, marked


def place_of(root: Path) -> Place:
    site = root / "site"
    return Place(install_root=site, admin_data=site / "admin", releases=site / "admin" / "releases")


def walk_to_a_running_ems(client: Client) -> dict[str, Any]:
    tag = client.ask("GET", "/api/setup/releases")["builds"][0]["system_tag"]
    begun = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
    own = {"setup_workflow_id": begun["setup_workflow_id"]}
    body = {"tag": tag, **own}
    job = client.ask("POST", "/api/setup/releases/prepare", body, X_Setup_Intent_ID=begun["setup_intent_id"])
    assert client.ended(job)["status"] == "succeeded"
    draft = {**client.ask("GET", "/api/setup/config/schema")["example"], **own}
    preview = client.ask("POST", "/api/setup/config-preview", draft)["config_preview_id"]
    client.ask("POST", "/api/setup/config/write", {**draft, "config_preview_id": preview})
    assert client.ended(client.ask("POST", "/api/setup/deployment/prepare", own))["status"] == "succeeded"
    started = client.ended(client.ask("POST", "/api/setup/deployment/start", own))
    assert started["status"] == "succeeded", started
    return client.ask("GET", "/api/admin/console")


def test_after_a_kill_the_next_start_adopts_the_ems_and_ctrl_c_stops_it(tmp_path: Path) -> None:
    root = tmp_path / "demo"
    site = place_of(root).site
    try:
        with running(tmp_path, "demo", "--root", root, "--port", "0") as admin:
            console = walk_to_a_running_ems(Client(admin.url).sign_in())
            assert console["deployment"]["state"] == "running"
            ((_, pid),) = marked(site)
            admin.process.kill()
            admin.process.wait()
        assert list(marked(site)) == [("ems", pid)]
        with running(tmp_path, "demo", "--root", root, "--port", "0") as admin:
            seen = Client(admin.url).sign_in().ask("GET", "/api/admin/console")
            assert seen["deployment"]["state"] == "running"
            assert seen["setup"]["status"] == "completed"
            assert list(marked(site)) == [("ems", pid)]
            code, seconds = admin.end(signal.SIGINT)
            assert (code, seconds < 25) == (0, True)
        assert list(marked(site)) == []
    finally:
        kill_marked(site)


def test_its_place_is_in_the_home_of_its_person(tmp_path: Path) -> None:
    with running(tmp_path, "demo", "--port", "0") as admin:
        assert isinstance(admin, Admin)
        tags = [
            build["system_tag"] for build in Client(admin.url).sign_in().ask("GET", "/api/setup/releases")["builds"]
        ]
        assert len(tags) == 3
        admin.end()
    assert (tmp_path / ".local/share/ems-admin-demo/builds/catalogue.json").exists()


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_a_usage_error(tmp_path: Path, port: str) -> None:

    assert run(tmp_path, "demo", "--root", tmp_path, "--port", port).returncode == 2
