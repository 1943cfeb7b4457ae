"""`.env.admin` is a file of people: one line of it is ours (`site.md` 8; `replacement.md` 7.4)."""

import os
import stat
from pathlib import Path

import pytest

from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement import pin
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure

NEW = "registry.local/admin@sha256:" + "a" * 64
NOBODY = 65534

TEXTS = (
    (b"EMS_ADMIN_IMAGE=old:1\n", b"EMS_ADMIN_IMAGE=%b\n"),
    (b"# mine\r\nEMS_ADMIN_IMAGE=old\r\nTZ=Europe/Berlin", b"# mine\r\nEMS_ADMIN_IMAGE=%b\r\nTZ=Europe/Berlin"),
    (b"#EMS_ADMIN_IMAGE=x\nA=\xff\n", b"#EMS_ADMIN_IMAGE=x\nA=\xff\nEMS_ADMIN_IMAGE=%b\n"),
    (b"A=1", b"A=1\nEMS_ADMIN_IMAGE=%b\n"),
    (b"", b"EMS_ADMIN_IMAGE=%b\n"),
    (b"EMS_ADMIN_IMAGE=\nMY_EMS_ADMIN_IMAGE=x\n", b"EMS_ADMIN_IMAGE=%b\nMY_EMS_ADMIN_IMAGE=x\n"),
    (b"  export EMS_ADMIN_IMAGE = a\nEMS_ADMIN_IMAGE=b", b"  export EMS_ADMIN_IMAGE =%b\nEMS_ADMIN_IMAGE=%b"),
)


@pytest.fixture
def place(tmp_path: Path) -> DockerPlace:
    return DockerPlace(install_root=tmp_path, admin_data=tmp_path / "admin")


@pytest.mark.parametrize(("before", "after"), TEXTS)
def test_exactly_the_line_is_rewritten(before: bytes, after: bytes) -> None:
    wanted = after.replace(b"%b", NEW.encode())
    assert pin.rewritten(before, NEW) == wanted
    assert pin.rewritten(wanted, NEW) == wanted


async def test_owner_and_mode_stay_and_nothing_is_left_beside_it(place: DockerPlace) -> None:
    place.admin_pin.write_bytes(b"EMS_ADMIN_IMAGE=old\n")
    place.admin_pin.chmod(0o640)
    os.chown(place.admin_pin, NOBODY, NOBODY)
    assert await pin.name(place, NEW) == Done()
    found = place.admin_pin.stat()
    assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o640, NOBODY, NOBODY)
    assert [path.name for path in place.install_root.iterdir()] == [".env.admin"]


async def test_a_file_that_says_so_already_is_not_touched(place: DockerPlace) -> None:
    assert await pin.name(place, NEW) == Done()
    before = place.admin_pin.stat()
    assert await pin.name(place, NEW) == Done()
    assert (place.admin_pin.stat().st_ino, place.admin_pin.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("before", [None, b"", b"EMS_ADMIN_IMAGE=old\r\n\r\n# end"])
async def test_what_was_there_before_is_restored_exactly_even_its_absence(
    place: DockerPlace, before: bytes | None
) -> None:
    if before is not None:
        place.admin_pin.write_bytes(before)
    assert await pin.read(place) == before
    assert await pin.name(place, NEW) == Done()
    for _ in range(2):
        assert await pin.restore(place, before) == Done()
        assert await pin.read(place) == before


async def test_a_link_stays_a_link(place: DockerPlace, tmp_path: Path) -> None:
    target = tmp_path / "shared.env"
    target.write_bytes(b"EMS_ADMIN_IMAGE=old\n")
    place.admin_pin.symlink_to(target)
    assert await pin.name(place, NEW) == Done()
    assert place.admin_pin.is_symlink()
    assert target.read_bytes() == f"EMS_ADMIN_IMAGE={NEW}\n".encode()


@pytest.mark.parametrize("before", [None, b"EMS_ADMIN_IMAGE=old\n"])
async def test_asking_whether_it_is_writable_changes_nothing(place: DockerPlace, before: bytes | None) -> None:
    if before is not None:
        place.admin_pin.write_bytes(before)
    assert await pin.is_writable(place) == Done()
    assert await pin.read(place) == before
    assert len(list(place.install_root.iterdir())) == (before is not None)


async def test_a_place_that_cannot_be_written_is_told_by_its_code(place: DockerPlace) -> None:
    nowhere = DockerPlace(install_root=Path("/proc/self"), admin_data=place.admin_data)
    missing = DockerPlace(install_root=place.install_root / "gone", admin_data=place.admin_data)
    for one in (nowhere, missing):
        assert isinstance(await pin.is_writable(one), EngineFailure)
        assert isinstance(await pin.name(one, NEW), EngineFailure)


def test_a_file_of_somebody_else_in_a_folder_of_ours_is_not_writable(place: DockerPlace) -> None:
    """Replacing it would give it to another owner."""
    place.admin_pin.write_bytes(b"EMS_ADMIN_IMAGE=old\n")
    os.chown(place.install_root, NOBODY, NOBODY)
    for folder in place.install_root.parents:
        if folder.owner() == "root" and folder.name.startswith("pytest"):
            folder.chmod(0o755)
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os._exit(0 if pin._probe(place.admin_pin) == EngineFailure(code=Code.WORKSPACE_PERMISSION_DENIED) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
