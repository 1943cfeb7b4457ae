"""A disk that is really full, a file system that only reads, a config that is a mount of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.stores import atomic
from ems_admin.stores.config import ConfigFiles
from ems_admin.stores.host import HostClock
from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.records import Committed, NotCommitted, RefusalError
from tests.faults.mounts import mounted, remounted
from tests.stores.records import TRANSITION

OTHER = attrs.evolve(TRANSITION, system_tag="v9.0.0")
NOT_REPLACEABLE = NotCommitted(code=Code.CONFIG_FILE_NOT_REPLACEABLE, detail="erofs")
FULL = NotCommitted(code=Code.STATE_WRITE_FAILED, detail="no_space")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """Give an install root on a file system of 256 KiB."""
    with mounted(tmp_path, "-t", "tmpfs", "-o", "size=256k,nr_inodes=200", "tmpfs") as folder:
        yield folder


def fill(folder: Path) -> Path:
    """Take all the space there is."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 65536
        while size:
            try:
                file.write(b"x" * size)
            except OSError:
                size //= 2
    return ballast


def temporary(folder: Path) -> list[Path]:
    return list(folder.rglob(".*.tmp"))


async def test_a_full_disk_changes_nothing_and_the_same_commit_succeeds_once_there_is_space(small: Path) -> None:
    """F01."""
    site = SiteFiles(admin_data=small / "admin")
    site.prepare()
    path = site.admin_data / site.transition.name
    async with site.transition.hold() as held:
        assert await held.commit(TRANSITION) == Committed()
        ballast = fill(small)
        assert await held.commit(OTHER) == FULL
        assert path.read_bytes() == codec.encode(TRANSITION)
        assert temporary(small) == []
        ballast.unlink()
        assert await held.commit(OTHER) == Committed()
    assert path.read_bytes() == codec.encode(OTHER)


async def test_free_space_is_that_of_the_admin_data(small: Path) -> None:
    root = InstallRoot(install_root=Path("/"), admin_data=small / "admin", stack_file="stack.json")
    assert await root.free_bytes() == 256 << 10
    fill(small)
    assert await root.free_bytes() == 0


async def test_a_lock_can_be_held_on_a_full_disk(small: Path) -> None:
    site = SiteFiles(admin_data=small / "admin")
    site.prepare()
    await site.clear_leftovers()
    fill(small)
    async with site.setup.hold() as held:
        assert isinstance(await held.remove(), Committed)


async def test_a_config_on_a_full_disk_stays_as_it_is(small: Path) -> None:
    """F01."""
    SiteFiles(admin_data=small / "admin").prepare()
    files = config_of(small)
    async with files.hold() as held:
        assert await held.write_config(b'{"old": true}') == Committed()
        assert await held.write_credentials(b'{"old": 1}') == Committed()
        ballast = fill(small)
        for outcome in (await held.write_config(b"{}" * 4000), await held.write_credentials(b"{}" * 4000)):
            assert outcome == NotCommitted(code=Code.CONFIG_WRITE_FAILED, detail="no_space")
        assert isinstance(await held.back_up("before"), NotCommitted)
        ballast.unlink()
        assert isinstance(await held.back_up("before"), str)
    assert (small / "config/config.json").read_bytes() == b'{"old": true}'
    assert (small / "config/credentials.json").read_bytes() == b'{"old": 1}'
    assert temporary(small) == []


def config_of(root: Path) -> ConfigFiles:
    return ConfigFiles(install_root=root, admin_data=root / "admin", clock=HostClock())


async def test_a_file_system_that_only_reads_is_named_and_reading_goes_on(small: Path) -> None:
    site = SiteFiles(admin_data=small / "admin")
    site.prepare()
    files = config_of(small)
    async with site.transition.hold() as held, files.hold() as config:
        await held.commit(TRANSITION)
        await config.write_config(b"{}")
    remounted(small, "ro")
    outcome = atomic.replace(site.transition.place, codec.encode(OTHER))
    assert isinstance(outcome, NotCommitted)
    assert outcome.code is Code.ADMIN_DATA_NOT_WRITABLE
    assert outcome.detail == f"state is 0:0, running as {os.geteuid()}:{os.getegid()}"
    assert atomic.replace(files.place("config.json"), b"[]") == NOT_REPLACEABLE
    with pytest.raises(RefusalError) as refused:
        async with site.transition.hold():
            pytest.fail("nothing can be held here")
    assert refused.value.refusal.code is Code.ADMIN_DATA_NOT_WRITABLE
    with pytest.raises(RefusalError) as refused:
        async with files.hold():
            pytest.fail("nothing can be held here")
    assert refused.value.refusal.code is Code.CONFIG_FILE_NOT_REPLACEABLE
    assert isinstance(await site.transition.read(), Present)
    verdict = await InstallRoot(install_root=small, admin_data=small / "admin", stack_file="stack.json").not_writable()
    assert verdict is not None
    assert verdict.code is Code.ADMIN_DATA_NOT_WRITABLE


async def test_a_config_that_is_its_own_mount_is_never_rewritten_in_place(tmp_path: Path) -> None:
    """D8, F08."""
    (tmp_path / "config").mkdir()
    outside, inside = tmp_path / "outside.json", tmp_path / "config/config.json"
    outside.write_bytes(b'{"old": true}')
    inside.touch()
    with mounted(inside, "--bind", str(outside)):
        async with config_of(tmp_path).hold() as held:
            for _ in range(3):
                outcome = await held.write_config(b'{"new": true}')
                assert outcome == NotCommitted(code=Code.CONFIG_FILE_NOT_REPLACEABLE, detail="ebusy")
        assert inside.read_bytes() == b'{"old": true}'
        assert temporary(tmp_path) == []


async def test_a_config_folder_that_only_reads_is_told_before_any_effect(tmp_path: Path) -> None:
    """F08."""
    for name in ("config", "admin"):
        (tmp_path / name).mkdir()
    SiteFiles(admin_data=tmp_path / "admin").prepare()
    with mounted(tmp_path / "config", "-t", "tmpfs", "-o", "size=64k,ro", "tmpfs"):
        root = InstallRoot(install_root=tmp_path, admin_data=tmp_path / "admin", stack_file="stack.json")
        verdict = await root.not_writable()
        assert verdict is not None
        assert verdict.code is Code.CONFIG_FILE_NOT_REPLACEABLE
    assert await root.not_writable() is None
