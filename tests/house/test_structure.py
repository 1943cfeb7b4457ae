"""The picture of the structure shows what the sources say."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools import structure
from tools.imports import circles, parse

TREE = parse(
    {
        "ems_admin/__init__.py": "",
        "ems_admin/http/__init__.py": "",
        "ems_admin/http/routes.py": "from ems_admin.workflows import setup\nfrom ems_admin.machines.codes import Code",
        "ems_admin/workflows/__init__.py": "",
        "ems_admin/workflows/setup.py": "from ems_admin.machines import codes\nfrom . import ports\nimport re",
        "ems_admin/workflows/ports.py": "def late():\n    import ems_admin.machines.codes",
        "ems_admin/machines/__init__.py": "",
        "ems_admin/machines/codes.py": "",
    }
)


def test_rooms_count_the_imports_between_them() -> None:
    assert structure.doors(TREE) == {("http", "workflows"): 1, ("http", "machines"): 1, ("workflows", "machines"): 2}


def test_the_text_names_every_file_with_what_it_needs() -> None:
    said = structure.text(TREE)
    assert "http (2) → machines 1, workflows 1\n" in said
    assert "workflows/setup.py\n    → machines/codes.py\n    → workflows/ports.py\n" in said


def test_the_drawings_are_graphs_that_graphviz_accepts() -> None:
    for graph in (structure.house(TREE), structure.sheet(TREE, "workflows"), structure.sheet(TREE, "")):
        drawn = subprocess.run(["dot", "-Tsvg"], input=graph, check=True, capture_output=True, text=True)
        assert drawn.stderr == ""
        assert "</svg>" in drawn.stdout


def test_circles_are_found_through_any_number_of_modules() -> None:
    ring = parse({f"ems_admin/{a}.py": f"import ems_admin.{b}" for a, b in ("ab", "bc", "ca", "da")})
    assert circles(ring) == [["ems_admin.a", "ems_admin.b", "ems_admin.c"]]


def test_a_stale_text_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "structure.txt"
    monkeypatch.setattr(structure, "TEXT", page)
    monkeypatch.setattr(sys, "argv", ["structure", "--check"])
    monkeypatch.setattr(structure, "read", lambda _: TREE)
    page.write_text(structure.text(TREE))
    structure.main()
    page.write_text(structure.text(TREE).replace("machines/codes.py", "machines/code.py"))
    with pytest.raises(SystemExit, match="stale"):
        structure.main()
