"""What a finding says of a config, and what it keeps to itself."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ems_admin.workflows.config.checks import violations

BROKER: dict[str, Any] = {
    "type": "object",
    "properties": {"host": {"type": "string"}, "password": {"type": "string", "maxLength": 3}},
}
SCHEMA: dict[str, Any] = {"properties": {"brokers": {"type": "object", "additionalProperties": BROKER}}}


@pytest.mark.parametrize(
    "brokers",
    [
        {"cellar": {"password": "hunter2"}},
        {"cellar": {"password": {"text": "hunter2"}}},
        {"cellar": [{"password": "hunter2"}]},
        [{"password": "hunter2"}],
    ],
    ids=json.dumps,
)
def test_a_finding_repeats_no_secret(brokers: Any) -> None:
    said = [finding.message for finding in violations({"brokers": brokers}, SCHEMA)]
    assert len(said) == 1
    assert "hunter2" not in said[0]


def test_a_finding_repeats_what_is_no_secret() -> None:
    (finding,) = violations({"brokers": {"cellar": {"host": 5}}}, SCHEMA)
    assert (finding.pointer, finding.message) == ("/brokers/cellar/host", "5 is not of type 'string'")
