"""What is created from a snapshot is what was there, as the engine itself shows it; and what is not, is found (F25)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from ems_admin.docker import containers, images
from ems_admin.docker.replacement.comparison import differences
from ems_admin.docker.replacement.recreation import Creation, successor_of
from ems_admin.docker.replacement.snapshot import Remembered, remembered
from tests.docker.replacement.admins import derived
from tests.docker.replacement.moving import NAME, Moving
from tests.stores.records import OPERATION

Json = dict[str, Any]
FOR = f"{OPERATION}-1"

RICH_HOST: Json = {
    "PortBindings": {
        "8090/tcp": [{"HostIp": "", "HostPort": "18090"}, {"HostIp": "127.0.0.1", "HostPort": "18091"}],
        "9/udp": [{"HostIp": "", "HostPort": ""}],
    },
    "Binds": ["data:/data:ro", "/run:/host-run:ro,private"],
    "Mounts": [
        {"Type": "tmpfs", "Target": "/t2", "TmpfsOptions": {"SizeBytes": 1000000}},
        {"Type": "volume", "Target": "/unnamed"},
        {"Type": "volume", "Source": "named", "Target": "/named", "VolumeOptions": {"Labels": {"a": "b"}}},
    ],
    "Tmpfs": {"/www": "size=1m", "/tmp": "mode=1777"},
    "Devices": [{"PathOnHost": "/dev/null", "PathInContainer": "/dev/xnull", "CgroupPermissions": "rwm"}],
    "DeviceCgroupRules": ["c 42:* rmw"],
    "GroupAdd": ["33", "44"],
    "LogConfig": {"Type": "json-file", "Config": {"max-size": "1m", "max-file": "2"}},
    "ExtraHosts": ["foo:1.2.3.4"],
    "Dns": ["10.1.1.1"],
    "DnsSearch": ["house"],
    "DnsOptions": ["ndots:1"],
    "Sysctls": {"net.ipv4.ip_forward": "0"},
    "Ulimits": [{"Name": "nofile", "Hard": 2000, "Soft": 1000}],
    "CapDrop": ["ALL"],
    "CapAdd": ["CHOWN", "NET_BIND_SERVICE"],
    "SecurityOpt": ["no-new-privileges"],
    "ReadonlyRootfs": True,
    "Init": True,
    "Memory": 104857600,
    "NanoCpus": 500000000,
    "PidsLimit": 50,
    "ShmSize": 6291456,
    "OomScoreAdj": 100,
    "RestartPolicy": {"Name": "on-failure", "MaximumRetryCount": 5},
}
RICH: Json = {
    "Env": ["TZ=Europe/Berlin", "SECRET=hunter2", "BUILD=mine"],
    "Labels": {"own": "1", "com.docker.compose.project": "ems", "com.docker.compose.image": "sha256:old"},
    "Hostname": "house",
    "MacAddress": "02:42:aa:bb:cc:dd",
    "StopTimeout": 7,
    "Volumes": {"/anonymous": {}},
    "Healthcheck": {"Test": ["CMD", "true"], "Interval": 5000000000},
    "User": "0:0",
    "ExposedPorts": {"8090/tcp": {}, "9/udp": {}},
    "networks": {
        "front": {"IPAMConfig": {"IPv4Address": "10.232.1.50"}, "Aliases": ["adm", "ems"]},
        "back": {"IPAMConfig": {"IPv4Address": "10.232.2.60"}, "Aliases": ["adm2"]},
    },
}
ON_BRIDGE: Json = {"networks": {"bridge": {}}}
WAYS: dict[str, tuple[Json, Json]] = {
    "plain": ({}, {}),
    "rich": (RICH, RICH_HOST),
    "bridge": (ON_BRIDGE, {}),
    "default": (ON_BRIDGE, {"NetworkMode": "default"}),
    "linked": (ON_BRIDGE, {"Links": ["db:database"]}),
    "host": ({"networks": {"host": {}}}, {"PortBindings": {}}),
    "none": ({"networks": {"none": {}}}, {"PortBindings": {}}),
    "shared": ({"networks": {"container:db": {}}, "ExposedPorts": {}}, {"PortBindings": {}}),
    "of the host": ({}, {"PidMode": "host", "IpcMode": "host", "UTSMode": "host"}),
    "volumes of another": ({}, {"VolumesFrom": ["db"]}),
    "all ports": ({}, {"PortBindings": {}, "PublishAllPorts": True}),
    "own entry": ({"Entrypoint": ["/bin/ems-admin"], "Cmd": None}, {}),
}


@pytest.fixture
def further_images(moving: Moving) -> Moving:
    """Give both Admins more that comes from the image alone, and differs."""
    recipe = (
        "FROM {was}\nENV A={a} ONLY_{a}=1 BUILD={a}\nLABEL x={a}\nVOLUME /vol{a}\nWORKDIR /srv{a}\nEXPOSE 70{a}\n"
        'HEALTHCHECK --interval={a}s CMD ["true"]\nCMD ["serve", "{a}"]\n'
    )
    made = {
        name: derived(moving.api, f"ems-admin-further:{name}", recipe.format(was=moving.images[name], a=number))
        for number, name in ((11, "old"), (12, "good"))
    }
    moving.images = {**moving.images, **made}
    return moving


async def moved(moving: Moving, way: str) -> tuple[Remembered, Creation]:
    """Replace the Admin up to the point where the new one runs."""
    more, host = WAYS[way]
    moving.api.run("db", {"Image": moving.images["old"], "Cmd": ["updater"], "Volumes": {"/of-db": {}}})
    moving.begun(host=host, **copy.deepcopy(more))
    run = await moving.moved_up_to("create_successor")
    moving.api.ask("POST", f"containers/{NAME}/start")
    old = remembered(run.snapshot)
    assert old is not None
    return old, successor_of(old, FOR)


async def seen(moving: Moving) -> tuple[containers.Container, images.Image]:
    async with moving.mover().daemon.asked() as docker:
        new = await containers.look(docker, NAME)
        assert new is not None
        image = await images.find(docker, new.image_id)
        assert image is not None
        return new, image


@pytest.mark.parametrize("way", list(WAYS))
async def test_what_is_created_from_a_snapshot_shows_no_difference(further_images: Moving, way: str) -> None:
    old, wanted = await moved(further_images, way)
    assert differences(old, wanted, *await seen(further_images)) == ()


async def test_what_is_rich_is_kept_to_the_last_detail(further_images: Moving) -> None:
    """Held against the engine's own words, not against the comparison."""
    moving = further_images
    await moved(moving, "rich")
    said, old = moving.said(NAME), moving.said(f"{NAME}-before-{OPERATION}")
    for key in RICH_HOST.keys() - {"RestartPolicy", "Binds", "Mounts"}:
        assert said["HostConfig"][key] == old["HostConfig"][key], key
    assert said["HostConfig"]["Memory"] == 104857600
    places = {mount["Destination"]: mount.get("Name") for mount in old["Mounts"]}
    now = {mount["Destination"]: mount.get("Name") for mount in said["Mounts"]}
    assert now.items() >= places.items()
    assert now.keys() - places.keys() == {"/vol12"}
    networks = said["NetworkSettings"]["Networks"]
    assert networks["front"]["IPAddress"] == "10.232.1.50"
    assert networks["back"]["IPAddress"] == "10.232.2.60"
    assert networks["front"]["MacAddress"] == "02:42:aa:bb:cc:dd"
    assert set(networks["front"]["Aliases"]) == {"adm", "ems", "house", said["Id"][:12]}
    config = said["Config"]
    assert {"TZ=Europe/Berlin", "SECRET=hunter2", "BUILD=mine", "A=12", "ONLY_12=1"} <= set(config["Env"])
    assert not {"A=11", "ONLY_11=1", "BUILD=11", "BUILD=12"} & set(config["Env"])
    assert config["Labels"]["own"] == "1"
    assert config["Labels"]["com.docker.compose.image"] == moving.images["good"]
    assert (config["Labels"]["x"], config["WorkingDir"], config["Cmd"]) == ("12", "/srv12", ["serve", "12"])
    assert "7011/tcp" not in config["ExposedPorts"]


