"""The part of the crash matrix that was seen on a real Docker daemon: the cases as the tests hold them.

`test_kills.py` plays every case and compares what it found with the very value that is shown here.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.render.markdown import document, grid
from tests.docker.kills.case import Case, Group
from tests.docker.kills.table import GROUPS

TITLE: Final = "## On a real Docker daemon"
INTRO: Final = (
    "Here the Admin is a container of the product's own image on a real engine, with a registry beside it. Each case "
    "has a site of its own, whose person asks for another build over HTTP. A fuse in the image ends the process at the "
    "named point as abruptly as SIGKILL, or holds it there until something else has happened. *During* a step the "
    "engine has acted, and whoever asked for it has not heard of it."
)
HELD: Final = (
    "At the end of each case it is asked of disk, engine and page whether exactly one Admin runs, under the old name "
    "and at the old address, from the image that B1 says, with the restart policy that the old one had; whether the "
    "next `docker compose up` would start the same; whether every attempt was created once, under its own name; "
    "whether no updater would be started again; whether the page says what the disk says; whether somebody answered "
    "again within 120 s; and, once the operation is over, whether nothing is left of it. Nobody lends a hand unless "
    "the case says so."
)
HEAD: Final = (
    *("what happens", "who is lost", "who starts an Admin after it", "Admin in the end"),
    *("B1", "last attempt", "walk, entries"),
)


def docker_section() -> str:
    """Show every case."""
    parts = (part for group in GROUPS for part in (f"### {group.title}", grid(HEAD, map(line, group.cases))))
    total = sum(len(group.cases) for group in GROUPS)
    return document(TITLE, INTRO, HELD, *parts, f"{total} cases on a real daemon.").strip()


def line(case: Case) -> tuple[str, ...]:
    """Show one case."""
    ends = case.ends
    stage = f"`{ends.stage}`" if ends.code is None else f"`{ends.stage}`, `{ends.code}`"
    attempt = f"{ends.attempts} {ends.outcome}" if ends.outcome else "none"
    walk = f"{ends.walk}, {ends.entries}" if ends.walk else "none"
    return (case.title, case.who, ends.back, ends.admin, stage, attempt, walk)


def cases(groups: tuple[Group, ...] = GROUPS) -> tuple[Case, ...]:
    """Give all cases."""
    return tuple(case for group in groups for case in group.cases)
