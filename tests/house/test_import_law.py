"""The tree keeps the import law, and each rule of the law catches what it forbids."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.house import import_law as law
from tools.imports import Tree, parse, read

SRC = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture(scope="module")
def tree() -> Tree:
    return read(SRC)


def names(rule: law.Rule) -> str:
    return rule.__name__


@pytest.mark.parametrize("rule", law.RULES, ids=names)
def test_the_tree_keeps_the_rule(rule: law.Rule, tree: Tree) -> None:
    assert len(tree.modules) > 10
    assert rule(tree) == []


# Rule, the guilty file, its text. Every path named in a text exists in the sample, as an empty file.
VIOLATIONS = (
    (law.rooms_import_in_one_direction, "machines/lock.py", "from ems_admin.codec import decode"),
    (law.rooms_import_in_one_direction, "codec.py", "import ems_admin.workflows.setup"),
    (law.rooms_import_in_one_direction, "workflows/setup.py", "from ems_admin.stores import files"),
    (law.rooms_import_in_one_direction, "workflows/setup.py", "from ems_admin.codec import decode"),
    (law.rooms_import_in_one_direction, "workflows/setup.py", "from ..stores.files import RecordFile"),
    (law.rooms_import_in_one_direction, "stores/files.py", "from ems_admin.workflows.setup import begin"),
    (law.rooms_import_in_one_direction, "stores/files.py", "from ems_admin.builds import archive"),
    (law.rooms_import_in_one_direction, "native/children.py", "import ems_admin.docker.observe"),
    (law.rooms_import_in_one_direction, "native/children.py", "def start():\n    from ems_admin.stores import files"),
    (law.rooms_import_in_one_direction, "docker/pull.py", "from ems_admin import Site"),
    (law.rooms_import_in_one_direction, "fleet/rollout.py", "from ems_admin.site import Site"),
    (law.rooms_import_in_one_direction, "http/setup.py", "from ems_admin.stores import files"),
    (law.rooms_import_in_one_direction, "cli/serve.py", "from ems_admin.app import compose"),
    (law.rooms_import_in_one_direction, "cli/serve.py", "LATER = {'serve': 'ems_admin.http.routes:serve'}"),
    (law.rooms_import_in_one_direction, "cli/serve.py", "from ems_admin.http import routes"),
    (law.rooms_import_in_one_direction, "site.py", "from ems_admin.http import routes"),
    (law.rooms_import_in_one_direction, "site.py", "from ems_admin.cli import serve"),
    (law.rooms_import_in_one_direction, "utils/things.py", "import re"),
    (law.the_package_loads_nothing, "__init__.py", "from ems_admin.site import Site"),
    (law.the_package_loads_nothing, "__init__.py", "def __getattr__(name):\n    from ems_admin.app import main"),
    (law.only_the_codec_imports_cattrs, "stores/files.py", "import cattrs"),
    (law.only_the_codec_imports_cattrs, "http/setup.py", "from cattrs.preconf.json import make_converter"),
    (law.only_the_kernel_imports_transitions, "machines/lock.py", "from transitions import Machine"),
    (law.only_the_kernel_imports_transitions, "native/children.py", "import transitions.core"),
    (law.machines_are_pure, "machines/lock.py", "import os"),
    (law.machines_are_pure, "machines/lock.py", "import time"),
    (law.machines_are_pure, "machines/lock.py", "from random import choice"),
    (law.machines_are_pure, "machines/lock.py", "import asyncio"),
    (law.machines_are_pure, "machines/lock.py", "def f():\n    import pathlib"),
    (law.machines_are_pure, "machines/kernel/machine.py", "from transitions.extensions.asyncio import AsyncMachine"),
    (law.machines_are_pure, "machines/lock.py", "from datetime import UTC, datetime\nat = datetime.now(UTC)"),
    (law.machines_are_pure, "machines/lock.py", "text = open('record.json').read()"),
    (law.machines_are_pure, "machines/lock.py", "async def decide(): ..."),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "import asyncio"),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "from secrets import token_urlsafe"),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "from pathlib import Path, PurePath"),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "import pathlib"),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "import aiohttp"),
    (
        law.workflows_await_nothing_but_ports,
        "workflows/setup.py",
        "import datetime\nat = datetime.date.today()",
    ),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "text = open('record.json').read()"),
    (law.workflows_await_nothing_but_ports, "workflows/setup.py", "from datetime import datetime\nat = datetime.now()"),
    (law.no_import_circle, "workflows/setup.py", "import ems_admin.workflows.setup_too"),
    (law.no_import_circle, "workflows/setup.py", "def f():\n    from ems_admin.workflows import setup_too"),
)

NEIGHBOURS = {
    "__init__.py": "",
    "codec.py": "",
    "app.py": "from ems_admin.http import routes",
    "site.py": "",
    "machines/__init__.py": "",
    "workflows/__init__.py": "",
    "workflows/setup.py": "",
    "workflows/setup_too.py": "from ems_admin.workflows.setup import begin",
    "workflows/ports/__init__.py": "from pathlib import PurePath",
    "stores/__init__.py": "",
    "stores/files.py": "from ems_admin.workflows.ports import Records",
    "builds/archive.py": "from ems_admin.codec import decode",
    "docker/observe.py": "",
    "http/routes.py": "from ems_admin.workflows import setup",
    "cli/serve.py": "",
}


def sample(path: str = "__init__.py", text: str = "") -> Tree:
    """A small house that keeps the law, but for one file."""
    return parse({f"ems_admin/{name}": body for name, body in (NEIGHBOURS | {path: text}).items()})


@pytest.mark.parametrize(("rule", "path", "text"), VIOLATIONS)
def test_a_violation_is_caught(rule: law.Rule, path: str, text: str) -> None:
    found = rule(sample(path, text))
    guilty = "ems_admin." + path.removesuffix(".py").replace("/", ".")
    assert len(found) == 1
    assert found[0].startswith(guilty.removesuffix(".__init__") + ":")


@pytest.mark.parametrize("rule", law.RULES, ids=names)
def test_a_house_that_keeps_the_law_is_left_in_peace(rule: law.Rule) -> None:
    assert rule(sample()) == []


def test_every_rule_has_been_seen_to_catch_something() -> None:
    assert {rule for rule, _, _ in VIOLATIONS} == set(law.RULES)


def test_the_machines_load_without_any_adapter() -> None:
    asked = "import sys, ems_admin.machines; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout.split()
    assert "ems_admin" in loaded
    assert not {"aiohttp", "cattrs", "click", "asyncio", "argon2", "jsonschema", "portalocker", "sqlite3"} & set(loaded)
