"""What importers meet first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ems_admin
from ems_admin.machines.workflow_lifecycle import Owner
from ems_admin.site import Options, Site


def loaded_by(statement: str) -> set[str]:
    program = f"import sys; {statement}; print(*(name for name in sys.modules if name.startswith('ems_admin')))"
    out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return set(out.stdout.split())


def test_the_facade_is_one_import_away() -> None:
    assert ems_admin.Site is Site


def test_declarations_load_no_adapter() -> None:
    loaded = loaded_by("import ems_admin.machines.catalogue")
    assert {name.split(".")[1] for name in loaded if "." in name} == {"machines"}


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Sight"):
        getattr(ems_admin, "Sight")  # noqa: B009  # asked for by a name that no type knows


async def test_an_importer_opens_a_site_and_looks(tmp_path: Path) -> None:
    async with ems_admin.Site.open(Options.at(tmp_path, {})) as site:
        view = await site.inspect()
    assert view.lifecycle.owner is Owner.NONE
