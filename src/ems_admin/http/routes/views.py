"""Looking, which changes nothing. Source: `http.md` 5.3 (Views)."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, TypedDict

from attrs import frozen

from ems_admin.http.diagrams import diagram
from ems_admin.http.route import Asked, Granted, Nothing, Outside, Stream, get, post
from ems_admin.machines.catalogue import BY_NAME, CATALOGUE
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.render.data import data
from ems_admin.workflows.caller import Scope
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import JournalEntry, RefusalError
from ems_admin.workflows.views.console import Console, console

View = Asked[Nothing, Nothing]


@frozen(kw_only=True)
class After:
    """Which lines are known already."""

    after: int | None = None
    """`None` when the page knows nothing: it begins with the newest ones."""


class Machines(TypedDict):
    """All declarations."""

    machines: list[Mapping[str, Any]]


class Lines(TypedDict):
    """Lines of the journal."""

    lines: tuple[JournalEntry, ...]


class JobList(TypedDict):
    """Jobs, the newest last."""

    jobs: tuple[Job, ...]


async def read_model(asked: View) -> Granted[Console]:
    """Everything that the pages show."""
    return Granted(await console(asked.house))


async def hints(_asked: View) -> Stream:
    """Hints as they come."""
    return Stream()


async def machines(_asked: View) -> Granted[Machines]:
    """All declarations."""
    return Granted({"machines": [data(entry) for entry in CATALOGUE]})


async def machine(asked: View) -> Granted[Mapping[str, Any]]:
    """One declaration with its picture."""
    entry = BY_NAME.get(asked.names["name"])
    if entry is None:
        raise RefusalError(Refusal(Code.NOT_FOUND))
    return Granted({**data(entry), "svg": diagram(entry.name)})


async def journal(asked: Asked[Nothing, After]) -> Granted[Lines]:
    """What happened since."""
    known, written = asked.query.after, asked.house.journal
    return Granted({"lines": await (written.latest() if known is None else written.after(known))})


async def jobs(asked: View) -> Granted[JobList]:
    """The jobs of this process."""
    return Granted({"jobs": asked.house.jobs.jobs})


async def job(asked: View) -> Granted[Job]:
    """One job."""
    return Granted(found(asked))


async def cancel_job(asked: View) -> Granted[Job]:
    """Ask a job to stop."""
    return Granted(asked.house.jobs.stop(asked.names["id"]), HTTPStatus.ACCEPTED)


def found(asked: Asked[Any, Any]) -> Job:
    """Find the job that the path names. Raises `RefusalError` with `not_found`."""
    named = asked.house.jobs.find(asked.names["id"])
    if named is None:
        raise RefusalError(Refusal(Code.NOT_FOUND))
    return named


ROUTES: Final = (
    get("/api/admin/console", "Everything that the pages show, in one answer", read_model),
    get("/api/admin/events", "Hints that something has changed, as a stream", hints),
    get("/api/admin/machines", "The declared machines", machines),
    get("/api/admin/machines/{name}", "One declared machine with its picture", machine),
    get("/api/admin/journal", "What happened", journal, query=After),
    get("/api/admin/jobs", "The jobs of this process", jobs),
    get("/api/admin/jobs/{id}", "One job", job),
    post(
        "/api/admin/jobs/{id}/cancel",
        "Stop a job",
        cancel_job,
        Outside.STOPS,
        scope=Scope.MAINTAIN,
        statuses=(HTTPStatus.ACCEPTED,),
    ),
)
