"""The history of the live config as people read it: what it was, who changed it how, and the way back as an edit.

A return is prepared and never made: it is an edit like any other, and is reviewed and saved as one.
Source: `site.md` 9 (Config history); `http.md` 5.3 (config/history, prepare-return).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.history import KeptRevision
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.workflows.config.diff import Diff, diff
from ems_admin.workflows.config.keeping import bytes_of
from ems_admin.workflows.config.preview import document, hash_of
from ems_admin.workflows.config.stored_secrets import stored_secrets
from ems_admin.workflows.house import House
from ems_admin.workflows.maintenance.config import Revised, revise
from ems_admin.workflows.maintenance.document import Json, as_shown
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.history import History
from ems_admin.workflows.ports.records import RefusalError


@frozen(kw_only=True)
class HistoryView:
    """Every change, the newest first."""

    revisions: tuple[KeptRevision, ...]
    live_revision: str | None
    """One that is not the newest was written by somebody else, and is kept as soon as we write over it."""
    damaged: tuple[str, ...]


@frozen(kw_only=True)
class RevisionView:
    """One revision: what it says, and what it changed."""

    revision: str
    line: KeptRevision | None
    """Its newest line; `None` for one that was only ever compared with."""
    config: Mapping[str, Any]
    """Secrets masked."""
    diff: Diff | None
    """Against what it replaced; `None` where that is not kept."""
    to_live: Diff | None
    """From what is live to this one: what a return would change; `None` while nobody can read what is live."""


@frozen(kw_only=True)
class PreparedReturn:
    """A revision as an edit of the live config."""

    draft: Json
    """With masks where secrets stay."""
    revised: Revised


async def history(house: House) -> HistoryView:
    """List every change, also while the live config says nothing: it is then that people look for an earlier one."""
    kept = await kept_history(house)
    live = hash_of(await house.config.config())
    return HistoryView(revisions=kept.revisions[::-1], live_revision=live, damaged=kept.damaged)


async def revision(house: House, named: str) -> RevisionView:
    """Show one revision. Raises `not_found`, `config_unreadable`."""
    config = await _config_of(house, named)
    lines = [line for line in (await kept_history(house)).revisions if line.revision == named]
    line = lines[-1] if lines else None
    return RevisionView(
        revision=named,
        line=line,
        config=as_shown(config, await stored_secrets(house)),
        diff=await _diff_of(house, line, config),
        to_live=await _to_live(house, config),
    )


async def prepare_return(house: House, named: str) -> PreparedReturn:
    """Make an edit of a revision, and work it out against what is live. Raises `not_found`, `release_not_prepared`."""
    draft = as_shown(await _config_of(house, named), await stored_secrets(house))
    return PreparedReturn(draft=draft, revised=await revise(house, draft))


async def kept_history(house: House) -> History:
    """Read the history, or say why it cannot be read. Raises `config_unreadable`."""
    kept = await house.history.list()
    if isinstance(kept, Unreadable):
        raise RefusalError(Refusal(Code.CONFIG_UNREADABLE, detail=kept.fault))
    return kept


async def _diff_of(house: House, line: KeptRevision | None, config: Mapping[str, Any]) -> Diff | None:
    if line is None:
        return None
    if line.base is None:
        return diff(None, config)
    before = await bytes_of(house, line.base)
    return None if before is None else diff(document(Content(data=before, revision=line.base)), config)


async def _to_live(house: House, config: Mapping[str, Any]) -> Diff | None:
    live = await house.config.config()
    return None if isinstance(live, Unreadable) else diff(document(live), config)


async def _config_of(house: House, named: str) -> Mapping[str, Any]:
    reading = await house.history.read(named)
    if isinstance(reading, Absent):
        raise RefusalError(Refusal(Code.NOT_FOUND))
    return document(reading) or {}
