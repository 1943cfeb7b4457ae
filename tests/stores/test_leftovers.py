"""What a kill left where no lock of a record guards it is gone after the next start, and nothing else is (F10, F42)."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from ems_admin.demo.ems.runtime_state import RuntimeState
from ems_admin.site import Options, Site
from ems_admin.stores.host import HostClock
from ems_admin.stores.leftovers import clear_leftovers
from ems_admin.stores.runtime_state import RuntimeFile

TAIL = "0123abcd.tmp"
OURS = (
    f"admin/backups/config/.20260101T120000Z-W1.json.{TAIL}",
    f"admin/workflows/guided-setup/{'w' * 43}/generated/.config.json.{TAIL}",
    f"admin/workflows/guided-setup/{'w' * 43}/generated/.config.meta.json.{TAIL}",
    f"admin/state/workflow-recovery/20260101T120000Z/.recovery-manifest.json.{TAIL}",
    f"config/.admin-auth.json.{TAIL}",
    f"config/..credentials.json.0123456789abcdef.kept.{TAIL}",
    f"data/.runtime-state.json.{TAIL}",
)
OTHERS = (
    "admin/backups/config/20260101T120000Z-W1.json",
    "admin/backups/config/.20260101T120000Z-W1.json.0123abcz.tmp",
    f"admin/state/.pending-transition.json.{TAIL}",
    f"config/.notes.json.{TAIL}",
    f"config/.admin-auth.json.bak.{TAIL}",
    f"data/.history.json.{TAIL}",
    f"data/inner/.runtime-state.json.{TAIL}",
)


@pytest.fixture
def install(tmp_path: Path) -> Path:
    RuntimeState(tmp_path / "data").begin()
    for name in (*OURS, *OTHERS):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


async def clear(install: Path) -> None:
    runtime = RuntimeFile(install_root=install, clock=HostClock())
    await clear_leftovers(install, install / "admin", runtime)


def left(install: Path) -> set[str]:
    return {name for name in (*OURS, *OTHERS) if (install / name).exists()}


async def test_what_a_kill_left_goes_and_nothing_else(install: Path) -> None:
    await clear(install)
    assert left(install) == set(OTHERS)


async def test_nothing_is_removed_through_a_link(install: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (install / "admin" / "backups").rename(elsewhere)
    (install / "admin" / "backups").symlink_to(elsewhere)
    await clear(install)
    assert (elsewhere / "config" / f".20260101T120000Z-W1.json.{TAIL}").exists()


async def test_what_the_ems_is_writing_is_left_to_whoever_holds_its_lock_next(install: Path) -> None:
    with (install / "data" / ".runtime-state.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        await clear(install)
        assert left(install) == {*OTHERS, f"data/.runtime-state.json.{TAIL}"}
    await RuntimeFile(install_root=install, clock=HostClock()).converge({"system.dry_run": True})
    assert left(install) == set(OTHERS)


async def test_a_site_without_any_folder_has_nothing_to_clear(tmp_path: Path) -> None:
    await clear(tmp_path)
    assert not any(tmp_path.iterdir())  # noqa: ASYNC240  # a look at the end


async def test_a_site_that_is_opened_has_no_leftovers(install: Path) -> None:
    async with Site.open(Options.at(install, {})) as site:
        await site.inspect()
        assert not left(install) & set(OURS)


async def test_a_site_that_is_only_looked_at_keeps_them(install: Path) -> None:
    await Site.looked_at(Options.at(install, {}))
    assert left(install) >= set(OURS)
