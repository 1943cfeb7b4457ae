"""From a snapshot to a body: what is the container's own stays, what its old image supplied does not.

Source: `replacement.md` 7.4; `faults.md` F25.
"""

from __future__ import annotations

from typing import Any

import pytest

from ems_admin.docker.replacement.recreation import predecessor_again, successor_of
from ems_admin.docker.replacement.snapshot import Remembered, Target

ID = "ab" * 32
NEW = "sha256:" + "9" * 64
IMAGE: dict[str, Any] = {
    "User": "10001:10001",
    "ExposedPorts": {"8090/tcp": {}},
    "Env": ["PATH=/old/bin", "LISTEN=0.0.0.0:8090"],
    "Cmd": ["serve"],
    "Entrypoint": ["ems-admin"],
    "Volumes": {"/cache": {}},
    "WorkingDir": "/old",
    "StopSignal": "SIGTERM",
    "Labels": {"build": "1", "com.docker.compose.project": "ems"},
    "Healthcheck": {"Test": ["CMD", "health"], "Interval": 30},
}
DEFAULTS: dict[str, Any] = {"Hostname": ID[:12], "Domainname": "", "Tty": False, "Image": "admin:old"}


def remembered(config: dict[str, Any] | None = None, host: dict[str, Any] | None = None, **more: Any) -> Remembered:
    networks = more.pop("networks", {"bridge": {"IPAMConfig": None, "Aliases": None, "NetworkID": "n0"}})
    container = {
        "Id": ID,
        "Name": "/ems-admin",
        "Image": "sha256:" + "1" * 64,
        "Config": {**DEFAULTS, **IMAGE, **(config or {})},
        "HostConfig": {"NetworkMode": "default", "RestartPolicy": {"Name": "always"}, "Binds": None, **(host or {})},
        "Mounts": more.pop("mounts", []),
        "NetworkSettings": {"Networks": networks, "Ports": {}},
    }
    target = Target(reference="r@sha256:x", image_id=NEW)
    return Remembered(container=container, image=IMAGE, pin=None, target=target)


def body(old: Remembered) -> dict[str, Any]:
    return dict(successor_of(old, "op-1").body)


def test_nothing_that_the_old_image_supplied_is_taken_over() -> None:
    made = body(remembered())
    assert made["Image"] == NEW
    assert made["Env"] == ["EMS_ADMIN_STARTED_FOR=op-1"]
    assert made["Labels"] == {"com.docker.compose.project": "ems"}, "a label of compose is never the image's"
    assert (made["ExposedPorts"], made["Volumes"]) == ({}, {})
    assert made.keys().isdisjoint({"User", "WorkingDir", "StopSignal", "Entrypoint", "Cmd", "Healthcheck", "Hostname"})


def test_all_that_was_chosen_for_the_container_is_taken_over() -> None:
    own = {
        "User": "1000:1000",
        "ExposedPorts": {"8090/tcp": {}, "9/udp": {}},
        "Env": [*IMAGE["Env"], "LISTEN=0.0.0.0:9000", "TZ=UTC", "EMS_ADMIN_STARTED_FOR=op-0"],
        "Labels": {"build": "mine", "own": "1", "com.docker.compose.image": "sha256:old"},
        "WorkingDir": "/mine",
        "StopSignal": "SIGINT",
        "Healthcheck": {"Test": ["CMD", "health"], "Interval": 5},
        "Hostname": "house",
        "MacAddress": "02:42:aa:bb:cc:dd",
        "StopTimeout": 7,
    }
    made = body(remembered(own))
    assert made["Env"] == ["LISTEN=0.0.0.0:9000", "TZ=UTC", "EMS_ADMIN_STARTED_FOR=op-1"]
    assert made["Labels"] == {"build": "mine", "own": "1", "com.docker.compose.image": NEW}
    assert made["ExposedPorts"] == {"9/udp": {}}
    assert made["Healthcheck"] == {"Interval": 5}
    for key in ("User", "WorkingDir", "StopSignal", "Hostname", "MacAddress", "StopTimeout"):
        assert made[key] == own[key]


