"""Each act of the hand, and what it does when somebody else has been there before.

Source: `site.md` 8; `replacement.md` 7.4; `faults.md` F25, F33.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker.labels import OPERATION as OF
from ems_admin.docker.labels import PREDECESSOR
from ems_admin.docker.replacement.snapshot import remembered
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body
from ems_admin.machines.records.transition import DigestKind
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Snapshot
from tests.docker.replacement.launching import push
from tests.docker.replacement.moving import NAME, PORT, Moving
from tests.docker.replacement.walking import act
from tests.docker.wire import Fault, a_wire
from tests.lab.registry import ADDRESS

BUSY: Mapping[str, Any] = {"Cmd": ["updater"], "Labels": {OF: "stranger"}}


def stranger(moving: Moving, name: str, **more: Any) -> str:
    return moving.api.run(name, {"Image": moving.images["old"], **BUSY, **more})


def policy(moving: Moving, which: str) -> str:
    said: str = moving.said(which)["HostConfig"]["RestartPolicy"]["Name"]
    return said


async def test_the_snapshot_holds_all_that_a_way_back_reads(moving: Moving) -> None:
    old = moving.begun(Env=["SECRET=hunter2"])
    taken = await moving.mover().snapshot(moving.b1)
    assert isinstance(taken, Snapshot)
    assert taken.predecessor == Body(id=old, image_id=moving.images["old"], name=NAME)
    found = remembered(taken.text)
    assert found is not None
    assert (found.id, found.name, found.image_id) == (old, NAME, moving.images["old"])
    assert found.pin == moving.place.admin_pin.read_bytes()
    assert found.policy["Name"] == "unless-stopped"
    assert "SECRET=hunter2" in found.config["Env"]
    assert "hunter2" not in repr(found)
    assert found.text == taken.text


async def test_without_an_updater_of_its_own_no_snapshot_is_taken(moving: Moving) -> None:
    old = moving.begun()
    for own in (None, old, "0" * 64):
        answer = await moving.mover(own=own).snapshot(moving.b1)
        assert answer == EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


async def test_an_old_admin_whose_image_is_gone_is_not_stopped(moving: Moving) -> None:
    """F33: the engine keeps it running, and could not start it again elsewhere."""
    moving.begun()
    image = moving.said(NAME)["Image"].removeprefix("sha256:")
    place = moving.engine.dockerd.data / "image/overlay2/imagedb/content/sha256" / image
    kept = place.read_bytes()
    place.unlink()
    try:
        answer = await moving.mover().snapshot(moving.b1)
    finally:
        place.write_bytes(kept)
    assert answer == EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


async def test_a_new_admin_that_was_created_and_never_noted_is_found_and_completed(moving: Moving) -> None:
    """Also one that a cut has left in half of its networks."""
    moving.begun(networks={"front": {}, "back": {"Aliases": ["adm"]}})
    run = await moving.moved_up_to("set_aside")
    made = await act(moving, "create_successor", run)
    moving.api.ask("POST", "networks/back/disconnect", {"Container": made.id, "Force": True})
    assert await act(moving, "create_successor", run) == made
    assert "adm" in moving.said(made.id)["NetworkSettings"]["Networks"]["back"]["Aliases"]


async def test_a_stranger_under_the_own_name_is_named_and_stays(moving: Moving) -> None:
    """F32."""
    moving.begun()
    run = await moving.moved_up_to("set_aside")
    other = stranger(moving, NAME)
    answer = await act(moving, "create_successor", run)
    assert answer == EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=NAME)
    assert moving.said(other)["State"]["Running"]
    assert await act(moving, "remove_successor", run) == Done()
    assert moving.said(other)["State"]["Running"]


async def test_a_network_that_cannot_be_joined_leaves_nothing_behind(moving: Moving, tmp_path: Path) -> None:
    moving.begun(networks={"front": {}, "back": {}})
    run = await moving.moved_up_to("set_aside")
    async with a_wire(moving.engine.dockerd.socket, tmp_path) as wire:
        wire.meets(Fault(method="POST", path=r"/connect$", refused=(404, "network back not found")))
        answer = await act(moving, "create_successor", run, url=wire.url)
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.detail) == (Code.REPLACEMENT_START_FAILED, "network")
    assert moving.api.container(NAME) is None


async def test_a_port_in_use_is_waited_for_then_it_is_a_failure(moving: Moving) -> None:
    moving.begun()
    run = await moving.moved_up_to("create_successor")
    bound = {"PortBindings": {"8090/tcp": [{"HostPort": str(PORT)}]}}
    other = stranger(moving, "other", HostConfig=bound, ExposedPorts={"8090/tcp": {}})
    answer = await act(moving, "start_successor", run)
    assert isinstance(answer, EngineFailure)
    assert (answer.code, answer.detail) == (Code.REPLACEMENT_START_FAILED, "port")
    moving.api.remove(other)
    assert await act(moving, "start_successor", run) == Done()


async def test_the_old_admin_is_removed_only_beside_a_new_one_that_runs(moving: Moving) -> None:
    """And none of its volumes with it."""
    old = moving.begun(Volumes={"/kept": {}})
    run = await moving.moved_up_to("unfence_successor")
    moving.api.ask("POST", f"containers/{NAME}/stop", t="1")
    assert await act(moving, "remove_predecessor", run) == EngineFailure(
        code=Code.REPLACEMENT_START_FAILED, detail="process"
    )
    assert moving.api.container(old) is not None
    assert await act(moving, "unfence_successor", run) == Done()
    assert await act(moving, "remove_predecessor", run) == Done()
    assert moving.api.container(old) is None
    (kept,) = moving.said(NAME)["Mounts"]
    assert kept["Destination"] == "/kept"
    assert kept["Name"] in {volume["Name"] for volume in moving.api.ask("GET", "volumes")["Volumes"]}


async def test_an_old_admin_whose_network_was_made_anew_comes_back_into_it(moving: Moving) -> None:
    moving.begun(networks={"front": {}, "back": {"IPAMConfig": {"IPv4Address": "10.232.2.60"}}})
    run = await moving.moved_up_to("set_aside")
    config = {"Name": "back", "IPAM": {"Config": [{"Subnet": "10.232.2.0/24"}]}}
    moving.api.ask("DELETE", "networks/back")
    moving.api.ask("POST", "networks/create", config)
    assert await act(moving, "restore_predecessor", run) == Done()
    assert moving.said(NAME)["NetworkSettings"]["Networks"]["back"]["IPAddress"] == "10.232.2.60"
    assert await moving.mover().running_image(run) == moving.images["old"]


@pytest.mark.parametrize("name", ["start_successor", "restore_predecessor"])
async def test_an_updater_that_was_given_the_address_of_the_admin_makes_way(moving: Moving, name: str) -> None:
    """As a reboot may give it: without that nobody could start, neither the new Admin nor the old one."""
    fixed = {"IPAMConfig": {"IPv4Address": "10.232.1.77"}}
    moving.begun(networks={"front": fixed})
    run = await moving.moved_up_to("create_successor" if name == "start_successor" else "set_aside")
    moving.api.ask("POST", "networks/front/disconnect", {"Container": moving.updater, "Force": True})
    moving.api.ask("POST", "networks/front/connect", {"Container": moving.updater, "EndpointConfig": fixed})
    assert await act(moving, name, run) == Done()
    assert moving.said(NAME)["NetworkSettings"]["Networks"]["front"]["IPAddress"] == "10.232.1.77"
    assert moving.said(NAME)["State"]["Running"]
    updater = moving.said(moving.updater)["NetworkSettings"]["Networks"]["front"]["IPAddress"]
    assert updater not in {"", "10.232.1.77"}


async def test_an_admin_never_stops_or_removes_itself(moving: Moving) -> None:
    """F28, F29."""
    old = moving.begun()
    run = await moving.moved_up_to(None)
    assert await act(moving, "stop_predecessor", run, own=old) == EngineFailure(code=Code.OWN_CONTAINER_PROTECTED)
    run = await moving.moved_up_to("start_successor")
    assert run.successor is not None
    answer = await act(moving, "remove_successor", run, own=run.successor.id)
    assert answer == EngineFailure(code=Code.OWN_CONTAINER_PROTECTED)
    assert moving.said(NAME)["State"]["Running"]


async def test_only_an_updater_retires(moving: Moving) -> None:
    old = moving.begun()
    assert await moving.mover(own=old).retire() == Done()
    assert await moving.mover(own=None).retire() == Done()
    assert (policy(moving, old), policy(moving, moving.updater)) == ("unless-stopped", "unless-stopped")
    assert await moving.mover().retire() == Done()
    assert policy(moving, moving.updater) == "no"


async def test_without_a_run_record_the_admin_of_the_own_label_is_started_if_nobody_serves(moving: Moving) -> None:
    old = moving.begun()
    await moving.moved_up_to("set_aside")
    assert await moving.mover().revive_predecessor() == Done()
    said = moving.said(NAME)
    assert (said["Id"], said["State"]["Running"]) == (old, True)


async def test_without_a_run_record_an_admin_that_serves_is_left_alone(moving: Moving) -> None:
    old = moving.begun()
    await moving.moved_up_to("start_successor")
    assert await moving.mover().revive_predecessor() == Done()
    assert not moving.said(old)["State"]["Running"]
    assert moving.said(moving.updater)["Config"]["Labels"][PREDECESSOR] == old


async def test_the_next_start_of_the_host_names_the_image_as_its_registry_does(moving: Moving) -> None:
    """Its digest is the registry's, its name is in the snapshot: B1 may have gone past this by then."""
    repository = f"{ADDRESS}/moving/admin"
    moving.api.ask("POST", f"images/{moving.images['good']}/tag", repo=repository, tag="new")
    digest = push(moving.api, f"{repository}:new")
    moving.begun()
    named = f"{repository}:new"
    moving.lay(evolve(moving.b1, admin_image=named, admin_digest=digest, digest_kind=DigestKind.REGISTRY))
    run = await moving.moved_up_to("create_successor")
    assert await act(moving, "name_successor", run) == Done()
    assert moving.place.admin_pin.read_text() == f"# mine\nEMS_ADMIN_IMAGE={repository}@{digest}\nTZ=UTC\n"
    assert moving.said(NAME)["Image"] == moving.images["good"]
    assert await act(moving, "remove_successor", run) == Done()
    assert await act(moving, "restore_predecessor", run) == Done()
    assert moving.place.admin_pin.read_text() == "# mine\nEMS_ADMIN_IMAGE=ems-admin:old\nTZ=UTC\n"


async def test_whom_somebody_has_frozen_is_thawed(moving: Moving) -> None:
    """Frozen, an Admin could neither be stopped nor serve."""
    old = moving.begun()
    moving.api.ask("POST", f"containers/{old}/pause")
    run = await moving.moved_up_to("start_successor")
    moving.api.ask("POST", f"containers/{NAME}/pause")
    assert await act(moving, "start_successor", run) == Done()
    assert moving.said(NAME)["State"]["Status"] == "running"
    moving.api.ask("POST", f"containers/{NAME}/pause")
    assert await act(moving, "remove_successor", run) == Done()
    moving.api.ask("POST", f"containers/{old}/start")
    moving.api.ask("POST", f"containers/{old}/pause")
    assert await act(moving, "restore_predecessor", run) == Done()
    assert await moving.mover().running_image(run) == moving.images["old"]
