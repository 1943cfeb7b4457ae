"""The demo is killed at each step and started again: the same step is shown, and the way goes on from there.

Nothing is lost and nothing is doubled: the EMS of a killed Admin lives on and is adopted. Source: `site.md` 10;
`faults.md` F28, F41, F42.
"""

from collections.abc import Callable
from typing import Any, Final

import pytest
from attrs import frozen

from tests.e2e import journey
from tests.e2e.demo import Demo
from tests.e2e.visitor import Answer, Visitor


@frozen
class Moment:
    """A place to be killed at: how to get there, and what has been durable since."""

    reach: Callable[[Visitor], object]
    step: str
    stage: str | None


def running_step(key: str) -> Callable[[Answer], bool]:
    """Say whether a job is in the middle of this step, or already past it."""

    def so(job: Answer) -> bool:
        return any(step["key"] == key and step["status"] != "pending" for step in job["steps"])

    return so


def in_mid_job(before: Callable[[Visitor], Any], begin: Callable[[Visitor], Answer], step: str) -> Any:
    """Begin a job and be there while it works on a step."""

    def reach(visitor: Visitor) -> None:
        before(visitor)
        visitor.until_job(begin(visitor)["id"], running_step(step), f"it is at {step}")

    return reach


def with_preview(visitor: Visitor) -> None:
    journey.to_config(visitor)
    journey.preview(visitor)


def in_mid_prepare(visitor: Visitor) -> None:
    journey.to_prepare(visitor)
    journey.prepare(visitor)


MOMENTS: Final = {
    "after start-path": Moment(journey.begin, "release", None),
    "after the build was accepted": Moment(journey.use_build, "release", "admin_aligned"),
    "in mid-import": Moment(in_mid_job(journey.begin, journey.use_build, "unpack"), "release", "admin_aligned"),
    "after the import": Moment(journey.to_config, "config", "resources_verified"),
    "after the preview": Moment(with_preview, "config", "resources_verified"),
    "after the config was written": Moment(journey.to_prepare, "prepare", "resources_verified"),
    "in mid-prepare": Moment(in_mid_prepare, "prepare", "resources_verified"),
    "after prepare": Moment(journey.to_start, "start", "resources_verified"),
    "while the EMS starts": Moment(
        in_mid_job(journey.to_start, journey.start, "start"), "start", "ems_operation_running"
    ),
    "while it settles": Moment(in_mid_job(journey.to_start, journey.start, "settle"), "start", "ems_operation_running"),
    "while it is probed": Moment(in_mid_job(journey.to_start, journey.start, "probe"), "start", "healthcheck_pending"),
    "after the end": Moment(journey.to_the_end, "finished", "completed"),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=list(MOMENTS))
def test_a_demo_that_is_killed_shows_the_same_step_again_and_finishes(demo: Demo, moment: Moment) -> None:
    visitor = Visitor(demo.url).enter()
    moment.reach(visitor)
    demo.kill()
    before = demo.ems_pids()
    demo.start()
    visitor = Visitor(demo.url).enter()
    model = visitor.console()
    assert (journey.shown_step(model), stage_of(model)) == (moment.step, moment.stage)
    finished = journey.finish(visitor)
    after = demo.ems_pids()
    assert len(after) == 1
    assert before in ([], after), "whoever lived is adopted, not replaced"
    assert stage_of(finished) == "completed"


def stage_of(model: Answer) -> str | None:
    transition = model["alignment"]["transition"]
    return None if transition is None else str(transition["stage"])
