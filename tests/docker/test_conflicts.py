"""A container that is in the way is shown, and cleared by its id after another look; never the Admin's own.

Source: `site.md` 8; `faults.md` D1, F29.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import ContainerConflict, Done, EngineFailure
from ems_admin.workflows.ports.services import NotSeen
from tests.docker.ground import Ground, deployment, pinned, quietly
from tests.docker.wire import Fault, a_wire


async def conflict(ground: Ground, **more: Any) -> ContainerConflict:
    """Prepare an EMS whose name is taken, and look."""
    await ground.engine().write_stack(deployment(ground.lab.builds["good"]))
    found = await ground.engine(**more).conflict(None)
    assert isinstance(found, ContainerConflict)
    return found


async def test_what_is_in_the_way_is_shown(ground: Ground) -> None:
    stranger = ground.stranger("ems")
    found = await conflict(ground)
    assert (found.container_name, found.container_id, found.status) == ("ems", stranger, "running")
    assert (found.image, found.selected_image) == (ground.lab.base, pinned(ground.lab.builds["good"]))
    assert (found.image_mismatch, found.replace_available, found.safe_fix_available) == (True, True, False)
    assert await ground.engine().conflict("ems") == found


async def test_nobody_in_the_way_is_none_and_other_names_are_nobody_s_business(ground: Ground) -> None:
    ground.stranger("other")
    await ground.engine().write_stack(deployment(ground.lab.builds["good"]))
    assert await ground.engine().conflict(None) is None
    assert await ground.engine().conflict("other") is None
    await ground.engine().start(deployment(ground.lab.builds["good"]), quietly)
    assert await ground.engine().conflict(None) is None


async def test_a_stopped_one_is_removed_and_the_start_goes_on(ground: Ground) -> None:
    ground.stranger("ems", runs=False)
    found = await conflict(ground)
    assert found.safe_fix_available
    assert await ground.engine().clear_conflict(found, replace=False) == Done()
    assert ground.names() == []
    assert await ground.engine().clear_conflict(found, replace=False) == Done()
    assert await ground.engine().start(deployment(ground.lab.builds["good"]), quietly) == Done()


async def test_a_running_one_is_stopped_and_removed_only_on_purpose(ground: Ground) -> None:
    stranger = ground.stranger("ems", HostConfig={"Binds": ["kept:/kept"]})
    found = await conflict(ground)
    refused = await ground.engine().clear_conflict(found, replace=False)
    assert refused == EngineFailure(code=Code.CONTAINER_NOT_STOPPED, detail="ems")
    assert ground.container("ems")["Id"] == stranger
    assert await ground.engine().clear_conflict(found, replace=True) == Done()
    assert ground.names() == []
    assert [one["Name"] for one in ground.lab.api.ask("GET", "volumes")["Volumes"]] == ["kept"]


async def test_nothing_is_replaced_without_an_image_to_replace_it_with(ground: Ground) -> None:
    ground.stranger("ems")
    image = ground.lab.api.image(pinned(ground.lab.builds["good"]))
    assert image is not None
    ground.lab.api.ask("DELETE", f"images/{image['Id']}", force="1")
    found = await conflict(ground)
    assert not found.replace_available
    refused = await ground.engine().clear_conflict(found, replace=True)
    assert refused == EngineFailure(code=Code.SELECTED_IMAGE_MISSING, detail="ems")
    assert ground.container("ems")["State"]["Running"]


async def test_another_container_under_the_name_is_another_question(ground: Ground) -> None:
    first = ground.stranger("ems", runs=False)
    found = await conflict(ground)
    ground.lab.api.ask("POST", f"containers/{first}/rename", name="aside")
    second = ground.stranger("ems", runs=False)
    changed = await ground.engine().clear_conflict(found, replace=False)
    assert changed == EngineFailure(code=Code.CONTAINER_CONFLICT_CHANGED, detail="ems")
    assert {ground.container("ems")["Id"], ground.container("aside")["Id"]} == {first, second}


async def test_one_that_has_begun_to_run_is_not_removed_as_a_stopped_one(ground: Ground) -> None:
    stranger = ground.stranger("ems", runs=False)
    found = await conflict(ground)
    ground.lab.api.ask("POST", f"containers/{stranger}/start")
    refused = await ground.engine().clear_conflict(found, replace=False)
    assert refused == EngineFailure(code=Code.CONTAINER_NOT_STOPPED, detail="ems")


@pytest.mark.parametrize("said", [lambda own: own, lambda _own: "ems", lambda own: own[:12]])
async def test_the_own_container_is_protected_however_it_is_known(ground: Ground, said: Callable[[str], str]) -> None:
    """F29: `EMS_ADMIN_CONTAINER` may hold a name, or the id as people see it."""
    own = ground.stranger("ems", HostConfig={"Binds": [f"{ground.root}:{ground.root}"]})
    engine = ground.engine(own=said(own))
    found = await conflict(ground, own=said(own))
    assert found.container_id == own
    protected = EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail="ems")
    assert await engine.clear_conflict(found, replace=True) == protected
    assert await engine.start(ground.light(), quietly) == protected
    assert ground.container("ems")["State"]["Running"]


async def test_whether_there_is_an_image_to_replace_it_with_is_asked_and_never_guessed(ground: Ground) -> None:
    """D1: nobody says that it is missing, so nobody is told so."""
    stranger = ground.stranger("ems")
    found = await conflict(ground)
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="GET", path="/images/.*/json$", refused=(500, "a broken file"), times=9))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        assert isinstance(await engine.conflict(None), NotSeen)
        refused = await engine.clear_conflict(found, replace=True)
    assert refused == EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="ems")
    assert ground.container("ems")["Id"] == stranger


async def test_the_own_container_is_protected_and_nothing_is_sent(ground: Ground) -> None:
    own = ground.stranger("ems", HostConfig={"Binds": [f"{ground.root}:{ground.root}"]})
    found = await conflict(ground, own=own)
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        engine = ground.engine(own=own, daemon=ground.daemon(wire.url))
        refused = await engine.clear_conflict(found, replace=True)
        assert wire.sent == []
    assert refused == EngineFailure(code=Code.OWN_CONTAINER_PROTECTED, detail="ems")
    assert ground.container("ems")["State"]["Running"]


async def test_while_nobody_can_say_who_it_is_nothing_is_done(ground: Ground) -> None:
    stranger = ground.stranger("ems", runs=False)
    found = await conflict(ground)
    async with a_wire(ground.lab.engine.socket, ground.root) as wire:
        wire.meets(Fault(method="GET", path="/containers/.*/json$", refused=(500, "a broken file"), times=9))
        engine = ground.engine(daemon=ground.daemon(wire.url))
        assert isinstance(await engine.conflict(None), NotSeen)
        refused = await engine.clear_conflict(evolve(found), replace=False)
    assert refused == EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE)
    assert ground.container("ems")["Id"] == stranger
