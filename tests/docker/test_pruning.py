"""After an operation is over, what it put aside goes, and of the images only those that we have pulled.

Source: `seed 000` 7.4.1; `site.md` 8; `faults.md` F24.
"""

from __future__ import annotations

import json

from ems_admin.docker import labels
from ems_admin.docker.marks import Mark
from ems_admin.workflows.ports.engine import Activity, Done
from ems_admin.workflows.ports.services import Seen
from tests.docker.ground import Ground, deployment, pinned, quietly
from tests.docker.test_pulling import forget

MOVES = (
    ("start", Activity.ACTIVE),
    ("pause", Activity.UNKNOWN),
    ("unpause", Activity.ACTIVE),
    ("kill", Activity.INACTIVE),
)


def known_good(ground: Ground, build: str) -> str:
    build_id = ground.lab.builds[build].identity.build_id
    return Mark(site=ground.place.site, role="ems", build_id=build_id, known_good=True).reference


async def upgraded(ground: Ground) -> None:
    """Run the good build, pulled by us, and then the newer one, pulled by us."""
    for name in ("good", "newer"):
        build = ground.lab.builds[name]
        forget(ground, pinned(build))
        assert await ground.engine().fetch(deployment(build), quietly) == Done()
        assert await ground.engine().start(deployment(build), quietly) == Done()


async def test_the_predecessor_and_its_image_go_once_nobody_needs_them(ground: Ground) -> None:
    await upgraded(ground)
    assert len(ground.names()) == 2
    await ground.engine().prune(frozenset({ground.lab.builds["newer"].identity.build_id}))
    assert ground.names() == ["ems"]
    assert ground.lab.api.image(pinned(ground.lab.builds["good"])) is None
    assert ground.lab.api.image(pinned(ground.lab.builds["newer"])) is not None
    assert ground.lab.api.image(known_good(ground, "newer")) is not None


async def test_the_image_of_a_build_that_is_kept_stays_for_a_step_back(ground: Ground) -> None:
    await upgraded(ground)
    both = frozenset(ground.lab.builds[name].identity.build_id for name in ("good", "newer"))
    await ground.engine().prune(both)
    assert ground.names() == ["ems"]
    assert ground.lab.api.image(pinned(ground.lab.builds["good"])) is not None


async def test_until_then_the_stopped_predecessor_holds_its_image_against_a_thorough_clean_up(ground: Ground) -> None:
    await upgraded(ground)
    good = ground.lab.builds["good"]
    ours = [f"{labels.BUILD_ID}={good.identity.build_id}"]
    ground.lab.api.ask("POST", "images/prune", filters=json.dumps({"dangling": ["false"], "label": ours}))
    ground.lab.registry.stop()
    assert await ground.engine().fetch(deployment(good), quietly) == Done()
    assert await ground.engine().start(deployment(good), quietly) == Done()
    observed = await ground.engine().observe()
    assert isinstance(observed, Seen)
    assert [one.digest for one in observed.services] == [good.ems.digest]


async def test_the_predecessor_stays_while_its_successor_does_not_run(ground: Ground) -> None:
    await upgraded(ground)
    await ground.engine().stop(quietly)
    await ground.engine().prune(frozenset())
    aside = labels.aside_name("ems", ground.lab.builds["good"].identity.build_id)
    assert ground.names() == ["ems", aside]
    assert ground.lab.api.image(pinned(ground.lab.builds["good"])) is not None


async def test_an_image_that_any_container_refers_to_stays(ground: Ground) -> None:
    await upgraded(ground)
    ground.stranger("somebody", runs=False, Image=pinned(ground.lab.builds["good"]))
    await ground.engine().prune(frozenset())
    assert ground.lab.api.image(pinned(ground.lab.builds["good"])) is not None


async def test_an_image_that_was_here_before_us_stays(ground: Ground) -> None:
    for name in ("good", "newer"):
        assert await ground.engine().fetch(deployment(ground.lab.builds[name]), quietly) == Done()
        assert await ground.engine().start(deployment(ground.lab.builds[name]), quietly) == Done()
    await ground.engine().prune(frozenset())
    assert ground.lab.api.image(pinned(ground.lab.builds["good"])) is not None


async def test_what_is_no_container_of_the_site_is_never_removed(ground: Ground) -> None:
    await upgraded(ground)
    for name, told in (("ems-before-mine", {}), ("other", {labels.SITE: "0" * 16, labels.SERVICE: "ems"})):
        ground.stranger(name, runs=False, Labels=told)
    await ground.engine().prune(frozenset())
    assert ground.names() == ["ems", "ems-before-mine", "other"]


async def test_a_replacement_runs_as_long_as_an_updater_does(ground: Ground) -> None:
    engine, operation = ground.engine(), "f" * 32
    told = {labels.OPERATION: operation, labels.ATTEMPT: "1"}
    assert await engine.replacement_activity(operation) is Activity.INACTIVE
    assert await engine.replacement_activity(None) is Activity.INACTIVE
    updater = ground.stranger(f"{labels.UPDATER_PREFIX}{operation}-1", runs=False, Labels=told)
    assert await engine.replacement_activity(operation) is Activity.ACTIVE
    for move, activity in MOVES:
        assert await engine.replacement_activity("0" * 32) is Activity.INACTIVE
        ground.lab.api.ask("POST", f"containers/{updater}/{move}")
        assert await engine.replacement_activity(operation) is activity
        assert await engine.replacement_activity(None) is activity
    ground.lab.engine.stop()
    assert await engine.replacement_activity(operation) is Activity.UNKNOWN