CHANGES: tuple[tuple[str, Callable[[Json], object]], ...] = (
    ("Image", lambda said: said.update(Image="sha256:other")),
    ("Config.Env.TZ", lambda said: said["Config"]["Env"].remove("TZ=Europe/Berlin")),
    ("Config.Env.MORE", lambda said: said["Config"]["Env"].append("MORE=1")),
    ("Config.Labels.own", lambda said: said["Config"]["Labels"].pop("own")),
    ("Config.User", lambda said: said["Config"].update(User="1:1")),
    ("Config.Hostname", lambda said: said["Config"].update(Hostname="x")),
    ("Config.Cmd", lambda said: said["Config"].update(Cmd=["x"])),
    ("Config.Entrypoint", lambda said: said["Config"].update(Entrypoint=None)),
    ("Config.Healthcheck.Interval", lambda said: said["Config"]["Healthcheck"].update(Interval=1)),
    ("Config.StopTimeout", lambda said: said["Config"].pop("StopTimeout")),
    ("HostConfig.Memory", lambda said: said["HostConfig"].update(Memory=1)),
    ("HostConfig.CapAdd", lambda said: said["HostConfig"].update(CapAdd=["CAP_CHOWN"])),
    ("HostConfig.Devices", lambda said: said["HostConfig"].update(Devices=[])),
    ("HostConfig.Privileged", lambda said: said["HostConfig"].update(Privileged=True)),
    ("HostConfig.LogConfig", lambda said: said["HostConfig"]["LogConfig"]["Config"].pop("max-file")),
    ("Mounts.data", lambda said: said.update(Mounts=[m for m in said["Mounts"] if m["Destination"] != "/data"])),
    ("Mounts.more", lambda said: said["Mounts"].append({"Type": "bind", "Source": "/x", "Destination": "/more"})),
    ("Networks.back", lambda said: said["NetworkSettings"]["Networks"].pop("back")),
    ("Networks.other", lambda said: said["NetworkSettings"]["Networks"].update(other={})),
    ("Networks.front.Aliases", lambda said: said["NetworkSettings"]["Networks"]["front"]["Aliases"].remove("adm")),
    ("Networks.front.IPAMConfig", lambda said: said["NetworkSettings"]["Networks"]["front"].update(IPAMConfig={})),
    ("Networks.front.IPAddress", lambda said: said["NetworkSettings"]["Networks"]["front"].update(IPAddress="1.1.1.1")),
    ("Ports.8090/tcp", lambda said: said["NetworkSettings"]["Ports"].pop("8090/tcp")),
)


async def test_each_unexplained_difference_is_named_by_its_field(further_images: Moving) -> None:
    old, wanted = await moved(further_images, "rich")
    new, image = await seen(further_images)
    for field, change in CHANGES:
        said = copy.deepcopy(dict(new.said))
        change(said)
        assert differences(old, wanted, evolve(containers.read(said)), image) == (field,)


async def test_no_value_is_ever_told(further_images: Moving) -> None:
    old, wanted = await moved(further_images, "rich")
    new, image = await seen(further_images)
    said = copy.deepcopy(dict(new.said))
    said["Config"]["Env"] = ["SECRET=hunter3"]
    told = differences(old, wanted, containers.read(said), image)
    assert "Config.Env.SECRET" in told
    assert "hunter" not in "".join(told) + repr(old) + repr(wanted)
