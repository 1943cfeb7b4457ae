"""What is to run is worked out before anything is touched, and a service keeps the address that people know.

Source: `site.md` 6, 8.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.docker import labels
from ems_admin.docker.creating import body
from ems_admin.docker.definition import known
from ems_admin.docker.planning import Ports, plan
from ems_admin.docker.sights import Row, read_row
from ems_admin.docker.stack_images import images_of
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel, Service, Stack
from ems_admin.workflows.ports.engine import Deployment, EngineFailure
from tests.docker.ground import EMS
from tests.docker.samples import AROUND, DIGEST, FREE, MANIFEST, PLACE, container, defined, images

HISTORY = evolve(EMS, name="history", image=f"r.example/db:2@{DIGEST}", after=("ems",), port=8086)


def row(name: str, ports: set[int], **told: str) -> Row:
    return evolve(read_row({"Id": name, "Names": [f"/{name}"], "Labels": told}), ports=frozenset(ports))


def planned(ports: Ports, *services: Service) -> list[tuple[str, int]]:
    stack = plan(MANIFEST, images(*services), PLACE, AROUND, ports)
    assert not isinstance(stack, EngineFailure)
    return [(one.service, one.published) for one in stack]


def test_a_service_without_a_port_of_its_own_gets_the_one_it_listens_at() -> None:
    assert planned(FREE, EMS) == [("ems", 8099)]


def test_a_service_keeps_the_port_it_had_also_when_its_container_was_put_aside() -> None:
    wanted = defined(published=8123)
    for name in ("ems", "ems-before-1.0.0-b1"):
        ports = Ports.of((evolve(row(name, {8123}), labels=wanted.labels),), PLACE.site)
        assert planned(ports, EMS) == [("ems", 8123)]


def test_a_port_of_somebody_else_is_passed_over() -> None:
    ports = Ports.of((row("other", {8099}), row("third", {8100})), PLACE.site)
    assert planned(ports, EMS) == [("ems", 8101)]


def test_two_services_of_one_stack_get_two_ports_the_fixed_one_first() -> None:
    fixed = evolve(HISTORY, publish=8099)
    assert planned(FREE, EMS, fixed) == [("ems", 8100), ("history", 8099)]


def test_a_fixed_port_that_is_taken_is_a_conflict() -> None:
    ports = Ports.of((row("other", {8443}),), PLACE.site)
    failure = plan(MANIFEST, images(evolve(EMS, publish=8443)), PLACE, AROUND, ports)
    assert failure == EngineFailure(code=Code.CONTAINER_PORT_CONFLICT, detail="8443")


def test_services_stand_in_the_order_of_their_start() -> None:
    assert [name for name, _ in planned(FREE, HISTORY, EMS)] == ["ems", "history"]


def test_the_same_service_of_the_same_build_is_the_same_definition_and_any_change_is_another() -> None:
    assert defined().hash == defined().hash
    changes = ({"environment": {"A": "b"}}, {"command": ("x",)}, {"port": 1}, {"mounts": EMS.mounts[:1]})
    hashes = {defined(**change).hash for change in changes} | {defined().hash, defined(published=9).hash}
    assert len(hashes) == 6


def test_only_what_was_created_from_all_of_it_is_the_same() -> None:
    assert defined().is_of(container())
    assert not defined().is_of(container(image=DIGEST))
    assert not defined(published=9).is_of(container())


def test_everything_is_known_again_from_the_labels_alone() -> None:
    told = known(defined(published=8123, after=("a", "b")).labels)
    assert (told.service, told.port, told.published, told.after) == ("ems", 8099, 8123, ("a", "b"))
    assert (told.health_path, told.timeout.total_seconds(), told.start_period.total_seconds()) == ("/health", 3, 10)
    assert (told.dashboard_path, told.build_id) == ("/", "1.0.0-b1")


def test_labels_that_were_tampered_with_are_read_as_well_as_they_can_be() -> None:
    told = known(
        {labels.SERVICE: "ems", labels.PORT: "x", labels.HEALTH_TIMEOUT: "9" * 99, labels.HEALTH_PATH: "health"}
    )
    assert (told.port, told.timeout.total_seconds(), told.health_path) == (0, 3, "/health")


def test_a_container_is_created_with_what_the_stack_says_and_nothing_more() -> None:
    told = body(defined(environment={"EMS_DATA": "{data}/x", "A": "{port}"}, command=("--config", "{config}")))
    assert told["User"] == "10001:10001"
    assert set(told["Env"]) == {"EMS_CONFIG=/config", "EMS_DATA=/data/x", "EMS_PORT=8099", "A=8099"}
    assert told["Cmd"] == ["--config", "/config"]
    assert told["HostConfig"]["Mounts"] == [
        {"Type": "bind", "Source": "/srv/ems/config", "Target": "/config", "ReadOnly": True},
        {"Type": "bind", "Source": "/srv/ems/data", "Target": "/data", "ReadOnly": False},
    ]
    assert told["HostConfig"]["RestartPolicy"] == {"Name": "unless-stopped"}
    assert told["HostConfig"]["SecurityOpt"] == ["no-new-privileges"]
    assert told["HostConfig"]["NetworkMode"] == "house"
    assert "Privileged" not in told["HostConfig"]


def test_the_default_network_knows_no_names() -> None:
    assert "NetworkingConfig" not in body(evolve(defined(), network="bridge"))
    assert body(defined())["NetworkingConfig"]["EndpointsConfig"]["house"]["Aliases"] == ["ems"]


def test_images_are_named_by_their_digest_alone() -> None:
    ems, history = images(EMS, HISTORY)
    assert (ems.reference, ems.own_build) == (f"r.example:5000/ems@{DIGEST}", True)
    assert (history.reference, history.own_build) == (f"r.example/db@{DIGEST}", False)


def test_a_local_build_is_named_by_its_image_id_and_is_never_pulled() -> None:
    (ems,) = images(EMS, manifest=evolve(MANIFEST, channel=Channel.LOCAL))
    assert (ems.reference, ems.comes_from_registry) == (DIGEST, False)


@pytest.mark.parametrize("image", [None, "r.example/db:2"])
def test_a_service_without_an_exact_image_cannot_run_as_a_container(image: str | None) -> None:
    stack = Stack(format_version=1, services=(evolve(EMS, image=image),))
    failure = images_of(Deployment(manifest=MANIFEST, stack=stack))
    assert failure == EngineFailure(code=Code.SYSTEM_BUILD_UNAVAILABLE, detail="ems")


def test_a_row_that_makes_no_sense_says_nothing_and_breaks_nothing() -> None:
    found = read_row({"Id": None, "Names": None, "Labels": [], "Ports": [{"PublicPort": "x"}, 3], "State": 4})
    assert (found.id, found.name, found.ports) == ("", "", frozenset())
    assert read_row({"Names": ["/other/alias", "/ems"]}).name == "ems"
