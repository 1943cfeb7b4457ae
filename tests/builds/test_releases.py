"""What the application gets: builds from folders and over TLS, or the code that says why not."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from ems_admin.builds.catalogue import write_catalogue
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import DirectorySource, Source
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry, Manifest
from ems_admin.workflows.ports.builds import BuildFailure, Builds, Examined, Resources
from ems_admin.workflows.ports.engine import Progress
from tests.builds.sample import NOW, OWN, packed, published


class Heard:
    """Everything that was reported."""

    def __init__(self) -> None:
        self.told: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)


def builds(tmp_path: Path, *sources: Source, requires: str | None = OWN.requires) -> ReleaseBuilds:
    return ReleaseBuilds(sources=sources, releases=tmp_path / "releases", requires=requires)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "catalogue").mkdir()
    return published(tmp_path / "catalogue", "v1.0.0", "v1.1.0")


def code(answer: object) -> tuple[Code, str | None]:
    assert isinstance(answer, BuildFailure)
    return answer.code, answer.detail


async def test_it_is_the_port(tmp_path: Path, folder: Path) -> None:
    port: Builds = builds(tmp_path, DirectorySource(folder))
    assert isinstance(await port.resolve("v1.0.0"), Manifest)


async def test_a_build_is_offered_resolved_imported_and_read(tmp_path: Path, folder: Path) -> None:
    desk, heard = builds(tmp_path, DirectorySource(folder)), Heard()
    offered = await desk.offered()
    assert not isinstance(offered, BuildFailure)
    assert [build.tag for build in offered] == ["v1.1.0", "v1.0.0"]
    resolved = await desk.resolve("v1.1.0")
    assert not (tmp_path / "releases").exists()
    assert code(await desk.resources("v1.1.0")) == (Code.RELEASE_NOT_PREPARED, None)
    assert await desk.import_build("v1.1.0", heard) == resolved
    resources = await desk.resources("v1.1.0")
    assert isinstance(resources, Resources)
    assert resources.manifest == resolved
    for step in ("download", "unpack"):
        percents = [progress.percent or 0 for progress in heard.told if progress.step == step]
        assert percents == sorted(percents)
        assert percents[-1] == 100
    assert {progress.step for progress in heard.told} == {"download", "unpack"}


async def test_a_build_is_examined_whole_and_nothing_of_it_is_kept(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    before = lying_in(tmp_path)
    found = await desk.examine("v1.1.0")
    assert lying_in(tmp_path) == before
    assert isinstance(found, Examined)
    assert await desk.import_build("v1.1.0", Heard()) == found.resources.manifest
    assert await desk.resources("v1.1.0") == found.resources, "the very same as after an import"
    archive = next(build for build in await offered(desk) if build.tag == "v1.1.0").archive
    assert found.archive_bytes == lying_in(folder)[folder / archive.path]
    assert found.unpacked_bytes == sum(lying_in(tmp_path / "releases" / "v1.1.0").values())


def lying_in(folder: Path) -> dict[Path, int]:
    """Measure every file below a folder."""
    return {place: place.stat().st_size for place in folder.rglob("*") if place.is_file()}


async def offered(desk: ReleaseBuilds) -> tuple[CatalogueEntry, ...]:
    found = await desk.offered()
    assert not isinstance(found, BuildFailure)
    return found


async def test_a_build_that_is_there_is_verified_and_not_written_again(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    manifest = tmp_path / "releases/v1.0.0/manifest.json"
    before = manifest.stat()
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert (manifest.stat().st_ino, manifest.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    (tmp_path / "releases/v1.0.0/programs/ems/start").write_text("changed")
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert manifest.stat().st_mtime_ns > before.st_mtime_ns
    assert (tmp_path / "releases/v1.0.0/programs/ems/start").read_text() == "#!/bin/sh\n"


async def test_a_tag_that_moved_is_imported_anew(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    packed(folder, "v1.0.0", build_id="1.0.0-moved")
    write_catalogue(folder, NOW)
    await desk.import_build("v1.0.0", Heard())
    resources = await desk.resources("v1.0.0")
    assert isinstance(resources, Resources)
    assert resources.manifest.build_id == "1.0.0-moved"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("v9.9.9", Code.SYSTEM_BUILD_UNKNOWN),
        ("latest", Code.SYSTEM_BUILD_FLOATING),
        ("../../etc", Code.UNSUPPORTED_VALUE),
        ("", Code.UNSUPPORTED_VALUE),
    ],
)
async def test_a_tag_that_names_no_build_has_its_code(tmp_path: Path, folder: Path, tag: str, expected: Code) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.examine(tag)) == code(await desk.resolve(tag))
    assert code(await desk.resolve(tag)) == (expected, None)
    assert code(await desk.import_build(tag, Heard())) == (expected, None)
    if expected is not Code.SYSTEM_BUILD_UNKNOWN:
        assert code(await desk.resources(tag)) == (expected, None)


async def test_a_listed_archive_that_is_not_there_is_unavailable(tmp_path: Path, folder: Path) -> None:
    (folder / "system-build-v1.0.0.tar.gz").unlink()
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_UNAVAILABLE, "archive")
    assert isinstance(await desk.resolve("v1.1.0"), Manifest)


async def test_an_archive_that_was_exchanged_is_a_mismatch_and_nothing_is_kept(tmp_path: Path, folder: Path) -> None:
    shutil.copy(folder / "system-build-v1.1.0.tar.gz", folder / "system-build-v1.0.0.tar.gz")
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.import_build("v1.0.0", Heard())) == (Code.SYSTEM_BUILD_MISMATCH, "archive")
    assert not (tmp_path / "releases").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("build_id", "other"), ("revision", "f" * 40), ("channel", "rc"), ("built_at", "2026-01-01T00:00:00Z")],
)
async def test_a_build_that_is_not_the_one_listed_is_a_mismatch(
    tmp_path: Path, folder: Path, field: str, value: str
) -> None:
    catalogue = json.loads((folder / "catalogue.json").read_bytes())
    for entry in catalogue["builds"]:
        entry[field] = value
    (folder / "catalogue.json").write_text(json.dumps(catalogue))
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_MISMATCH, field)
    assert code(await desk.import_build("v1.0.0", Heard())) == (Code.SYSTEM_BUILD_MISMATCH, field)


async def test_a_program_for_other_packages_cannot_run_here_and_an_image_brings_its_own(
    tmp_path: Path, folder: Path
) -> None:
    desk = builds(tmp_path, DirectorySource(folder), requires="6" * 64)
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_MISMATCH, "requires")
    assert isinstance(await builds(tmp_path, DirectorySource(folder), requires=None).resolve("v1.0.0"), Manifest)


async def test_unknown_is_said_only_when_every_source_was_asked(tmp_path: Path, folder: Path) -> None:
    silent = DirectorySource(tmp_path / "unplugged")
    desk = builds(tmp_path, silent, DirectorySource(folder))
    assert code(await desk.resolve("v9.9.9"))[0] is Code.RELEASE_SOURCE_UNREACHABLE
    assert isinstance(await desk.resolve("v1.0.0"), Manifest)
    offered = await desk.offered()
    assert not isinstance(offered, BuildFailure)
    assert len(offered) == 2
    assert code(await builds(tmp_path, silent).offered())[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_what_was_imported_stays_usable_without_its_source(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    shutil.move(folder, tmp_path / "unplugged")
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert isinstance(await desk.resources("v1.0.0"), Resources)
    (tmp_path / "releases/v1.0.0/programs/ems/start").write_text("changed")
    assert code(await desk.import_build("v1.0.0", Heard()))[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_a_cancelled_import_ends_its_thread_and_leaves_no_manifest(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    begun = asyncio.Event()

    def report(progress: Progress) -> None:
        if progress.step == "unpack":
            begun.set()

    slow = desk.cache.unpack.__func__  # type: ignore[attr-defined]

    def unpack_slowly(_cache: object, *arguments: object) -> object:
        *others, percent = arguments
        assert callable(percent)

        def stepwise(now: int) -> None:
            percent(now)
            others[3].wait(0.2)  # type: ignore[attr-defined]  # the event that stops it

        return slow(desk.cache, *others, stepwise)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(desk.cache), "unpack", unpack_slowly)
        task = asyncio.create_task(desk.import_build("v1.0.0", report))
        await asyncio.wait_for(begun.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not (tmp_path / "releases/v1.0.0/manifest.json").exists()
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)


async def test_pruning_goes_by_tag(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    for tag in ("v1.0.0", "v1.1.0"):
        await desk.import_build(tag, Heard())
    await desk.prune(frozenset({"v1.1.0"}))
    assert [place.name for place in (tmp_path / "releases").iterdir()] == ["v1.1.0"]
