"""Every call of a commit fails in turn. What the commit says of itself is then compared with the disk. F10, D5."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

import pytest

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import SelectedRelease
from ems_admin.machines.records.reading import Present
from ems_admin.stores import atomic
from ems_admin.stores.atomic import Place
from ems_admin.stores.disk import Disk
from ems_admin.stores.folders import Folder
from ems_admin.stores.records import RecordFile, sha256
from ems_admin.workflows.ports.records import Commit, Committed, NotCommitted, Unprovable
from tests.faults.disks import NumberedDisk, PowerCutError, power_cut

OLD: Final = SelectedRelease(tag="v1.0.0", source="old")
NEW: Final = SelectedRelease(tag="v2.0.0", source="new")
FILE: Final = "selected-release.json"

ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOMEM)
CODES: Final = {
    errno.ENOSPC: (Code.STATE_WRITE_FAILED, "no_space"),
    errno.EDQUOT: (Code.STATE_WRITE_FAILED, "no_space"),
    errno.EIO: (Code.STATE_WRITE_FAILED, "io_error"),
    errno.ENOMEM: (Code.STATE_WRITE_FAILED, "enomem"),
}


@pytest.fixture(params=[OLD, None], ids=["over an old record", "where there was none"])
def before(request: pytest.FixtureRequest, tmp_path: Path) -> bytes | None:
    """Lay the record that is there beforehand, and give its bytes."""
    (tmp_path / "state").mkdir()
    if request.param is None:
        return None
    data = codec.encode(request.param)
    (tmp_path / "state" / FILE).write_bytes(data)
    return data


def place(root: Path) -> Place:
    return Place(folder=Folder(str(root), ("state",)), name=FILE)


def on_disk(root: Path) -> bytes | None:
    path = root / "state" / FILE
    return path.read_bytes() if path.exists() else None


def leftovers(root: Path) -> list[str]:
    return [path.name for path in (root / "state").iterdir() if path.name.endswith(".tmp")]


def act(name: str, root: Path, disk: Disk) -> Commit:
    if name == "remove":
        return atomic.remove(place(root), disk=disk)
    return atomic.replace(place(root), codec.encode(NEW), disk=disk)


def steps(name: str, root: Path) -> int:
    """Count the calls of the act by letting it happen elsewhere."""
    disk = NumberedDisk()
    assert act(name, root, disk) == Committed()
    return len(disk.calls)


def twin(root: Path, before: bytes | None) -> Path:
    """Make an equal site, to count on."""
    other = root / "twin"
    (other / "state").mkdir(parents=True)
    if before is not None:
        (other / "state" / FILE).write_bytes(before)
    return other


def assert_true(outcome: Commit, *, found: bytes | None, before: bytes | None, wanted: bytes | None) -> None:
    """Compare what was claimed with what is there."""
    match outcome:
        case Committed():
            assert found == wanted
        case NotCommitted():
            assert found == before
        case Unprovable():
            assert found in {before, wanted}


@pytest.mark.parametrize("name", ["replace", "remove"])
@pytest.mark.parametrize("error", ERRORS, ids=errno.errorcode.__getitem__)
@pytest.mark.parametrize("afterwards", [False, True], ids=["instead", "afterwards"])
def test_the_claim_is_true_wherever_a_call_fails(
    name: str, error: int, before: bytes | None, tmp_path: Path, *, afterwards: bool
) -> None:
    wanted = None if name == "remove" else codec.encode(NEW)
    for number in range(1, steps(name, twin(tmp_path, before)) + 1):
        disk = NumberedDisk(fails_at=number, error=error, afterwards=afterwards)
        outcome = act(name, tmp_path, disk)
        assert_true(outcome, found=on_disk(tmp_path), before=before, wanted=wanted)
        if not isinstance(outcome, Committed) and error in CODES and isinstance(outcome, NotCommitted):
            assert (outcome.code, outcome.detail) == CODES[error]
        if isinstance(outcome, NotCommitted) and error in {errno.EACCES, errno.EPERM, errno.EROFS}:
            assert outcome.code is Code.ADMIN_DATA_NOT_WRITABLE
        assert leftovers(tmp_path) == []
        restore(tmp_path, before)


def restore(root: Path, before: bytes | None) -> None:
    path = root / "state" / FILE
    path.unlink(missing_ok=True)
    if before is not None:
        path.write_bytes(before)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO], ids=errno.errorcode.__getitem__)
def test_before_the_replace_the_old_bytes_are_exact_and_a_retry_succeeds(
    error: int, before: bytes | None, tmp_path: Path
) -> None:
    calls = NumberedDisk()
    act("replace", twin(tmp_path, before), calls)
    refused = []
    for number in range(1, calls.calls.index("replace") + 2):
        outcome = act("replace", tmp_path, NumberedDisk(fails_at=number, error=error))
        if isinstance(outcome, NotCommitted):
            refused.append(calls.calls[number - 1])
            assert on_disk(tmp_path) == before
            assert act("replace", tmp_path, Disk()) == Committed()
        assert on_disk(tmp_path) == codec.encode(NEW)  # a look beforehand that fails stands against nothing
        restore(tmp_path, before)
    assert refused[:2] == ["open_root", "open_folder"]
    assert refused[-4:] == ["open", "write", "fsync", "replace"]


@pytest.mark.parametrize("name", ["replace", "remove"])
@pytest.mark.parametrize("afterwards", [False, True], ids=["instead", "afterwards"])
async def test_after_a_kill_at_any_call_the_record_is_old_or_new_and_the_next_holder_tidies_up(
    name: str, before: bytes | None, tmp_path: Path, *, afterwards: bool
) -> None:
    wanted = None if name == "remove" else codec.encode(NEW)
    seen = set()
    for number in range(1, steps(name, twin(tmp_path, before)) + 1):
        disk = NumberedDisk(fails_at=number, error=PowerCutError, afterwards=afterwards)
        with power_cut():
            act(name, tmp_path, disk)
        assert disk.dead
        found = on_disk(tmp_path)
        assert found in {before, wanted}
        seen.add(found)
        record = RecordFile(kind=SelectedRelease, folder=place(tmp_path).folder, file_name=FILE)
        async with record.hold() as held:
            assert leftovers(tmp_path) == []
            assert await held.commit(OLD) == Committed()
        restore(tmp_path, before)
    assert seen == {before, wanted}


def test_a_failed_flush_of_the_folder_is_made_good_by_a_whole_second_commit(
    before: bytes | None, tmp_path: Path
) -> None:
    calls = NumberedDisk()
    act("replace", twin(tmp_path, before), calls)
    disk = NumberedDisk(fails_at=len(calls.calls), error=errno.EIO)
    assert act("replace", tmp_path, disk) == Committed()
    assert disk.calls.count("replace") == 2
    assert on_disk(tmp_path) == codec.encode(NEW)


def test_a_folder_that_is_never_flushed_is_committed_with_a_warning(before: bytes | None, tmp_path: Path) -> None:
    disk = NumberedDisk(only="fsync", fails_at=2, times=1)
    twice = NumberedDisk(only="fsync", fails_at=2, times=99)
    assert act("replace", tmp_path, disk) == Committed()
    restore(tmp_path, before)
    # the second try fails at its own file, which is the same: what is there is there
    assert act("replace", tmp_path, twice) == Committed(storage_unreliable=True)
    assert on_disk(tmp_path) == codec.encode(NEW)
    assert leftovers(tmp_path) == []


def test_a_removal_is_told_only_once_the_folder_is_flushed(tmp_path: Path) -> None:
    """DESIGN 3: proved durable, or visibly not. A name that is gone from a folder that was not flushed comes back."""
    restore_in(tmp_path)
    once = NumberedDisk(only="fsync", fails_at=1, times=1)
    assert act("remove", tmp_path, once) == Committed()
    assert once.calls == ["fsync", "fsync"]
    restore_in(tmp_path)
    assert act("remove", tmp_path, NumberedDisk(only="fsync", fails_at=1, times=99)) == Committed(
        storage_unreliable=True
    )
    assert on_disk(tmp_path) is None
    again = NumberedDisk(only="fsync")
    assert act("remove", tmp_path, again) == Committed()
    assert again.calls == ["fsync"], "whoever finds it gone proves it all the same"


def test_where_there_is_no_folder_there_is_nothing_to_remove(tmp_path: Path) -> None:
    assert act("remove", tmp_path, Disk()) == Committed()
    assert list(tmp_path.iterdir()) == []


def restore_in(root: Path) -> None:
    (root / "state").mkdir(exist_ok=True)
    restore(root, codec.encode(OLD))


def test_a_failed_flush_of_the_file_is_never_tried_again(before: bytes | None, tmp_path: Path) -> None:
    disk = NumberedDisk(only="fsync", fails_at=1)
    outcome = act("replace", tmp_path, disk)
    assert outcome == NotCommitted(code=Code.STATE_WRITE_FAILED, detail="io_error")
    assert disk.calls == ["fsync"]
    assert on_disk(tmp_path) == before


def test_what_cannot_be_read_back_cannot_be_proven(tmp_path: Path, before: bytes | None) -> None:
    calls = NumberedDisk()
    act("replace", twin(tmp_path, before), calls)
    disk = NumberedDisk(fails_at=len(calls.calls), times=99, error=errno.EIO)
    assert act("replace", tmp_path, disk) == Unprovable()


class ForeignDisk(Disk):
    """Somebody else writes the file at the moment of the failing flush."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def fsync(self, file: int) -> None:
        path = self.root / "state" / FILE
        if path.exists() and path.read_bytes() == codec.encode(NEW):
            path.write_bytes(b"of somebody else")
            raise OSError(errno.EIO, "flush")
        super().fsync(file)


def test_foreign_bytes_after_the_replace_cannot_be_proven(tmp_path: Path, before: bytes | None) -> None:
    assert act("replace", tmp_path, ForeignDisk(tmp_path)) == Unprovable()


async def test_an_outcome_is_all_that_a_held_record_says(tmp_path: Path) -> None:
    disk = NumberedDisk(only="fsync")
    record = RecordFile(kind=SelectedRelease, folder=place(tmp_path).folder, file_name=FILE, disk=disk)
    async with record.hold() as held:
        assert await held.commit(OLD) == Committed()
        disk.fails_at = len(disk.calls) + 1
        assert isinstance(await held.commit(NEW), NotCommitted)
        assert await held.read() == Present(record=OLD, sha256=sha256(codec.encode(OLD)))