@pytest.mark.parametrize(
    ("entry", "command", "wanted"),
    [
        (["ems-admin"], ["serve"], {}),
        (["ems-admin"], ["serve", "--quiet"], {"Cmd": ["serve", "--quiet"]}),
        (["sh"], ["-c", "x"], {"Entrypoint": ["sh"], "Cmd": ["-c", "x"]}),
        (["sh"], None, {"Entrypoint": ["sh"], "Cmd": None}),
        # The same entry point, given by hand: then the command of the image was not taken.
        (["ems-admin"], None, {"Entrypoint": ["ems-admin"], "Cmd": None}),
    ],
)
def test_entry_point_and_command_are_decided_together(entry: list[str], command: Any, wanted: dict[str, Any]) -> None:
    made = body(remembered({"Entrypoint": entry, "Cmd": command}))
    assert {key: made[key] for key in ("Entrypoint", "Cmd") if key in made} == wanted


def test_only_the_updater_starts_the_new_admin() -> None:
    assert body(remembered())["HostConfig"]["RestartPolicy"] == {"Name": "no", "MaximumRetryCount": 0}


def test_the_old_admin_is_made_again_from_its_own_image_with_its_own_policy() -> None:
    old = remembered({"Env": ["EMS_ADMIN_STARTED_FOR=op-0"], "Labels": {"com.docker.compose.image": "sha256:old"}})
    made = predecessor_again(old).body
    assert made["Image"] == old.image_id
    assert made["HostConfig"]["RestartPolicy"] == {"Name": "always"}
    assert made["Env"] == ["EMS_ADMIN_STARTED_FOR=op-0"]
    assert made["Labels"] == {"com.docker.compose.image": "sha256:old"}


def test_a_volume_without_a_name_goes_on_with_its_data() -> None:
    mounts = [
        {"Type": "volume", "Name": "v1", "Destination": "/cache", "RW": True},
        {"Type": "volume", "Name": "v2", "Destination": "/read", "RW": False},
        {"Type": "volume", "Name": "v3", "Destination": "/mounted", "RW": True},
        {"Type": "volume", "Name": "data", "Destination": "/data", "RW": True},
        {"Type": "bind", "Source": "/srv", "Destination": "/srv", "RW": True},
    ]
    host = {"Binds": ["data:/data", "/srv:/srv:rw"], "Mounts": [{"Type": "volume", "Target": "/mounted"}]}
    made = body(remembered(host=host, mounts=mounts))["HostConfig"]
    assert made["Binds"] == ["data:/data", "/srv:/srv:rw", "v1:/cache", "v2:/read:ro"]
    assert made["Mounts"] == [{"Type": "volume", "Target": "/mounted", "Source": "v3"}]


NETWORKS = {
    "front": {"NetworkID": "f1", "IPAMConfig": {"IPv4Address": "10.0.0.5"}, "Aliases": ["adm", ID[:12], "house"]},
    "back": {"NetworkID": "b1", "IPAMConfig": None, "Aliases": [ID[:12]], "DriverOpts": {"a": "b"}},
}


@pytest.mark.parametrize("mode", ["front", "f1"])
def test_one_network_is_created_with_and_the_others_are_connected(mode: str) -> None:
    old = remembered({"Hostname": "house"}, {"NetworkMode": mode}, networks=NETWORKS)
    made = successor_of(old, "op-1")
    first = {"IPAMConfig": {"IPv4Address": "10.0.0.5"}, "Aliases": ["adm"]}
    assert made.networks == {"front": first, "back": {"DriverOpts": {"a": "b"}}}
    assert made.body["NetworkingConfig"] == {"EndpointsConfig": {"front": first}}
    assert made.body["HostConfig"]["NetworkMode"] == mode


def test_a_container_that_was_moved_to_another_network_is_created_there() -> None:
    made = successor_of(remembered(host={"NetworkMode": "gone"}, networks={"back": NETWORKS["back"]}), "op-1")
    assert made.body["HostConfig"]["NetworkMode"] == "back"
    assert made.networks == {"back": {"DriverOpts": {"a": "b"}}}


@pytest.mark.parametrize(("mode", "networks"), [("host", {"host": {}}), ("none", {"none": {}}), ("container:x", {})])
def test_where_there_is_no_network_of_its_own_none_is_named(mode: str, networks: dict[str, Any]) -> None:
    made = successor_of(remembered({"Hostname": "h"}, {"NetworkMode": mode}, networks=networks), "op-1")
    assert "NetworkingConfig" not in made.body
    assert made.networks == {}
    assert ("Hostname" in made.body) == (mode != "container:x"), "who shares a network has no host name of its own"
