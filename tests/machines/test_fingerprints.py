"""The same means the same bytes, and no secret is among them."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from ems_admin.machines.records.setup import WorkflowStatus
from ems_admin.machines.records.transition import Mode
from ems_admin.machines.values.fingerprints import (
    DraftInput,
    InstallationFacts,
    Seen,
    body_hash,
    canonical_json,
    draft_fingerprint,
    fingerprint_of,
    installation_fingerprint,
    is_secret_like,
    request_fingerprint,
    selection_fingerprint,
    sha256_of,
    without_secrets,
)


def test_keys_stand_in_the_order_of_their_code_points() -> None:
    assert canonical_json({"b": 1, "Z": 2, "ä": 3, "a": 4}) == '{"Z":2,"a":4,"b":1,"ä":3}'.encode()


def test_nothing_is_escaped_that_need_not_be() -> None:
    assert canonical_json("Küche 🔋\n") == '"Küche 🔋\\n"'.encode()


@pytest.mark.parametrize(
    ("number", "text"), [(1, b"1"), (1.0, b"1.0"), (0.1, b"0.1"), (1e22, b"1e+22"), (True, b"true"), (-0.0, b"-0.0")]
)
def test_numbers_are_written_as_python_writes_them(number: float, text: bytes) -> None:
    assert canonical_json(number) == text


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([number])


@pytest.mark.parametrize(
    "value",
    [{1: "a"}, [{None: 1}], {"a": {2}}, len],
    ids=["a number as a name", "null as a name", "a set", "a function"],
)
def test_what_json_has_no_word_for_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)


def test_text_that_is_no_utf8_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical_json("\ud800")


def test_a_word_of_an_enum_is_its_text() -> None:
    assert canonical_json({"status": WorkflowStatus.ACTIVE}) == b'{"status":"active"}'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "\\ud" not in json.dumps(value))


@given(JSON)
def test_canonical_json_reads_back_as_the_same_and_is_written_the_same_again(value: Any) -> None:
    written = canonical_json(value)
    assert json.loads(written) == value
    assert canonical_json(json.loads(written)) == written


def test_a_fingerprint_is_the_digest_of_canonical_json() -> None:
    digest = hashlib.sha256(b'{"a":[1,2]}').hexdigest()
    assert sha256_of({"a": (1, 2)}) == digest
    assert fingerprint_of({"a": [1, 2]}) == f"sha256:{digest}"


DRAFT = DraftInput(
    devices=({"config_name": "battery", "ip": "192.0.2.7", "max_power": 800},),
    grid_meter_count=1,
    features={"dashboard": True},
    mqtt_proposals=({"id": "p1", "broker_ref": "house", "model": "x"},),
    mqtt_broker={"ref": "house", "host": "mqtt.example", "username": "ems", "password": "geheim"},
    mqtt_manual_devices=(),
)


@pytest.mark.parametrize(
    "changed",
    [
        {"devices": ({"config_name": "battery", "ip": "192.0.2.8", "max_power": 800},)},
        {"grid_meter_count": 0},
        {"features": {"dashboard": False}},
        {"mqtt_proposals": ({"id": "p1", "broker_ref": "house", "model": "y"},)},
        {"mqtt_broker": {**DRAFT.mqtt_broker, "host": "other.example"}},
        {"mqtt_broker": {**DRAFT.mqtt_broker, "password": "anders"}},
        {"mqtt_manual_devices": ({"config_name": "inverter"},)},
    ],
    ids=["device", "grid_meter", "feature", "resolved_proposal", "broker", "secret", "manual_device"],
)
def test_every_part_of_a_draft_counts(changed: dict[str, Any]) -> None:
    """`seed 000` 2.3."""
    assert draft_fingerprint(evolve(DRAFT, **changed)) != draft_fingerprint(DRAFT)


def test_a_draft_has_one_fingerprint_however_its_keys_are_ordered() -> None:
    turned = evolve(DRAFT, mqtt_broker=dict(reversed([*DRAFT.mqtt_broker.items()])))
    assert draft_fingerprint(turned) == draft_fingerprint(DRAFT)
    assert draft_fingerprint(DRAFT).startswith("sha256:")


def test_secrets_are_replaced_by_their_digest_at_any_depth() -> None:
    """`seed 000` 2.3."""
    hidden = without_secrets({"a": [{"Broker_Password": "geheim", "port": 1883}], "tokens": ["t1", {"x": "t2"}]})
    assert "geheim" not in repr(hidden)
    assert "t1" not in repr(hidden)
    assert "t2" not in repr(hidden)
    assert hidden["a"][0] == {"Broker_Password": f"sha256:{hashlib.sha256(b'geheim').hexdigest()}", "port": 1883}


@pytest.mark.parametrize("key", ["password", "mqtt_password", "API_KEY", "access_token", "Passphrase", "credentials"])
def test_a_key_that_speaks_of_a_secret_holds_one(key: str) -> None:
    assert is_secret_like(key)


@pytest.mark.parametrize("key", ["credentials_ref", "token_ref", "host", "username", "serial_number"])
def test_a_reference_is_no_secret(key: str) -> None:
    """`site.md` 4."""
    assert not is_secret_like(key)


def test_a_request_is_told_by_mode_tag_selection_and_options() -> None:
    def asked(mode: Mode, tag: str, selection: str, *, backup: bool) -> str:
        return request_fingerprint(
            mode=mode, system_tag=tag, selection_fingerprint=selection, options={"backup": backup}
        )

    first = asked(Mode.GUIDED_UPGRADE, "v2", "s", backup=True)
    others = [
        asked(Mode.FRESH_INSTALL, "v2", "s", backup=True),
        asked(Mode.GUIDED_UPGRADE, "v3", "s", backup=True),
        asked(Mode.GUIDED_UPGRADE, "v2", "t", backup=True),
        asked(Mode.GUIDED_UPGRADE, "v2", "s", backup=False),
    ]
    assert len({first, *others}) == 5


def test_two_clicks_are_one_request_and_two_bodies_are_two() -> None:
    assert body_hash("POST", "/a", {"x": 1, "y": 2}) == body_hash("POST", "/a", {"y": 2, "x": 1})
    assert body_hash("POST", "/a", {"x": 1}) != body_hash("POST", "/a", {"x": 2})
    assert body_hash("POST", "/a", None) != body_hash("POST", "/b", None)


def test_a_tag_that_moved_is_another_selection() -> None:
    chosen = {"system_tag": "v1", "build_id": "b1", "revision": "r1", "admin": "d1", "ems": "d2"}
    moved = [{**chosen, key: "other"} for key in chosen]
    assert len({selection_fingerprint(**chosen), *(selection_fingerprint(**one) for one in moved)}) == 6


INSTALLATION = InstallationFacts(
    install_state=WorkflowStatus.ACTIVE,
    standard_config="d1",
    legacy_config=Seen.ABSENT,
    stack_file=Seen.ABSENT,
    ems_exists=True,
    ems_running=False,
    ems_image_id="i1",
)


@pytest.mark.parametrize(
    "facts",
    [
        evolve(INSTALLATION, standard_config=None),
        evolve(INSTALLATION, legacy_config=None),
        evolve(INSTALLATION, stack_file=None),
    ],
    ids=["standard_config", "legacy_config", "stack_file"],
)
def test_a_file_that_cannot_be_read_leaves_no_fingerprint(facts: InstallationFacts) -> None:
    assert installation_fingerprint(facts) is None


def test_absent_and_present_and_unknown_are_told_apart() -> None:
    others = [
        evolve(INSTALLATION, standard_config=Seen.ABSENT),
        evolve(INSTALLATION, stack_file="d2"),
        evolve(INSTALLATION, install_state=WorkflowStatus.ABANDONED),
        evolve(INSTALLATION, ems_running=None),
        evolve(INSTALLATION, ems_running=True),
        evolve(INSTALLATION, ems_image_id=None),
    ]
    assert len({installation_fingerprint(facts) for facts in (INSTALLATION, *others)}) == 7
