"""Bodies of requests: as strict as records, but a field may be left out, and every misfit has a place and a code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import pytest
from attrs import frozen

from ems_admin import codec
from ems_admin.machines.codes import Code


class Choice(StrEnum):
    NEW = "setup_new"
    OLD = "manage_existing"


@frozen(kw_only=True)
class Item:
    name: str
    power: float | None = None


@frozen(kw_only=True)
class Body:
    choice: Choice
    items: tuple[Item, ...]
    scopes: frozenset[Choice] = frozenset()
    more: Mapping[str, Any] | None = None
    confirm: bool = False


GOOD: dict[str, Any] = {"choice": "setup_new", "items": [{"name": "Küche"}]}


def test_a_field_with_a_default_may_be_left_out() -> None:
    assert codec.structure(GOOD, Body) == Body(choice=Choice.NEW, items=(Item(name="Küche"),))


def test_a_browser_writes_five_for_a_float() -> None:
    made = codec.structure({**GOOD, "items": [{"name": "a", "power": 5}]}, Body)
    assert type(made.items[0].power) is float


def test_free_form_values_come_as_they_are() -> None:
    assert codec.structure({**GOOD, "more": {"a": [1, None]}}, Body).more == {"a": [1, None]}


@pytest.mark.parametrize(
    ("change", "pointer", "code"),
    [
        ({"unknown": 1}, "/unknown", Code.UNSUPPORTED_FIELD),
        ({"items": [{"name": "a"}, {"name": "b", "x/y": 1}]}, "/items/1/x~1y", Code.UNSUPPORTED_FIELD),
        ({"items": [{}]}, "/items/0/name", Code.MALFORMED_BODY),
        ({"items": [{"name": 5}]}, "/items/0/name", Code.MALFORMED_BODY),
        ({"items": [{"name": "a", "power": "5"}]}, "/items/0/power", Code.MALFORMED_BODY),
        ({"items": [{"name": "a", "power": True}]}, "/items/0/power", Code.MALFORMED_BODY),
        ({"items": {}}, "/items", Code.MALFORMED_BODY),
        ({"choice": "other"}, "/choice", Code.UNSUPPORTED_VALUE),
        ({"choice": None}, "/choice", Code.MALFORMED_BODY),
        ({"confirm": 1}, "/confirm", Code.MALFORMED_BODY),
        ({"scopes": ["setup_new", "setup_new"]}, "/scopes", Code.UNSUPPORTED_VALUE),
        ({"items": [{"name": "a", "power": 10**400}]}, "/items/0/power", Code.UNSUPPORTED_VALUE),
    ],
    ids=str,
)
def test_what_does_not_fit_is_named_with_its_place(change: dict[str, Any], pointer: str, code: Code) -> None:
    with pytest.raises(codec.MisfitError) as refused:
        codec.structure({**GOOD, **change}, Body)
    (misfit,) = refused.value.misfits
    assert (misfit.pointer, misfit.code, refused.value.code) == (pointer, code, code)


def test_everything_that_does_not_fit_is_gathered() -> None:
    with pytest.raises(codec.MisfitError) as refused:
        codec.structure({"items": [{"name": 1}, {"name": "b", "x": 2}], "choice": "no"}, Body)
    places = {(misfit.pointer, misfit.code) for misfit in refused.value.misfits}
    assert places == {
        ("/items/0/name", Code.MALFORMED_BODY),
        ("/items/1/x", Code.UNSUPPORTED_FIELD),
        ("/choice", Code.UNSUPPORTED_VALUE),
    }
    assert refused.value.code is Code.UNSUPPORTED_FIELD


def test_an_answer_is_made_of_frozen_values() -> None:
    body = Body(choice=Choice.OLD, items=(Item(name="a", power=1.5),), scopes=frozenset(Choice))
    assert codec.unstructure(body) == {
        "choice": "manage_existing",
        "items": [{"name": "a", "power": 1.5}],
        "scopes": ["manage_existing", "setup_new"],
        "more": None,
        "confirm": False,
    }


def test_canonical_json_has_one_spelling() -> None:
    assert codec.canonical({"b": [1, 2.0], "a": "Küche 🔋"}) == '{"a":"Küche 🔋","b":[1,2.0]}'.encode()
