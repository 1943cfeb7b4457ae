"""Who owns the console, how it is switched, and how it is recovered. Source: `http.md` 5.3, 5.4; `seed 000` 7.

No token may switch or recover: these are acts of the first person, in a browser.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.http.route import Asked, Granted, Nothing, Outside, get, post
from ems_admin.machines.lifecycle.recovery import Mode
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.workflows.arbiter.recovering import (
    Recovered,
    RecoveryPreview,
    RecoveryRequest,
    preview_recovery,
    recover,
)
from ems_admin.workflows.arbiter.switching import Switched, SwitchPreview, preview_switch, switch
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.glance import glance
from ems_admin.workflows.lifecycle import LifecycleView, lifecycle_view

LIFECYCLE: Final = "/api/admin/workflow-lifecycle"
View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class Wish:
    """What a person wants to do instead."""

    target: Target


@frozen(kw_only=True)
class Switching(Wish):
    """It, with the state that it was decided on and the person's yes."""

    confirm: bool = False
    fingerprint: str | None = None


@frozen(kw_only=True)
class Recovering:
    """Which way to recover, with the state that it was decided on, the person's yes, and why."""

    mode: Mode
    confirm: bool = False
    reason: str | None = None
    fingerprint: str | None = None


async def owner(asked: View) -> Granted[LifecycleView]:
    """Who owns the console."""
    return Granted(await lifecycle_view(await glance(asked.house)))


async def look_at_switch(asked: Asked[Wish, Nothing]) -> Granted[SwitchPreview]:
    """What a switch would do."""
    return Granted(await preview_switch(asked.house, asked.body.target))


async def do_switch(asked: Asked[Switching, Nothing]) -> Granted[Switched]:
    """Switch."""
    body = asked.body
    return Granted(
        await switch(asked.house, asked.caller, body.target, fingerprint=body.fingerprint, confirm=body.confirm)
    )


async def look_at_recovery(asked: View) -> Granted[RecoveryPreview]:
    """What recovery could do."""
    return Granted(await preview_recovery(asked.house))


async def do_recover(asked: Asked[Recovering, Nothing]) -> Granted[Recovered]:
    """Recover."""
    body = asked.body
    request = RecoveryRequest(mode=body.mode, fingerprint=body.fingerprint, confirm=body.confirm, reason=body.reason)
    return Granted(await recover(asked.house, asked.caller, request))


ROUTES: Final = (
    get(LIFECYCLE, "Who owns the console, and what stands against a switch", owner),
    post(
        f"{LIFECYCLE}/switch/preview",
        "See what a switch would end and keep",
        look_at_switch,
        Outside.LOOKS,
        body=Wish,
        scope=Scope.OWNER,
    ),
    post(
        f"{LIFECYCLE}/switch",
        "Switch to something else",
        do_switch,
        Outside.ARBITRATES,
        body=Switching,
        scope=Scope.OWNER,
    ),
    post(
        f"{LIFECYCLE}/recovery/preview",
        "See what recovery can do",
        look_at_recovery,
        Outside.LOOKS,
        scope=Scope.OWNER,
    ),
    post(
        f"{LIFECYCLE}/recovery",
        "Recover by normal ends, or set stale records aside",
        do_recover,
        Outside.ARBITRATES,
        body=Recovering,
        scope=Scope.OWNER,
    ),
)
