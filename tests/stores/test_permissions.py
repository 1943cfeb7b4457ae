"""Owners and modes on a real disk: mended below the install root, never through a link, never what is another's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.permissions import repair
from ems_admin.workflows.ports.files import DirectoryVerdict, RuntimeIdentity

SOMEBODY, ANOTHER = 1234, 4321
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A prepared install, all of it this user's and right."""
    for folder in ("config", "data", "data/history"):
        (tmp_path / folder).mkdir(mode=0o755)
    for name, mode in (
        ("config/config.json", 0o644),
        ("config/credentials.json", 0o600),
        ("config/admin-auth.json", 0o600),
        ("data/runtime-state.json", 0o600),
        ("data/history/day.json", 0o644),
    ):
        (tmp_path / name).write_bytes(b"{}")
        (tmp_path / name).chmod(mode)
    return tmp_path


def me() -> RuntimeIdentity:
    return RuntimeIdentity(puid=os.geteuid(), pgid=os.getegid())


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o7777


def test_what_is_right_is_left_alone(root: Path) -> None:
    before = {path: path.lstat().st_ctime_ns for path in root.rglob("*")}
    assert repair(root, me()) == ()
    assert {path: path.lstat().st_ctime_ns for path in root.rglob("*")} == before


def test_modes_are_mended_and_named(root: Path) -> None:
    for name, damaged in (
        ("config", 0o500),
        ("config/config.json", 0o000),
        ("config/credentials.json", 0o644),
        ("data/history/day.json", 0o400),
        ("data/history", 0o000),
    ):
        (root / name).chmod(damaged)
    assert repair(root, me()) == (
        "config",
        "config/config.json",
        "config/credentials.json",
        "data/history",
        "data/history/day.json",
    )
    assert mode(root / "config") == 0o755
    assert mode(root / "config/config.json") == 0o644
    assert mode(root / "config/credentials.json") == 0o600, "secrets are for one alone"
    assert mode(root / "data/history") == 0o700
    assert mode(root / "data/history/day.json") == 0o600
    assert repair(root, me()) == ()


def test_the_password_of_the_admin_is_no_concern_of_the_ems(root: Path) -> None:
    (root / "config/admin-auth.json").chmod(0o400)
    assert repair(root, me()) == ()
    assert mode(root / "config/admin-auth.json") == 0o400


@only_root
def test_owners_are_mended_by_whoever_may(root: Path) -> None:
    os.chown(root / "data/runtime-state.json", ANOTHER, ANOTHER)
    identity = RuntimeIdentity(puid=SOMEBODY, pgid=SOMEBODY)
    assert "data/runtime-state.json" in _names(repair(root, identity))
    for name in ("config", "config/config.json", "config/credentials.json", "data", "data/history/day.json"):
        seen = (root / name).stat()
        assert (seen.st_uid, seen.st_gid) == (SOMEBODY, SOMEBODY), name
    assert (root / "config/admin-auth.json").stat().st_uid == 0
    assert root.stat().st_uid == 0, "the install root itself is not touched"


@pytest.mark.parametrize("place", ["data", "data/history", "config", "data/link"])
def test_nothing_is_mended_through_a_link(root: Path, tmp_path_factory: pytest.TempPathFactory, place: str) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_bytes(b"")
    (outside / "config.json").write_bytes(b"")
    for path in (outside, outside / "secret", outside / "config.json"):
        path.chmod(0o500 if path.is_dir() else 0o400)
    if (root / place).exists():
        (root / place).rename(root / "aside")
    (root / place).symlink_to(outside)
    assert [name for name in _names(repair(root, me())) if name.startswith(f"{place}")] == []
    assert [mode(outside), mode(outside / "secret"), mode(outside / "config.json")] == [0o500, 0o400, 0o400]


@only_root
def test_a_second_name_of_a_file_outside_is_not_given_away(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"")
    (root / "data/innocent").hardlink_to(outside)
    verdict = repair(root, RuntimeIdentity(puid=SOMEBODY, pgid=SOMEBODY))
    assert verdict == DirectoryVerdict(
        code=Code.WORKSPACE_PERMISSION_DENIED, detail="data/innocent is 0:0, running as 0:0"
    )
    assert outside.stat().st_uid == 0
    assert (root / "data").stat().st_uid == 0, "and nothing else was changed before it was found"


def test_special_files_are_left_alone(root: Path) -> None:
    os.mkfifo(root / "data/pipe", 0o000)
    assert repair(root, me()) == ()


def test_what_is_gone_is_not_made(root: Path) -> None:
    (root / "config/config.json").unlink()
    assert repair(root, me()) == ()
    assert not (root / "config/config.json").exists()


@only_root
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("config/config.json", Code.CONFIG_NOT_WRITABLE),
        ("data/runtime-state.json", Code.WORKSPACE_PERMISSION_DENIED),
    ],
)
def test_a_file_of_somebody_else_is_told_and_nothing_is_changed(root: Path, name: str, code: Code) -> None:
    """F13: the owner and who we are, and no effect before it."""
    for path in (root, *root.rglob("*")):
        os.chown(path, SOMEBODY, SOMEBODY)
    os.chown(root / name, ANOTHER, ANOTHER)
    (root / "data/history/day.json").chmod(0o400)
    said = as_somebody(root, lambda: repr(repair(root, RuntimeIdentity(puid=SOMEBODY, pgid=SOMEBODY))))
    detail = f"{name} is {ANOTHER}:{ANOTHER}, running as {SOMEBODY}:{SOMEBODY}"
    assert said == repr(DirectoryVerdict(code=code, detail=detail))
    assert mode(root / "data/history/day.json") == 0o400


@only_root
def test_ones_own_files_are_mended_without_being_root(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        os.chown(path, SOMEBODY, SOMEBODY)
    (root / "data/history").chmod(0o000)
    (root / "data/history/day.json").chmod(0o400)
    said = as_somebody(root, lambda: repr(repair(root, RuntimeIdentity(puid=SOMEBODY, pgid=SOMEBODY))))
    assert said == repr(("data/history", "data/history/day.json"))


async def test_the_install_root_answers_the_same(root: Path) -> None:
    (root / "data").chmod(0o500)
    installation = InstallRoot(install_root=root, admin_data=root / "admin", stack_file="stack.json")
    assert await installation.repair_permissions(me()) == ("data",)


def as_somebody(root: Path, act: Callable[[], str]) -> str:
    """Let a child that is another user act, and give what it says."""
    for parent in root.parents:
        if parent.stat().st_mode & 0o005 != 0o005:
            parent.chmod(parent.stat().st_mode | 0o005)
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgid(SOMEBODY)
            os.setuid(SOMEBODY)
            os.write(writes, act().encode())
        finally:
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as answer:
        said = answer.read().decode()
    os.waitpid(child, 0)
    return said


def _names(outcome: tuple[str, ...] | DirectoryVerdict) -> tuple[str, ...]:
    assert isinstance(outcome, tuple)
    return outcome
