"""Program trees: what is run is what the manifest names, byte for byte."""

import os
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.values.trees import TreeFile, tree_digest
from ems_admin.native.programs import UnsafeTreeError, digest
from ems_admin.workflows.ports.engine import Deployment, Done
from tests.native.ground import Ground, failure, nobody, service
from tests.native.host import marked


def tree(ground: Ground) -> Path:
    return ground.place.program("b1", "programs/ems")


def packed(ground: Ground) -> Path:
    return ground.place.packed("v1-b1", "programs/ems")


def test_the_digest_is_over_hash_bit_and_path_of_every_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "run").write_bytes(b"1")
    (tmp_path / "b" / "run").chmod(0o755)
    (tmp_path / "a").write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    one = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
    files = (TreeFile(path="b/run", sha256=one, executable=True), TreeFile(path="a", sha256=empty, executable=False))
    assert digest(tmp_path) == tree_digest(files)
    (tmp_path / "a").chmod(0o744)
    assert digest(tmp_path) != tree_digest(files)


def test_a_tree_with_a_link_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to("/etc")
    with pytest.raises(UnsafeTreeError):
        digest(tmp_path)


async def test_a_fetched_tree_is_the_packed_one(ground: Ground) -> None:
    await ground.ready()
    assert digest(tree(ground)) == digest(packed(ground))


async def test_running_does_not_change_the_tree(ground: Ground) -> None:
    deployment = await ground.ready()
    (packed(ground) / "part.py").write_text("VALUE = 1\n")
    (packed(ground) / "ems.py").write_text("import part\n" + (packed(ground) / "ems.py").read_text())
    deployment = ground.deployment()
    assert await ground.engine().fetch(deployment, nobody) == Done()
    assert await ground.engine().start(deployment, nobody) == Done()
    assert digest(tree(ground)) == deployment.manifest.programs["ems"].sha256


async def test_a_tree_that_is_whole_is_left_as_it_is(ground: Ground) -> None:
    deployment = await ground.ready()
    before = (tree(ground) / "ems.py").stat().st_ino
    assert await ground.engine().fetch(deployment, nobody) == Done()
    assert (tree(ground) / "ems.py").stat().st_ino == before


async def test_a_damaged_tree_is_never_started_and_brought_anew(ground: Ground) -> None:
    deployment = await ground.ready()
    (tree(ground) / "ems.py").write_text("")
    failed = failure(await ground.engine().start(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.IMAGE_DIGEST_MISMATCH, "ems")
    assert not list(marked(ground.place.site))
    assert await ground.engine().fetch(deployment, nobody) == Done()
    assert await ground.engine().start(deployment, nobody) == Done()


async def test_a_damaged_tree_is_noticed_before_what_runs_is_ended(ground: Ground) -> None:
    engine = ground.engine()
    assert await engine.start(await ground.ready(), nobody) == Done()
    before, newer = list(marked(ground.place.site)), await ground.ready(build="b2")
    (ground.place.program("b2", "programs/ems") / "ems.py").write_text("")
    assert failure(await engine.start(newer, nobody)).code is Code.IMAGE_DIGEST_MISMATCH
    assert list(marked(ground.place.site)) == before


async def test_a_program_that_was_never_fetched_is_unavailable(ground: Ground) -> None:
    failed = failure(await ground.engine().start(ground.deployment(), nobody))
    assert (failed.code, failed.detail) == (Code.IMAGE_UNAVAILABLE, "ems")


async def test_a_packed_tree_that_does_not_verify_is_not_run_from(ground: Ground) -> None:
    deployment = ground.deployment()
    (packed(ground) / "ems.py").write_text("")
    failed = failure(await ground.engine().fetch(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.SYSTEM_BUILD_MISMATCH, "ems")
    assert list(tree(ground).parent.iterdir()) == []


async def test_a_packed_tree_that_is_missing_is_unavailable(ground: Ground) -> None:
    deployment = ground.deployment()
    packed(ground).rename(packed(ground).with_name("elsewhere"))
    assert failure(await ground.engine().fetch(deployment, nobody)).code is Code.IMAGE_UNAVAILABLE


async def test_a_half_copy_of_an_earlier_kill_is_swept(ground: Ground) -> None:
    half = tree(ground).with_name(".staging-0000")
    half.mkdir(parents=True)
    (half / "ems.py").write_text("half")
    await ground.ready()
    assert [place.name for place in tree(ground).parent.iterdir()] == ["ems"]


def command(*words: str | Path) -> None:
    subprocess.run(words, check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="a full disk needs a file system of its own, and that needs root")
async def test_on_a_full_disk_nothing_half_is_left(ground: Ground) -> None:
    deployment, place = ground.deployment(), ground.root / "programs"
    place.mkdir()
    command("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", place)
    try:
        failed = failure(await ground.engine().fetch(deployment, nobody))
        assert (failed.code, failed.detail) == (Code.STATE_WRITE_FAILED, "no_space")
        assert not list(place.rglob("*.py"))
    finally:
        command("umount", place)


def directory(deployment: Deployment, path: str) -> Deployment:
    program = evolve(deployment.manifest.programs["ems"], directory=path)
    return evolve(deployment, manifest=evolve(deployment.manifest, programs={"ems": program}))


@pytest.mark.parametrize("path", ["../ems", "/etc", "", "a/../../b"])
async def test_a_program_outside_its_build_is_refused(ground: Ground, path: str) -> None:
    deployment = directory(ground.deployment(), path)
    assert failure(await ground.engine().fetch(deployment, nobody)).code is Code.SYSTEM_BUILD_RESOURCES_INVALID
    assert failure(await ground.engine().start(deployment, nobody)).code is Code.SYSTEM_BUILD_RESOURCES_INVALID


async def test_a_service_without_a_program_cannot_run_natively(ground: Ground) -> None:
    deployment = ground.deployment(service("ems"), evolve(service("broker"), program=None))
    failed = failure(await ground.engine().fetch(deployment, nobody))
    assert (failed.code, failed.detail) == (Code.IMAGE_UNAVAILABLE, "broker")
    assert ground.engine().images(deployment) == ()
