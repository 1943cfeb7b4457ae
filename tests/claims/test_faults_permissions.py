"""A verdict about the directories is logged when it changes, and not whenever it is asked for (`faults.md` F13)."""

from __future__ import annotations

from pathlib import Path

from structlog.testing import capture_logs

from ems_admin.stores.installation import InstallRoot
from ems_admin.stores.site_files import SiteFiles
from tests.faults.mounts import mounted


async def test_a_verdict_is_told_once_until_it_changes(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    SiteFiles(admin_data=tmp_path / "admin").prepare()
    root = InstallRoot(install_root=tmp_path, admin_data=tmp_path / "admin", stack_file="stack.json")
    with capture_logs() as lines:
        with mounted(tmp_path / "config", "-t", "tmpfs", "-o", "size=64k,ro", "tmpfs"):
            for _ in range(3):
                assert await root.not_writable() is not None
        for _ in range(3):
            assert await root.not_writable() is None
    assert [line["log_level"] for line in lines] == ["warning", "info"]
    assert lines[0]["code"] == "config_file_not_replaceable"
