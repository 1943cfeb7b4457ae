"""The install root: its layout, its owner, and whether it can be written."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.records import sha256
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.files import Installation, Layout, RuntimeIdentity
from ems_admin.workflows.ports.records import Committed, NotCommitted
from tests.codes_heard import said_elsewhere

NO_FILES = (("standard_config", None), ("legacy_config", None), ("stack_file", None))
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    SiteFiles(admin_data=tmp_path / "admin").prepare()
    return tmp_path


def install(root: Path, puid: str | None = None, pgid: str | None = None) -> Installation:
    return InstallRoot(install_root=root, admin_data=root / "admin", stack_file="stack.json", puid=puid, pgid=pgid)


async def test_an_empty_root_has_nothing(root: Path) -> None:
    nothing = Layout(root_config=False, standard_config=False, stack_file=False, digests=NO_FILES)
    assert await install(root).layout() == nothing


async def test_each_file_is_seen_with_its_digest(root: Path) -> None:
    (root / "config").mkdir()
    (root / "config/config.json").write_bytes(b"1")
    (root / "config.json").write_bytes(b"2")
    (root / "stack.json").write_bytes(b"3")
    layout = await install(root).layout()
    assert (layout.root_config, layout.standard_config, layout.stack_file) == (True, True, True)
    assert dict(layout.digests or ()) == {
        "standard_config": sha256(b"1"), "legacy_config": sha256(b"2"), "stack_file": sha256(b"3"),
    }  # fmt: skip


async def test_one_file_that_cannot_be_read_leaves_no_digest_to_compare(root: Path) -> None:
    (root / "config.json").mkdir()
    layout = await install(root).layout()
    assert layout.root_config is True
    assert layout.digests is None


@pytest.mark.parametrize(
    ("puid", "pgid", "identity"),
    [
        ("1000", "1001", RuntimeIdentity(puid=1000, pgid=1001)),
        ("0", "0", RuntimeIdentity(puid=0, pgid=0)),
        ("1000", None, None),
        ("", "1", None),
        ("-1", "1", None),
        ("root", "root", None),
    ],
)
async def test_a_runtime_identity_is_two_numbers_or_missing(
    root: Path, puid: str | None, pgid: str | None, identity: RuntimeIdentity | None
) -> None:
    assert await install(root, puid, pgid).runtime_identity() == identity


async def test_without_a_word_the_owner_of_the_root_runs_the_ems(root: Path) -> None:
    seen = os.stat(root)  # noqa: PTH116  # what the installation itself would ask is not asked the same way
    assert await install(root).runtime_identity() == RuntimeIdentity(puid=seen.st_uid, pgid=seen.st_gid)
    assert await install(root / "gone").runtime_identity() is None


@only_root
async def test_the_workspace_belongs_to_who_runs_the_ems(root: Path) -> None:
    installation = install(root, "1234", "1235")
    assert not await installation.workspace_exists()
    assert await installation.workspace() == Committed()
    assert await installation.workspace() == Committed()
    assert await installation.workspace_exists()
    for name in ("config", "data"):
        seen = (root / name).stat()
        assert (seen.st_uid, seen.st_gid) == (1234, 1235)


async def test_a_file_in_the_place_of_the_workspace_is_refused(root: Path) -> None:
    (root / "data").touch()
    outcome = await install(root).workspace()
    assert outcome == NotCommitted(code=Code.WORKSPACE_PERMISSION_DENIED, detail="eexist")
    assert not await install(root).workspace_exists()


async def test_a_root_that_can_be_written_has_no_verdict(root: Path) -> None:
    assert await install(root).not_writable() is None


@only_root
@pytest.mark.parametrize(
    ("folder", "code"),
    [
        ("admin/state", Code.ADMIN_DATA_NOT_WRITABLE),
        ("admin/workflows", Code.ADMIN_DATA_NOT_WRITABLE),
        ("admin/releases", Code.ADMIN_DATA_NOT_WRITABLE),
        ("admin/backups", Code.ADMIN_DATA_NOT_WRITABLE),
        ("config", Code.CONFIG_NOT_WRITABLE),
    ],
)
def test_a_folder_of_somebody_else_is_named_and_mending_it_is_enough(root: Path, folder: str, code: Code) -> None:
    """F13."""
    (root / "config").mkdir()
    for path in (root, *root.rglob("*")):
        os.chown(path, 1234, 1234)
    os.chown(root / folder, 0, 0)
    refused, mended = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        _as_somebody(root, told=refused[1], mended=mended[0])
    with os.fdopen(refused[0], "rb") as answers:
        expected = f"{code}: {folder.removeprefix('admin/')} is 0:0, running as 1234:1234\n"
        answer = answers.readline().decode()
        assert answer == expected
        said_elsewhere(answer.split(":")[0])
        os.chown(root / folder, 1234, 1234)
        os.write(mended[1], b".")
        assert answers.readline().decode() == "writable\n"
    os.waitpid(child, 0)
    for pipe in (refused[1], mended[0], mended[1]):
        os.close(pipe)


def _as_somebody(root: Path, *, told: int, mended: int) -> None:
    """Ask as another user, before and after the mending. Never returns."""
    probe = InstallRoot(install_root=root, admin_data=root / "admin", stack_file="stack.json")
    try:
        for parent in (*root.parents,):
            if parent.stat().st_mode & 0o005 != 0o005:
                parent.chmod(parent.stat().st_mode | 0o005)
        os.setgid(1234)
        os.setuid(1234)
        for _ in range(2):
            verdict = probe.probe()
            os.write(told, (f"{verdict.code}: {verdict.detail}" if verdict else "writable").encode() + b"\n")
            if verdict:
                os.read(mended, 1)
    finally:
        os._exit(0)


async def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "stack.json")
    async with asyncio.timeout(5):
        seen = await install(root).layout()
    assert seen.stack_file
    assert seen.digests is None
