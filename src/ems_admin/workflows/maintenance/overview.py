"""The installed EMS at a glance: which build, how it is, since when, and what the next update would be.

Source: `http.md` 5.3 (Maintenance, overview).
"""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.deployment import DeploymentState
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows import standing
from ems_admin.workflows.deployment.view import deployment_status
from ems_admin.workflows.house import House
from ems_admin.workflows.installed import installed_tag
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import Health, ServiceState
from ems_admin.workflows.setup.releases import Flow, Offer, releases


@frozen(kw_only=True)
class InstalledBuild:
    """What is installed. All but the tag is known only of a build that has proved healthy once."""

    system_tag: str
    build_id: str | None
    revision: str | None
    since: datetime | None


@frozen(kw_only=True)
class AdminBuild:
    """Which build of the Admin serves this."""

    system_tag: str
    build_id: str
    revision: str


@frozen(kw_only=True)
class Overview:
    """The first screen of Maintenance. Never refuses: what cannot be asked is shown as unknown."""

    installed: InstalledBuild | None
    state: DeploymentState
    health: Health
    running_since: datetime | None
    stopped: tuple[str, ...]
    """The services that a person has stopped: they are down on purpose."""
    dashboard_url: str | None
    admin: AdminBuild | None
    """`None` when this Admin cannot tell which it is."""
    next_update: Offer | None
    update_unknown: Refusal | None
    """Why nobody can say whether there is an update."""


async def overview(house: House) -> Overview:
    """Look at everything once."""
    status = await deployment_status(house)
    ems = next((seen for seen in status.services if seen.service == "ems"), None)
    offer, unknown = await _next_update(house)
    return Overview(
        installed=await _installed(house),
        state=status.state,
        health=ems.health if ems else Health.UNKNOWN,
        running_since=ems.started_at if ems and ems.state is ServiceState.RUNNING else None,
        stopped=tuple(seen.service for seen in status.services if seen.state is ServiceState.STOPPED),
        dashboard_url=status.dashboard_url,
        admin=_admin(house),
        next_update=offer,
        update_unknown=unknown,
    )


def _admin(house: House) -> AdminBuild | None:
    own = house.own
    if own is None:
        return None
    return AdminBuild(system_tag=own.system_tag, build_id=own.build_id, revision=own.revision)


async def _installed(house: House) -> InstalledBuild | None:
    good = await standing.known_good(house)
    if good is not None:
        return InstalledBuild(
            system_tag=good.system_tag, build_id=good.build_id, revision=good.revision, since=good.healthcheck_at
        )
    tag = await installed_tag(house)
    return None if tag is None else InstalledBuild(system_tag=tag, build_id=None, revision=None, since=None)


async def _next_update(house: House) -> tuple[Offer | None, Refusal | None]:
    try:
        offers = await releases(house, Flow.UPGRADE)
    except RefusalError as refused:
        return None, Refusal(Code(refused.refusal.code), detail=refused.refusal.detail)
    return next((offer for offer in offers if offer.selectable), None), None
