"""32 people, every act of the site, one minute: nothing breaks, nobody wins twice, nothing is left untold.

Seeded, so that the same crowd comes again; what it does in which order, the machine decides.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from ems_admin.http.route import Outside
from ems_admin.http.routes import TABLE
from ems_admin.native.place import Place
from ems_admin.stores.site_files import SiteFiles
from tests.cli.process import running
from tests.house.tracked import ROOT
from tests.http.browser import Browser
from tests.http.hammer.acts import ACTS
from tests.http.hammer.crowd import GOOD_PATH, Client, results
from tests.http.hammer.known import Known
from tests.http.hammer.watching import Watch, begun, gaps, lines_of, untold
from tests.native.host import kill_marked

CLIENTS = 32
SECONDS = 60
PATIENT = 6
SEED = 20261129
FIGURES = ROOT / "test-output" / "hammer.json"
CHANGES = [route.path for route in TABLE if route.mutates or route.authority is Outside.SIGNS_IN]


def test_every_act_that_changes_something_is_hammered() -> None:
    assert [path for path in CHANGES if path not in ACTS and not path.endswith("/preview")] == []


async def test_a_crowd_breaks_nothing_wins_nothing_twice_and_leaves_nothing_untold(
    tmp_path: Path, catalogue: Path
) -> None:
    root = tmp_path / "ems"
    files = SiteFiles(admin_data=root / "admin")
    watch = Watch(files)
    order = ("serve", "--install-root", root, "--listen", "127.0.0.1:0", "--catalogue", catalogue)
    try:
        with running(tmp_path, *order) as admin:
            url = admin.url
            watcher = threading.Thread(target=watch.run)
            watcher.start()
            try:
                known = await hammered(url)
            finally:
                watch.ended.set()
                watcher.join()
            assert admin.end()[0] == 0
    finally:
        kill_marked(Place(install_root=root, admin_data=root / "admin", releases=root / "admin/releases").site)
    keep(results(known) | {"looks": watch.looks, "seed": SEED})
    assert [status for status in known.statuses if status >= 500] == []
    assert [path for path in ACTS if path in CHANGES and not known.asked[path]] == [], "an act was never asked for"
    assert len(known.one_shots) > 0, "the crowd got nowhere, and proves nothing"
    assert sum(known.granted[path] for path in GOOD_PATH) > len(GOOD_PATH), "the crowd got nowhere, and proves nothing"
    twice = {f"{kind} {used}": done for (kind, used), done in known.one_shots.items() if len(done) > 1}
    assert twice == {}, "what may be used once was used twice"
    assert watch.faults == [], "a record could not be read at some instant"
    lines = lines_of(root / "admin")
    assert gaps(lines) == []
    assert untold(lines, files) == []
    told = begun(lines)
    assert {key for kind, key in known.one_shots if kind == "end"} <= told["guided_setup"]


def keep(figures: dict[str, Any]) -> None:
    """Write down what the crowd did, for whoever wants to know how hard it was."""
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


async def hammered(url: str) -> Known:
    """Let the crowd in, for a minute."""
    first = await Browser(url).sign_in()
    builds = (await first.get("/api/setup/releases")).json["builds"]
    own, *others = [build["system_tag"] for build in builds]
    known = Known(Random(SEED), own, tuple(others))
    browsers = [Browser(url) for _ in range(CLIENTS)]
    try:
        for browser in browsers:
            await browser.sign_in()
        await with_a_draft(known, first)
        until = time.monotonic() + SECONDS
        firsts = cycle(path for path in ACTS if path in CHANGES)
        crowd = [
            Client(browser, known, patient=number < PATIENT, first=next(firsts))
            for number, browser in enumerate(browsers)
        ]
        await asyncio.gather(*(client.hammer(until) for client in crowd))
    finally:
        for browser in (first, *browsers):
            await browser.close()
    return known


async def with_a_draft(known: Known, browser: Browser) -> None:
    """Fetch the build once, for the draft that it offers to begin with."""
    answer = await browser.post("/api/admin/start-path", {"choice": "setup_new"})
    known.learn("/api/admin/start-path", {}, {}, answer)
    body = {"tag": known.own_tag, "setup_workflow_id": known.one("workflow")}
    job = await browser.post("/api/setup/releases/prepare", body, X_Setup_Intent_ID=known.one("intent"))
    await browser.ended(job)
    known.draft = (await browser.get("/api/setup/config/schema")).json["example"]
