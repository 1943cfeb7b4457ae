"""Where things lie, and what is refused as a place."""

import hashlib
from pathlib import Path

import pytest

from ems_admin.native.place import Place, is_plain


def test_a_relative_root_means_the_same_to_a_child_that_works_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = Place(install_root=Path("site"), admin_data=Path("site/admin"), releases=Path("site/admin/releases"))
    assert place.config == tmp_path / "site" / "config"
    assert place.log("ems") == tmp_path / "site" / "admin" / "logs" / "ems.log"


def test_a_site_has_one_name_whichever_way_leads_to_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "link").symlink_to("site")
    names = {Place(install_root=root, admin_data=root, releases=root).site for root in tmp_path.iterdir()}
    assert names == {hashlib.sha256(str((tmp_path / "site").resolve()).encode()).hexdigest()[:16]}


@pytest.mark.parametrize(
    ("path", "plain"),
    [("ems", True), ("programs/ems", True), ("", False), ("/etc", False), ("a/../../b", False), ("a\0b", False)],
)
def test_only_a_path_that_stays_below_its_beginning_is_plain(path: str, *, plain: bool) -> None:
    assert is_plain(path) is plain
