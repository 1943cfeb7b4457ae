"""A stale edit or draft brought up to date: what the person takes from the live config, and what they keep.

The result is an edit or a draft like any other: it is reviewed again against what is live, and nothing is written here.
Source: `seed 000` 6.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.config.as_draft import as_draft
from ems_admin.workflows.config.compose import compose
from ems_admin.workflows.config.draft import Draft, checked
from ems_admin.workflows.config.preview import selected_resources
from ems_admin.workflows.config.staleness import sides
from ems_admin.workflows.config.three_ways import Side, ThreeWays, compare, merge
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.document import as_shown
from ems_admin.workflows.ports.records import RefusalError


@frozen(kw_only=True)
class Choices:
    """What a person decided, field by field."""

    base_revision: str | None
    """What the edit or draft was made from; `None` when there was no config."""
    fields: Mapping[str, Side]
    """By pointer, as `three_ways` names the fields."""
    take: Side | None
    """The side of every other field; `None` leaves those that one side alone has changed as that side has them."""


@frozen(kw_only=True)
class MergedEdit:
    """An edit that is up to date."""

    draft: Mapping[str, Any]
    revision: str | None
    """The live revision that it is made from now."""
    undecided: tuple[str, ...]
    three_ways: ThreeWays


@frozen(kw_only=True)
class MergedDraft:
    """A draft of a Setup that is up to date, as far as a draft can say it."""

    draft: Draft
    left_out: tuple[str, ...]
    """What was chosen and a draft has no word for: it comes from the build's template."""
    config_revision: str | None
    undecided: tuple[str, ...]
    three_ways: ThreeWays


async def merge_edit(house: House, draft: Mapping[str, Any], choices: Choices) -> MergedEdit:
    """Bring an edit up to date. Raises `config_unreadable`, and `unsupported_value` for a field there is none of."""
    seen = await sides(house, choices.base_revision)
    config, undecided = _merged(seen.baseline, seen.live, draft, choices)
    return MergedEdit(
        draft=config,
        revision=seen.live_revision,
        undecided=undecided,
        three_ways=compare(seen.baseline, seen.live, draft),
    )


async def merge_draft(house: House, draft: Draft, choices: Choices) -> MergedDraft:
    """Bring the draft of a Setup up to date. Raises `RefusalError`, also with `release_not_prepared`."""
    build = await selected_resources(house, await house.records.setup.current())
    seen = await sides(house, choices.base_revision)
    mine = as_shown(compose(checked(draft), build.template).config, seen.secrets)
    config, undecided = _merged(seen.baseline, seen.live, mine, choices)
    led_back = as_draft(config, as_shown(build.template, seen.secrets), like=draft)
    return MergedDraft(
        draft=led_back.draft,
        left_out=led_back.left_out,
        config_revision=seen.live_revision,
        undecided=undecided,
        three_ways=compare(seen.baseline, seen.live, mine),
    )


def _merged(
    baseline: Mapping[str, Any] | None, live: Mapping[str, Any] | None, mine: Mapping[str, Any], choices: Choices
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    merged = merge(baseline, live, mine, choices=choices.fields, take=choices.take)
    if merged.unknown:
        raise RefusalError(Refusal(Code.UNSUPPORTED_VALUE, detail=merged.unknown[0]))
    return merged.config, merged.undecided
