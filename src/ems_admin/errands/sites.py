"""A site looked at, recovered, or given a new first password, from the command line. Source: `site.md` 10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ems_admin.cli.operating import RecoverOrder
from ems_admin.http.shown import shown
from ems_admin.site import Options, Site, sole_owner
from ems_admin.stores.host import HostClock
from ems_admin.stores.passwords import PasswordStore
from ems_admin.stores.site_files import SiteFiles
from ems_admin.stores.site_lock import site_owner
from ems_admin.workflows.arbiter.recovering import RecoveryRequest, preview_of, recover
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.lifecycle.view import look as lifecycle
from ems_admin.workflows.views.console import console

VIEWS = ("engine", "install_state", "lifecycle", "setup", "alignment", "deployment", "known_good", "warnings")


async def look(options: Options) -> Mapping[str, Any]:
    """Read a site as JSON, without its lock."""
    site = await Site.looked_at(options)
    found: dict[str, Any] = shown(await console(site.house))
    return {"admin": site_owner(options.admin_data)} | {name: found[name] for name in VIEWS}


async def preview_recovery(options: Options) -> Mapping[str, Any]:
    """Say as JSON what recovery could do, without the lock."""
    site = await Site.looked_at(options)
    found: dict[str, Any] = shown(await preview_of(site.house, await lifecycle(site.house)))
    return found


async def recover_site(options: Options, order: RecoverOrder) -> Mapping[str, Any]:
    """Recover under the site lock, and give what was done as JSON. Raises `RefusalError`."""
    request = RecoveryRequest(
        mode=order.mode, fingerprint=order.fingerprint, confirm=order.confirm, reason=order.reason
    )
    async with Site.taken(options) as site:
        done: dict[str, Any] = shown(await recover(site.house, THE_HOUSE, request))
    return done


async def reset_password(options: Options) -> str | None:
    """Set the password file aside under the site lock; give its new name. Raises `RefusalError`."""
    clock = HostClock()
    SiteFiles(admin_data=options.admin_data).prepare()
    with sole_owner(options, clock):
        return await PasswordStore(install_root=options.install_root, clock=clock).reset(clock.now())
