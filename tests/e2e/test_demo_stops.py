"""A demo that is asked to end takes its EMS along, and the next start brings the proven one back. `site.md` 10."""

import subprocess
import sys

from tests.e2e import journey
from tests.e2e.deadline import until
from tests.e2e.demo import Demo
from tests.e2e.visitor import Visitor


def test_a_demo_that_is_stopped_stops_its_ems_and_the_next_start_brings_it_back(demo: Demo) -> None:
    visitor = Visitor(demo.url).enter()
    journey.to_the_end(visitor)
    (first,) = demo.ems_pids()
    demo.stop()
    assert demo.ems_pids() == []
    demo.start()
    back = until(demo.ems_pids, "the EMS is back")
    model = journey.finish(Visitor(demo.url).enter())
    assert demo.ems_pids() == back != [first]
    assert model["known_good"]["system_tag"] == model["setup"]["selected_system_tag"]


def test_a_demo_that_is_stopped_before_the_end_of_the_setup_starts_nothing_behind_its_back(demo: Demo) -> None:
    visitor = Visitor(demo.url).enter()
    journey.to_start(visitor)
    demo.stop()
    demo.start()
    model = Visitor(demo.url).enter().console()
    assert (journey.shown_step(model), demo.ems_pids()) == ("start", [])
    assert model["lifecycle"]["operation"] is None


def test_a_second_demo_at_the_same_root_is_refused_and_the_first_goes_on(demo: Demo) -> None:
    command = [sys.executable, "-m", "ems_admin", "demo", "--root", str(demo.root), "--port", "0"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode != 0
    assert "site_locked" in refused.stderr
    assert Visitor(demo.url).enter().console()["ok"]
