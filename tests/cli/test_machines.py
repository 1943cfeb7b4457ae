"""`ems-admin machines`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ems_admin.app import main
from ems_admin.machines.catalogue import CATALOGUE
from ems_admin.machines.render.files import TYPESCRIPT

ROOT = Path(__file__).parents[2]


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, env={"COLUMNS": "200"})


def test_list_names_every_machine_and_where_its_state_is() -> None:
    result = run("machines", "list")
    assert result.exit_code == 0
    for entry in CATALOGUE:
        assert entry.name in result.output
        assert entry.record.replace("`", "") in result.output


@pytest.mark.parametrize("name", [entry.name for entry in CATALOGUE])
def test_show_tells_a_machine_whole(name: str) -> None:
    result = run("machines", "show", name)
    assert result.exit_code == 0
    (entry,) = (entry for entry in CATALOGUE if entry.name == name)
    assert entry.title in result.output
    for state in entry.states:
        assert state in result.output


def test_show_says_in_which_order_is_checked() -> None:
    lines = run("machines", "show", "preview").output.splitlines()
    (line,) = (line for line in lines if "→ none, answers stale_setup_config" in line and "preview_is_named" in line)
    assert line.split()[-4:] == ["preview_is_named,", "preview_is_exact,", "not", "config_is_as_shown"]


def test_an_unknown_machine_is_a_usage_error_that_names_what_was_meant() -> None:
    result = run("machines", "show", "guided_setp")
    assert result.exit_code == 2
    assert "Did you mean guided_setup" in result.output


def test_export_gives_all_declarations_as_json() -> None:
    exported = json.loads(run("machines", "export").output)["machines"]
    assert [machine["name"] for machine in exported] == [entry.name for entry in CATALOGUE]
    assert json.loads(run("machines", "export", "--json").output)["machines"] == exported
    alignment = next(machine for machine in exported if machine["name"] == "system_alignment")
    assert alignment["initial"] == ["admin_update_pending", "admin_aligned"]
    assert alignment["final"] == ["completed", "cancelled"]


def test_export_gives_the_vocabularies_as_the_console_has_them() -> None:
    assert run("machines", "export", "--typescript").output == (ROOT / TYPESCRIPT).read_text(encoding="utf-8")
