"""What the status says of an operation that cannot be read (`site.md` 3, Read errors)."""

from __future__ import annotations

import pytest

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import ReadFault, Unreadable
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.standing import read_error
from tests.workflows.places import fetched
from tests.workflows.scene import B1

ON_DISK = [
    (b"{", Code.STATE_MALFORMED),
    (b"", Code.STATE_MALFORMED),
    (b"\xff", Code.STATE_MALFORMED),
    ((b'"state_version": 2', b'"state_version": 3'), Code.UNSUPPORTED_STATE_VERSION),
    ((b'"fresh_install"', b'"time_travel"'), Code.UNSUPPORTED_MODE),
    ((b'"stage": "resources_verified"', b'"stage": "somewhere"'), Code.INVALID_STAGE),
    ((b'"error_code": null', b'"error_code": "expired"'), Code.STATE_TAMPERED),
]


@pytest.mark.parametrize(("found", "code"), ON_DISK, ids=[str(code) for _, code in ON_DISK])
def test_each_way_to_be_unreadable_has_its_word(found: bytes | tuple[bytes, bytes], code: Code) -> None:
    scene = fetched()
    before = scene.files[B1]
    if isinstance(found, tuple):
        assert before.count(found[0]) == 1
        found = before.replace(*found)
    scene.site.world.files[B1] = found
    status = scene.do(alignment_status(scene.house))
    assert (status.error, status.transition) == (code, None)
    assert scene.files[B1] == found


@pytest.mark.parametrize(
    "fault", [ReadFault.NOT_PERMITTED, ReadFault.IO_ERROR, ReadFault.FILE_UNSAFE, ReadFault.DIRECTORY_UNSAFE]
)
def test_a_file_that_cannot_be_looked_into_is_unreadable_and_not_malformed(fault: ReadFault) -> None:
    assert read_error(Unreadable(fault=fault)) is Code.STATE_UNREADABLE
