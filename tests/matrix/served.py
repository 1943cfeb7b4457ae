"""Sites that are really there: in a folder, served on a socket, by this process or by one that can be killed."""

from __future__ import annotations

import urllib.error
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

from attrs import define

from ems_admin.machines.composition.row import Operation
from ems_admin.machines.workflow_lifecycle import Owner, State
from ems_admin.site import Options, Site
from tests.cli.process import Admin, Client, running
from tests.http.browser import PASSWORD, Setup
from tests.http.served import Scene, scene
from tests.matrix.show import Theatre
from tests.matrix.sight import Files, Sight, is_no_dead_end, see

LIVELY = frozenset({"native-services.json", "journal.jsonl", "current-admin.json"})
"""What tells of processes and of the past: no authority."""
LEFT_OUT = frozenset({"logs", "data", "releases", "programs", "backups"})


def disk(root: Path) -> Files:
    """Give every durable file of a site, by the name that a site in memory has for it."""
    found = {}
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if not path.is_file() or path.name in LIVELY or path.suffix == ".lock" or LEFT_OUT & set(place.parts):
            continue
        name = "/".join(place.parts[1:]) if place.parts[0] == "admin" else f"/{place}"
        found[name] = path.read_bytes()
    return found


async def seen(site: Scene) -> Sight:
    """Look at a site that this process serves."""
    return await see(site.house, disk(site.root))


async def seen_anew(theatre: Theatre) -> Sight:
    """Look at a site as a process does that has just started."""
    options = Options.at(theatre.root, {}, catalogue=str(theatre.catalogue))
    async with Site.open(options) as site:
        return await see(site.house, disk(theatre.root))


@asynccontextmanager
async def serving(theatre: Theatre) -> AsyncIterator[Scene]:
    """Serve the site of a play."""
    async with scene(theatre.root, theatre.catalogue) as site:
        yield site


async def prepared(setup: Setup) -> None:
    """Walk until the EMS is prepared."""
    await setup.to_preview()
    assert (await setup.write()).status == HTTPStatus.OK
    assert (await setup.browser.ended(await setup.prepare()))["status"] == "succeeded"


async def installed(setup: Setup) -> None:
    """Walk until the EMS runs."""
    await prepared(setup)
    assert (await setup.browser.ended(await setup.start()))["status"] == "succeeded"


def told(asking: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Give the answer; a refusal that nobody expected says what it is."""
    try:
        return asking()
    except urllib.error.HTTPError as refused:
        raise AssertionError(f"{refused.code} {refused.read().decode()}") from refused


@define
class Process:
    """An Admin of its own, and a person before it. Mutable: the person walks."""

    admin: Admin
    client: Client
    root: Path

    def get(self, path: str) -> dict[str, Any]:
        return told(lambda: self.client.ask("GET", path))

    def post(self, path: str, body: Mapping[str, Any], **headers: str) -> dict[str, Any]:
        return told(lambda: self.client.ask("POST", path, body, **headers))

    def status_of(self, path: str) -> int:
        """Give the status of a request that may be refused."""
        try:
            self.client.ask("GET", path)
        except urllib.error.HTTPError as refused:
            return refused.code
        return int(HTTPStatus.OK)

    def kill(self) -> None:
        """Take the process away, in the middle of whatever it does."""
        self.admin.process.kill()
        self.admin.process.wait()

    def look(self) -> Sight:
        """See what a browser sees."""
        console = self.get("/api/admin/console")
        recovery = self.post("/api/admin/workflow-lifecycle/recovery/preview", {})
        lifecycle, operation = console["lifecycle"], console["alignment"]["transition"]
        owner = Owner(lifecycle["owner"])
        offers = {action["key"] for action in console["actions"] if action["enabled"]}
        if operation is not None:
            offers |= {"cancel"} & {action["action"] for action in operation["next_actions"]}
            offers |= {"return"} if operation["return_available"] else set()
        return Sight(
            owner=owner,
            state=State(lifecycle["state"]),
            operation=Operation.NONE if operation is None else Operation(operation["stage"]),
            offers=frozenset(offers),
            working=lifecycle["operation"] is not None,
            way_out=is_no_dead_end(
                owner,
                running=recovery["operation_running"],
                offered=recovery["safe"]["available"] or recovery["release"]["available"],
            ),
            files=disk(self.root),
        )


@contextmanager
def process(theatre: Theatre) -> Iterator[Process]:
    """Run an Admin on the site of a play, with somebody signed in."""
    theatre.pack()
    words = ("serve", "--install-root", theatre.root, "--catalogue", theatre.catalogue, "--listen", "127.0.0.1:0")
    with running(theatre.root.parent, *words) as admin:
        yield Process(admin, signed_in(admin.url), theatre.root)


def signed_in(url: str) -> Client:
    """Choose the password of the tests if nobody has, and sign in with it."""
    client = Client(url)
    known = client.ask("GET", "/api/admin/auth/status")["auth_configured"]
    body = {"password": PASSWORD} if known else {"password": PASSWORD, "confirm_password": PASSWORD}
    answer = client.ask("POST", f"/api/admin/auth/{'login' if known else 'setup'}", body)
    client.csrf = answer["csrf_token"]
    return client
