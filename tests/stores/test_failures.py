"""What the operating system answers, in words that lead to the thing that is to be mended (`faults.md` D4, F13)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ems_admin.machines.codes import Code
from ems_admin.stores.failures import STATE, not_committed
from ems_admin.workflows.ports.records import NotCommitted
from tests.stores.test_permissions import SOMEBODY, as_somebody, only_root

NAME = "pending-transition.json"


def denied(state: Path, name: str, flags: int) -> str:
    """Open a file as the stores do, and tell what that is called."""
    at = os.open(state, os.O_RDONLY)
    try:
        os.close(os.open(name, flags, 0o600, dir_fd=at))
    except OSError as error:
        return repr(not_committed(error, words=STATE, folder="state", path=str(state)))
    return "opened"


@only_root
@pytest.mark.parametrize(("name", "flags"), [(NAME, os.O_RDONLY), (f".{NAME}.lock", os.O_RDWR | os.O_CREAT)])
def test_a_file_that_root_has_left_in_a_folder_of_ours_is_named_instead_of_the_folder(
    tmp_path: Path, name: str, flags: int
) -> None:
    """A command that was run as root leaves such files; "state is ours, running as us" would help nobody."""
    os.chown(tmp_path, SOMEBODY, SOMEBODY)
    (tmp_path / name).touch(0o600)
    detail = f"state/{name} is 0:0, running as {SOMEBODY}:{SOMEBODY}"
    said = as_somebody(tmp_path, lambda: denied(tmp_path, name, flags))
    assert said == repr(NotCommitted(code=Code.ADMIN_DATA_NOT_WRITABLE, detail=detail))


@only_root
def test_a_folder_of_root_in_which_nothing_can_be_made_is_named_itself(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    said = as_somebody(tmp_path, lambda: denied(tmp_path, f".{NAME}.0123abcd.tmp", os.O_WRONLY | os.O_CREAT))
    detail = f"state is 0:0, running as {SOMEBODY}:{SOMEBODY}"
    assert said == repr(NotCommitted(code=Code.ADMIN_DATA_NOT_WRITABLE, detail=detail))
