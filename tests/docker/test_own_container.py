"""Who one is, is read from what the engine laid into the container; where its folders lie, from its mounts.

Source: `site.md` 8.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from ems_admin.docker.containers import Container, read
from ems_admin.docker.own_container import own_container_id, same_on_host

ID = "d17b70248f96e6992c9ba176721e388778b3140bdedaf8b9bf95a15ada0ffcf2"
INSIDE = f"""\
109 61 0:50 / / rw,relatime - overlay overlay rw,lowerdir=/data/overlay2/l/QTXW:/data/overlay2/l/FOBO
114 113 0:57 / /sys/fs/cgroup rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755
126 109 254:0 /data/containers/{ID}/resolv.conf /etc/resolv.conf rw,relatime - ext4 /dev/vda rw,discard
127 109 254:0 /data/containers/{ID}/hostname /etc/hostname rw,relatime - ext4 /dev/vda rw,discard
"""
OUTSIDE = "24 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"


def mounts(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "mountinfo"
    file.write_text(text)
    return file


def container(*rows: Any) -> Container:
    return read({"Id": ID, "Mounts": list(rows)})


def bind(source: str, to: str, *, rw: bool = True) -> dict[str, object]:
    return {"Type": "bind", "Source": source, "Destination": to, "RW": rw}


def test_the_id_is_read_from_the_mounts(tmp_path: Path) -> None:
    assert own_container_id(mounts(tmp_path, INSIDE), {}) == ID


def test_what_the_mounts_say_goes_before_what_the_environment_says(tmp_path: Path) -> None:
    assert own_container_id(mounts(tmp_path, INSIDE), {"EMS_ADMIN_CONTAINER": "another"}) == ID


def test_without_the_files_of_the_engine_the_environment_says_it(tmp_path: Path) -> None:
    assert own_container_id(mounts(tmp_path, OUTSIDE), {"EMS_ADMIN_CONTAINER": "ems-admin"}) == "ems-admin"


@pytest.mark.parametrize("said", [{}, {"EMS_ADMIN_CONTAINER": ""}])
def test_outside_of_a_container_nobody_is_named(tmp_path: Path, said: dict[str, str]) -> None:
    assert own_container_id(mounts(tmp_path, OUTSIDE), said) is None
    assert own_container_id(tmp_path / "none", said) is None


def test_a_folder_of_the_host_at_the_same_place_is_the_same() -> None:
    found = same_on_host(container(bind("/srv/ems", "/srv/ems")), PurePosixPath("/srv/ems/admin"))
    assert found is not None
    assert found.writable


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(bind("/volume1/ems", "/srv/ems"), id="elsewhere"),
        pytest.param({"Type": "volume", "Source": "/srv/ems", "Destination": "/srv/ems", "RW": True}, id="a volume"),
        pytest.param(bind("/srv/ems2", "/srv/ems2"), id="beside"),
        pytest.param("nonsense", id="a row that says nothing"),
    ],
)
def test_any_other_folder_is_not(row: object) -> None:
    assert same_on_host(container(row), PurePosixPath("/srv/ems/admin")) is None


def test_the_innermost_mount_decides() -> None:
    hidden = {"Type": "volume", "Source": "/var/lib/docker/volumes/x", "Destination": "/srv/ems/admin", "RW": True}
    outer = bind("/srv/ems", "/srv/ems")
    assert same_on_host(container(outer, hidden), PurePosixPath("/srv/ems/admin")) is None
    assert same_on_host(container(outer, hidden), PurePosixPath("/srv/ems/config")) is not None


def test_a_folder_that_may_only_be_read_says_so() -> None:
    found = same_on_host(container(bind("/srv/ems", "/srv/ems", rw=False)), PurePosixPath("/srv/ems"))
    assert found is not None
    assert not found.writable
