"""The services of a real site, stopped and started by a browser, and the site examined (http.md 5.3; F27, F29)."""

from ems_admin.native.place import Place
from tests.http.browser import Setup
from tests.http.served import Scene
from tests.native.host import marked

MAINTENANCE = "/api/admin/maintenance"
CONTAINERS = f"{MAINTENANCE}/containers"
ROW = {"service", "container", "image", "image_id", "state", "health", "started_at", "ours", "protected"}


async def test_a_service_is_stopped_looked_at_and_started_again(site: Scene, setup: Setup) -> None:
    browser = setup.browser
    await setup.to_preview()
    gate = await browser.post(f"{CONTAINERS}/ems/stop", {"confirm": True})
    assert gate.error == (409, "system_transition_in_progress")
    await setup.write()
    for asked in (setup.prepare, setup.start):
        assert (await browser.ended(await asked()))["status"] == "succeeded"

    (row,) = (await browser.get(CONTAINERS)).json["containers"]
    assert row.keys() == ROW
    assert (row["service"], row["state"], row["health"]) == ("ems", "running", "healthy")
    log = (await browser.get(f"{CONTAINERS}/ems/logs?lines=1")).json
    assert (log["service"], len(log["lines"])) == ("ems", 1)
    assert (await browser.get(f"{CONTAINERS}/nobody/logs")).error == (404, "not_found")

    assert (await browser.post(f"{CONTAINERS}/ems/stop", {})).error == (400, "confirmation_required")
    stopped = await browser.ended(await browser.post(f"{CONTAINERS}/ems/stop", {"confirm": True}))
    assert (stopped["kind"], stopped["status"]) == ("container_action", "succeeded")
    assert not list(marked(Place(install_root=site.root, admin_data=site.root, releases=site.root).site))
    glance = (await browser.get(f"{MAINTENANCE}/overview")).json
    assert (glance["state"], glance["stopped"], glance["health"]) == ("prepared", ["ems"], "unknown")

    await browser.ended(await browser.post(f"{CONTAINERS}/ems/start", {"confirm": True}))
    examined = await browser.ended(await browser.post(f"{MAINTENANCE}/diagnostics/run", {}))
    assert examined["status"] == "succeeded"
    checks = {check["key"]: check for check in examined["result"]["checks"]}
    assert {key for key, check in checks.items() if check["status"] != "ok"} == set(), checks
    assert examined["result"]["summary"] == {
        "status": "ok",
        "ok": len(checks),
        "warning": 0,
        "failed": 0,
        "unavailable": 0,
    }
