"""History, the way back, a merge and the migration of brokers, as a browser meets them (http.md 5.3; F02, F46)."""

import json

from tests.http.browser import Setup
from tests.http.served import Scene

MAINTENANCE = "/api/admin/maintenance"


async def test_a_config_has_a_form_a_history_a_way_back_and_a_merge(site: Scene, setup: Setup) -> None:
    browser = setup.browser
    await setup.to_preview()
    await setup.write()
    for step in (setup.prepare, setup.start):
        assert (await browser.ended(await step()))["status"] == "succeeded"
    schema = (await browser.get(f"{MAINTENANCE}/config/schema")).json
    assert [section["key"] for section in schema["form"]][:2] == ["system", "devices"]
    assert schema["form"][0]["fields"][1]["unit"] == "W"
    assert schema["schema"]["type"] == "object"

    seen = (await browser.get(f"{MAINTENANCE}/config")).json
    mine, base = json.loads(json.dumps(seen["config"])), seen["revision"]
    theirs = seen["config"]
    theirs["system"]["max_total_power"], mine["system"]["max_total_power"] = 4321, 1234
    mine["system"]["deadband"] = 31
    await browser.post(f"{MAINTENANCE}/config/apply", {"draft": theirs, "revision": base, "confirm": True})

    held = site.state()
    stale = await browser.post(f"{MAINTENANCE}/config/apply", {"draft": mine, "revision": base, "confirm": True})
    assert (stale.error, stale.json["baseline_revision"]) == ((409, "conflict"), base)
    assert stale.json["three_ways"] == {
        "fields": [
            {
                "pointer": "/system/max_total_power",
                "standing": "conflict",
                "baseline": 5000,
                "live": 4321,
                "mine": 1234,
            },
            {"pointer": "/system/deadband", "standing": "mine_only", "baseline": 25, "live": 25, "mine": 31},
        ],
        "conflicts": ["/system/max_total_power"],
    }
    body = {"draft": mine, "baseline_revision": base, "choices": {"/system/max_total_power": "live"}}
    merged = (await browser.post(f"{MAINTENANCE}/config/merge", body)).json
    assert (merged["undecided"], merged["draft"]["system"]["max_total_power"]) == ([], 4321)
    assert merged["draft"]["system"]["deadband"] == 31
    nobody = {**body, "choices": {"/system/max_total_power": "theirs"}}
    assert (await browser.post(f"{MAINTENANCE}/config/merge", nobody)).error == (400, "unsupported_value")

    past = (await browser.get(f"{MAINTENANCE}/config/history")).json
    assert [line["path"] for line in past["revisions"]] == ["W4", "W3"]
    assert (past["revisions"][0]["revision"], past["revisions"][0]["base"]) == (past["live_revision"], base)
    assert past["damaged"] == []
    one = (await browser.get(f"{MAINTENANCE}/config/history/{past['live_revision']}")).json
    assert one["diff"]["changed"] == [{"pointer": "/system/max_total_power", "before": 5000, "after": 4321}]
    assert (await browser.get(f"{MAINTENANCE}/config/history/{'0' * 64}")).error == (404, "not_found")
    back = (await browser.post(f"{MAINTENANCE}/config/prepare-return", {"revision": base})).json
    assert (back["validation"]["ready"], back["revision"]) == (True, past["live_revision"])
    assert back["diff"]["changed"] == [{"pointer": "/system/max_total_power", "before": 4321, "after": 5000}]
    review = (await browser.get(f"{MAINTENANCE}/mqtt/migration-review")).json
    assert (review["needed"], review["migration_revision"]) == (False, None)
    assert site.state() == held

    asked = {"revision": review["revision"], "confirm": True}
    noop = (await browser.post(f"{MAINTENANCE}/mqtt/migration-apply", asked)).json
    assert (noop["changed"], noop["noop"]) == (False, True)
    other = await browser.post(f"{MAINTENANCE}/mqtt/migration-apply", {"revision": base, "confirm": True})
    assert other.error == (409, "conflict")
    assert site.state() == held
    wish = {"draft": back["draft"], "revision": back["revision"], "confirm": True}
    assert (await browser.post(f"{MAINTENANCE}/config/apply", wish)).json["revision"] == base


async def test_a_draft_is_brought_up_to_date_with_what_is_live(site: Scene, setup: Setup) -> None:
    await setup.to_preview()
    live = site.root / "config" / "config.json"
    live.parent.mkdir(exist_ok=True)
    live.write_bytes(b'{"features": {"winter_mode": true}}')
    held = site.state()
    late = {**setup.draft, "take": "live"}
    merged = (await setup.browser.post("/api/setup/config/merge", late)).json
    assert merged["draft"]["features"]["winter_mode"] is True
    assert "/system" in merged["left_out"]
    assert [field["standing"] for field in merged["three_ways"]["fields"] if "winter" in field["pointer"]] == [
        "conflict"
    ]
    assert site.state() == held
