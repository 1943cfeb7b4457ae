"""What is sent to be built from: what the Dockerfile copies, and nothing that was built or belongs to one machine."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from tests.house.tracked import ROOT
from tests.lab.context import NEVER, let_through, product_context

SENT = frozenset(let_through(ROOT))


def test_the_program_its_page_and_its_pictures_are_sent() -> None:
    assert {"Dockerfile", "requirements.lock", "tools/image_health.py", "src/ems_admin/app.py"} <= SENT
    assert "src/ems_admin/http/console/dist/index.html" in SENT
    assert any(path.startswith("diagrams/") and path.endswith(".svg") for path in SENT)
    assert {path.split("/")[0] for path in SENT} <= {
        "Dockerfile",
        "requirements.lock",
        "tools",
        "src",
        "diagrams",
        "wheels",
    }


def test_no_identity_and_no_source_of_the_console_is_sent() -> None:
    assert "src/ems_admin/build.json" not in SENT
    console = {path for path in SENT if path.startswith("src/ems_admin/http/console/")}
    assert all("/dist/" in path or path.endswith(".py") for path in console)


def test_what_is_never_looked_into_is_ignored_by_the_file_too(tmp_path: Path) -> None:
    (tmp_path / ".dockerignore").write_bytes((ROOT / ".dockerignore").read_bytes())
    ignored = set()
    for folder in ("src/ems_admin/http/__pycache__", "src/ems_admin/http/console/node_modules", ".git", ".venv"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file.py").write_text("")
        ignored.add(f"{folder}/file.py")
    assert ignored.isdisjoint(let_through(tmp_path, never=frozenset()))
    assert ignored.isdisjoint(let_through(tmp_path, never=NEVER))


def test_the_same_tree_gives_the_same_context(tmp_path: Path) -> None:
    (tmp_path / "some-1-py3-none-any.whl").write_bytes(b"wheel")
    first = product_context(tmp_path)
    assert product_context(tmp_path) == first
    with tarfile.open(fileobj=io.BytesIO(first)) as packed:
        assert "wheels/some-1-py3-none-any.whl" in packed.getnames()
