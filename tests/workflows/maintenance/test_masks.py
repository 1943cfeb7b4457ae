"""What is masked in a config that people have written, and that it comes back whole."""

from __future__ import annotations

from typing import Any

import pytest

from ems_admin.workflows.config.diff import MASK
from ems_admin.workflows.maintenance.document import as_shown, taken_apart


@pytest.mark.parametrize("secret", ["hunter2", 4711, 47.11, ["hunter2"]], ids=repr)
def test_a_secret_of_any_kind_is_masked_and_comes_back(secret: Any) -> None:
    live = {"devices": [{"name": "cellar", "mqtt": {"broker": {"host": "h", "password": secret}}}]}
    shown = as_shown(live, {})
    assert shown["devices"][0]["mqtt"]["broker"] == {"host": "h", "password": MASK}
    edited = taken_apart(shown, live, {})
    assert (edited.config, edited.findings) == (live, ())
