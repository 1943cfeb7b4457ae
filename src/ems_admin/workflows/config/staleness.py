"""What the refusal of a stale write carries: the live revision, the difference to it, and all three side by side.

Every way in which the config is written is bound to what was reviewed. Where the live config is another one by now, the
person is not only told so but shown it: `revision`, `baseline_revision`, `diff` and `three_ways` stand in the answer,
each of W1 to W8 alike. Whoever builds such a way raises

    raise await stale(house, Refusal(Code.CONFLICT), wanted, base_revision=reviewed)

with the config that it would have written, from its own check and again from `when_stale` of `commit_config`.
Source: `seed 000` 2, 6.5; `faults.md` F46.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.config.diff import diff
from ems_admin.workflows.config.keeping import bytes_of
from ems_admin.workflows.config.preview import document, revision_of
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.config.three_ways import compare
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.document import Secrets, as_shown
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError

Config = Mapping[str, Any]


@frozen(kw_only=True)
class Sides:
    """What was reviewed and what is live by now, as people may see them."""

    baseline: Config | None
    """`None` when nobody knows it any more; an empty one when there was provably no config."""
    baseline_revision: str | None
    live: Config | None
    live_revision: str | None
    secrets: Secrets


async def sides(house: House, base_revision: str | None) -> Sides:
    """Read both. Raises `config_unreadable` for a live config that is no JSON."""
    secrets = await _secrets(house)
    live = await house.config.config()
    shown = document(live)
    baseline: Config | None = {}
    if base_revision is not None:
        kept = await bytes_of(house, base_revision)
        baseline = None if kept is None else document(Content(data=kept, revision=base_revision))
    return Sides(
        baseline=None if baseline is None else as_shown(baseline, secrets),
        baseline_revision=base_revision,
        live=None if shown is None else as_shown(shown, secrets),
        live_revision=revision_of(live),
        secrets=secrets,
    )


async def stale(
    house: House, refusal: Refusal, wanted: Config, *, base_revision: str | None, shown: bool = False
) -> RefusalError:
    """Give the refusal of a write that was reviewed against `base_revision` (`None`: against no config at all).

    `wanted` is the config as it would have been written, or with `shown` an edit of one, with masks where secrets stay.
    """
    seen = await sides(house, base_revision)
    mine = wanted if shown else as_shown(wanted, seen.secrets)
    more = {
        "revision": seen.live_revision,
        "baseline_revision": base_revision,
        "diff": diff(seen.live, mine),
        "three_ways": compare(seen.baseline, seen.live, mine),
    }
    return RefusalError(evolve(refusal, more={**refusal.more, **more}))


async def in_the_way(house: House, refusal: Refusal, wanted: Config) -> RefusalError:
    """Give the refusal of a write that was compared with nothing yet: what is live now, and the difference to it."""
    seen = await sides(house, None)
    more = {"revision": seen.live_revision, "diff": diff(seen.live, as_shown(wanted, seen.secrets))}
    return RefusalError(evolve(refusal, more={**refusal.more, **more}))


async def _secrets(house: House) -> Secrets:
    """Read the secrets for their masks alone: a store that cannot be read is refused where it is written."""
    try:
        return await stored_secrets(house)
    except RefusalError:
        return {}
