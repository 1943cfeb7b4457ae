"""A snapshot is read back as what was taken down, and from what nobody could read nothing is concluded.

Source: `replacement.md` 7.1.
"""

from __future__ import annotations

import json

import pytest

from ems_admin.docker.containers import read
from ems_admin.docker.images import Image
from ems_admin.docker.replacement.snapshot import LARGEST, Target, remember, remembered

CONFIG = {"Env": ["SECRET=hunter2"]}
SAID = {
    "Id": "a" * 64,
    "Name": "/ems-admin-before-x",
    "Image": "sha256:1",
    "State": {"Pid": 7},
    "Config": CONFIG,
    "HostConfig": {"RestartPolicy": {"Name": "always"}, "NanoCpus": 2**60},
    "Mounts": None,
    "NetworkSettings": {"Networks": {"front": None, "host": {}}, "Ports": {}, "SandboxID": "s"},
}
IMAGE = Image(id="sha256:1", digests=(), labels={}, config={"Cmd": ["serve"]})
TARGET = Target(reference="r@sha256:2", image_id="sha256:3")


@pytest.mark.parametrize("pin", [None, b"", b"EMS_ADMIN_IMAGE=\xff\r\n"])
def test_it_is_read_back_to_the_byte(pin: bytes | None) -> None:
    taken = remember(read(SAID), IMAGE, name="ems-admin", pin=pin, target=TARGET)
    found = remembered(taken.text)
    assert found is not None
    assert found == taken
    assert found.text == taken.text
    assert (found.name, found.pin, found.target) == ("ems-admin", pin, TARGET)
    assert found.networks == {"front": {}}
    assert found.policy == {"Name": "always"}
    assert found.mounts == ()


def test_what_passes_with_the_process_is_not_kept() -> None:
    kept = json.loads(remember(read(SAID), IMAGE, name="ems-admin", pin=None, target=TARGET).text)["container"]
    assert kept.keys() == {"Id", "Name", "Image", "Config", "HostConfig", "Mounts", "NetworkSettings"}
    assert kept["NetworkSettings"].keys() == {"Networks", "Ports"}


def test_no_secret_is_shown_by_accident() -> None:
    taken = remember(read(SAID), IMAGE, name="ems-admin", pin=b"hunter2", target=TARGET)
    assert "hunter2" not in repr(taken)


@pytest.mark.parametrize("size", [1, 2])
def test_one_that_no_record_could_hold_says_so(size: int) -> None:
    said = {**SAID, "Config": {"Env": ["A=" + "x" * (LARGEST * size // 2 + 1000 * (size - 1))]}}
    assert remember(read(said), IMAGE, name="ems-admin", pin=None, target=TARGET).fits == (size == 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda said: said.update(format_version=2),
        lambda said: said.pop("image"),
        lambda said: said.update(pin="***"),
        lambda said: said.update(container=[]),
        lambda said: said["container"].pop("Id"),
        lambda said: said.update(target=None),
    ],
)
def test_one_that_nobody_can_read_is_none(change: object) -> None:
    said = json.loads(remember(read(SAID), IMAGE, name="ems-admin", pin=None, target=TARGET).text)
    assert callable(change)
    change(said)
    assert remembered(json.dumps(said)) is None


@pytest.mark.parametrize("text", [None, "", "x", "[]", "null"])
def test_and_so_is_what_is_none(text: str | None) -> None:
    assert remembered(text) is None
