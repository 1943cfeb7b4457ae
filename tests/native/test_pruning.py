"""Program trees that nobody needs go; what runs, or is named to run, never does (`site.md` 4, B8; 8)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from ems_admin import codec
from ems_admin.machines.records.current_admin import CurrentAdmin
from ems_admin.machines.records.installed import NativeService, NativeServices, ServicePhase
from tests.native.ground import Ground

AT = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """A site with the programs of five builds, of which one runs."""
    ground = Ground(tmp_path)
    ground.files.prepare()
    for build in ("b1", "b2", "b3", "b4", "b5"):
        (tmp_path / "programs" / build / "programs/ems").mkdir(parents=True)
    (tmp_path / "programs/Not A Build").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "programs/b9").symlink_to(tmp_path / "outside")
    return ground


def trees(ground: Ground) -> set[str]:
    return {place.name for place in (ground.root / "programs").iterdir()} - {"Not A Build", "b9"}


async def started(ground: Ground, build: str) -> None:
    service = NativeService(
        build_id=build,
        program_sha256="0" * 64,
        attempt="a",
        pid=None,
        start_ticks=None,
        boot_id=None,
        port=1,
        phase=ServicePhase.STARTING,
        since=AT,
    )
    async with ground.files.native_services.hold() as held:
        await held.commit(NativeServices(format_version=1, services={"ems": service}))


def point(ground: Ground, data: bytes | None = None) -> None:
    pointer = CurrentAdmin(format_version=1, build="b3", previous="b4", operation_id="f" * 32, changed_at=AT)
    (ground.root / "admin/state/current-admin.json").write_bytes(codec.encode(pointer) if data is None else data)


async def test_what_is_kept_started_or_pointed_at_stays_and_the_rest_goes(ground: Ground) -> None:
    await started(ground, "b2")
    point(ground)
    await ground.engine().prune(frozenset({"b1"}))
    assert trees(ground) == {"b1", "b2", "b3", "b4"}
    assert (ground.root / "outside").is_dir()
    assert (ground.root / "programs/b9").is_symlink(), "a link is no build"
    assert (ground.root / "programs/Not A Build").is_dir()


async def test_a_pointer_that_cannot_be_read_keeps_everything(ground: Ground) -> None:
    point(ground, b"{")
    await ground.engine().prune(frozenset({"b1"}))
    assert trees(ground) == {"b1", "b2", "b3", "b4", "b5"}


async def test_a_register_that_cannot_be_read_keeps_everything(ground: Ground) -> None:
    (ground.root / "admin/state/native-services.json").write_bytes(b"{")
    await ground.engine().prune(frozenset({"b1"}))
    assert trees(ground) == {"b1", "b2", "b3", "b4", "b5"}


async def test_without_programs_there_is_nothing_to_do(tmp_path: Path) -> None:
    await Ground(tmp_path).engine().prune(frozenset())
    assert not (tmp_path / "programs").exists()
