"""The demo builds: packed from the project itself, the same every time, and really what their notes say."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from jsonschema import Draft202012Validator

from ems_admin.builds.identity import PACKAGE, own_identity, package_files
from ems_admin.builds.publishing import Publisher
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import DirectorySource
from ems_admin.codec import structure
from ems_admin.demo import packing
from ems_admin.demo.packing import pack_demo_builds
from ems_admin.machines.records.build import Manifest, OwnIdentity
from ems_admin.machines.records.setup import ValidationEntry
from ems_admin.machines.values.tags import Direction, Tagged, direction
from ems_admin.workflows.config.checks import findings
from ems_admin.workflows.config.compose import compose
from ems_admin.workflows.config.draft import Draft, checked
from ems_admin.workflows.ports.builds import BuildFailure, Resources
from tests.builds.sample import OWN
from tests.builds.test_identity import copied
from tests.demo.ems_process import Home, config, running

TAGS = ("v1.2.0", "v1.1.0", "v1.0.0")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnIdentity]:
    """A running Admin of which nobody edits a file meanwhile: a copy of the package as it would be installed."""
    package = copied(PACKAGE, tmp_path_factory.mktemp("installed"))
    identity = {name: getattr(OWN, name) for name in ("system_tag", "build_id", "revision", "requires")}
    built = {"format_version": 1, **identity, "built_at": "2026-11-01T00:00:00Z"}
    (package / "build.json").write_text(json.dumps(built))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "PACKAGE", package)
        found = own_identity(package)
        assert found is not None
        yield found


@pytest.fixture(scope="module")
def catalogue(own: OwnIdentity, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(pack_demo_builds(tmp_path_factory.mktemp("demo") / "builds", own))


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("releases")


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {place.name: place.read_bytes() for place in folder.iterdir()}


def times_in(folder: Path) -> dict[str, int]:
    return {place.name: place.stat().st_mtime_ns for place in folder.iterdir()}


async def imported(catalogue: Path, releases: Path, own: OwnIdentity, tag: str) -> Resources:
    desk = ReleaseBuilds(sources=(DirectorySource(catalogue),), releases=releases, requires=own.requires)
    manifest = await desk.import_build(tag, lambda _: None)
    assert isinstance(manifest, Manifest)
    resources = await desk.resources(tag)
    assert isinstance(resources, Resources)
    return resources


async def test_three_builds_are_offered_and_each_verifies(catalogue: Path, own: OwnIdentity, tmp_path: Path) -> None:
    offered = await ReleaseBuilds(
        sources=(DirectorySource(catalogue),), releases=tmp_path, requires=own.requires
    ).offered()
    assert not isinstance(offered, BuildFailure)
    assert tuple(build.tag for build in offered) == TAGS
    assert len({build.build_id for build in offered}) == len({build.revision for build in offered}) == 3
    assert not isinstance(Publisher().verify(catalogue), BuildFailure)
    newest, newer, good = (Tagged(build.tag, build.channel) for build in offered)
    assert direction(newer, good) is direction(newest, newer) is Direction.NEWER


async def test_the_good_build_is_the_running_admin(catalogue: Path, releases: Path, own: OwnIdentity) -> None:
    resources = await imported(catalogue, releases, own, "v1.0.0")
    manifest = resources.manifest
    assert (manifest.system_tag, manifest.build_id, manifest.revision) == (own.system_tag, own.build_id, own.revision)
    assert manifest.programs["admin"].sha256 == own.digest
    assert own_identity(releases / "v1.0.0/programs/admin/ems_admin") == own


async def test_a_newer_admin_says_that_it_is_the_newer_one(catalogue: Path, releases: Path, own: OwnIdentity) -> None:
    resources = await imported(catalogue, releases, own, "v1.1.0")
    newer = own_identity(releases / "v1.1.0/programs/admin/ems_admin")
    assert newer is not None
    assert (newer.build_id, newer.digest) == (resources.manifest.build_id, resources.manifest.programs["admin"].sha256)
    assert newer.digest != own.digest


async def test_packing_again_gives_the_same_bytes(catalogue: Path, own: OwnIdentity, tmp_path: Path) -> None:
    again = await pack_demo_builds(tmp_path / "again", own)
    assert bytes_in(again) == bytes_in(catalogue)


async def test_what_is_packed_already_is_used_again_within_a_second(catalogue: Path, own: OwnIdentity) -> None:
    before = times_in(catalogue)
    began = time.monotonic()
    await pack_demo_builds(catalogue, own)
    assert time.monotonic() - began < 1
    assert times_in(catalogue) == before


async def test_packing_that_was_cut_is_done_again(catalogue: Path, own: OwnIdentity, tmp_path: Path) -> None:
    whole = bytes_in(catalogue)
    for missing in ("packed-from.txt", "catalogue.json", "system-build-v1.1.0.tar.gz"):
        (tmp_path / missing).mkdir()
        for name, data in whole.items():
            (tmp_path / missing / name).write_bytes(data[: len(data) // 2] if name == missing else data)
        await pack_demo_builds(tmp_path / missing, own)
        assert bytes_in(tmp_path / missing) == whole


async def test_another_admin_packs_other_builds_and_leaves_none_behind(own: OwnIdentity, tmp_path: Path) -> None:
    await pack_demo_builds(tmp_path, own)
    await pack_demo_builds(tmp_path, evolve(own, system_tag="v3.7.2", build_id="3.7.2-x"))
    archives = {f"system-build-{tag}.tar.gz" for tag in ("v3.7.2", "v3.8.0", "v3.9.0")}
    assert bytes_in(tmp_path).keys() == {*archives, "catalogue.json", "packed-from.txt"}


async def test_the_packed_ems_needs_nothing_of_the_admin(catalogue: Path, releases: Path, own: OwnIdentity) -> None:
    resources = await imported(catalogue, releases, own, "v1.0.0")
    program = releases / "v1.0.0" / resources.manifest.programs["ems"].directory
    assert loaded_with_the_ems(program) == "[]\n"


def loaded_with_the_ems(program: Path) -> str:
    code = "import sys, ems.__main__; print([name for name in sys.modules if name.startswith('ems_admin')])"
    told = subprocess.run([sys.executable, "-B", "-c", code], cwd=program, capture_output=True, text=True, check=True)
    return told.stdout


@pytest.mark.parametrize("tag", TAGS)
async def test_each_ems_says_which_build_it_is_and_how_it_is(
    catalogue: Path, releases: Path, own: OwnIdentity, tmp_path: Path, tag: str
) -> None:
    status, word, loop = (503, "unhealthy", "failed") if tag == "v1.2.0" else (200, "healthy", "ok")
    resources = await imported(catalogue, releases, own, tag)
    manifest = resources.manifest
    with running(Home(tmp_path, config()), releases / tag / manifest.programs["ems"].directory) as ems:
        answered, health = ems.until_it_answers()
    assert (answered, health["status"]) == (status, word)
    assert (health["build_id"], health["revision"]) == (manifest.build_id, manifest.revision)
    assert health["checks"]["control_loop"] == loop


async def test_the_stack_is_one_service_of_the_ems(catalogue: Path, releases: Path, own: OwnIdentity) -> None:
    resources = await imported(catalogue, releases, own, "v1.0.0")
    (service,) = resources.stack.services
    assert (service.name, service.program, service.publish) == ("ems", "ems", 0)
    assert (service.health.path, service.dashboard_path) == ("/health", "/")
    words = set(resources.manifest.programs["ems"].command)
    assert {"{python}", "{config}", "{data}", "{port}"} <= words


async def test_the_example_becomes_a_config_that_the_ems_runs(
    catalogue: Path, releases: Path, own: OwnIdentity, tmp_path: Path
) -> None:
    resources = await imported(catalogue, releases, own, "v1.0.0")
    document, entries = composed(resources)
    assert entries == ()
    assert [*Draft202012Validator(dict(resources.schema)).iter_errors(document)] == []
    with running(Home(tmp_path, document), releases / "v1.0.0/programs/ems") as ems:
        assert ems.until_it_answers()[0] == 200


def composed(resources: Resources) -> tuple[dict[str, Any], tuple[ValidationEntry, ...]]:
    """Put the example together the way that a preview does."""
    draft = checked(structure(dict(resources.example or {}), Draft))
    whole = compose(draft, resources.template)
    return whole.config, findings(draft, whole, resources.schema, ())


def test_the_tree_that_is_packed_is_the_tree_that_runs(own: OwnIdentity) -> None:
    assert {file.path for file in package_files(PACKAGE)} >= {"ems_admin/app.py", "ems_admin/build.json"}
