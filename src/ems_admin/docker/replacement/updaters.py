"""The updaters of a site as the daemon shows them: found by their labels alone, whatever state they are in.

The one that counts (K) is that of an operation's last attempt; one of an earlier attempt that still lives comes before
it. Source: `replacement.md` 7.1, 7.5; `faults.md` D9, F37; `seed 000` 7.4.1.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, TypeVar

from aiodocker import Docker
from aiodocker.exceptions import DockerError

from ems_admin.docker.containers import Container, Doing, labelled, named_like
from ems_admin.docker.daemon import ANSWER, Daemon, UnaskedError
from ems_admin.docker.labels import ATTEMPT, OPERATION, SITE, UPDATER_PREFIX
from ems_admin.docker.words import printed
from ems_admin.machines.records.replacement import UpdaterExit
from ems_admin.workflows.ports.engine import Activity
from ems_admin.workflows.ports.replacement import SeenUpdater, Silence, Unstarted, UpdaterState

LINES: Final = 20
"""Of the last words that are kept (`replacement.md` 7.1)."""

STATES: Final = {
    Doing.CREATED: UpdaterState.CREATED,
    Doing.RUNNING: UpdaterState.RUNNING,
    Doing.RESTARTING: UpdaterState.RESTARTING,
    Doing.EXITED: UpdaterState.EXITED,
    # A frozen one acts as little as it has ended.
    Doing.PAUSED: UpdaterState.UNKNOWN,
    Doing.UNKNOWN: UpdaterState.UNKNOWN,
}
_ALIVE: Final = frozenset({UpdaterState.RUNNING, UpdaterState.RESTARTING})
_ENDED: Final = frozenset({UpdaterState.EXITED, UpdaterState.RESTARTING})
_FIRST: Final = (_ALIVE, frozenset({UpdaterState.UNKNOWN}))
"""What counts before the last attempt itself: whoever acts, then whoever may act for all that is known."""

T = TypeVar("T")


async def answered(
    daemon: Daemon, question: Callable[[Docker], Awaitable[T]], limit: timedelta = ANSWER
) -> T | Silence:
    """Give what the daemon answers to one question; an error, or words without sense, are no answer to it either."""
    try:
        async with daemon.asked(limit) as docker:
            return await question(docker)
    except (UnaskedError, DockerError, ValueError, TypeError, AttributeError):
        return Silence()


async def of_operation(docker: Docker, site: str, operation_id: str) -> tuple[Container, ...]:
    """Find every updater of an operation. Raises `UnaskedError` or `DockerError`, as all below."""
    return await labelled(docker, f"{SITE}={site}", f"{OPERATION}={operation_id}")


async def of_site(docker: Docker, site: str) -> tuple[Container, ...]:
    """Find every updater of a site."""
    return await labelled(docker, f"{SITE}={site}", OPERATION)


async def find(docker: Docker, site: str, operation_id: str, attempt: int) -> Container | None:
    """Find the one that counts for this attempt."""
    return that_counts(await of_operation(docker, site, operation_id), attempt)


def that_counts(found: tuple[Container, ...], attempt: int) -> Container | None:
    """Choose among the updaters of an operation."""
    for states in _FIRST:
        if living := next((one for one in found if state_of(one) in states), None):
            return living
    return next((one for one in found if one.labels.get(ATTEMPT) == str(attempt)), None)


def state_of(container: Container) -> UpdaterState:
    """Say what an updater does. One whose start has failed was never started, whatever the daemon calls it."""
    state = STATES[container.doing]
    never_ran = state is UpdaterState.EXITED and container.started_at is None
    return UpdaterState.CREATED if never_ran else state


async def shown(docker: Docker, container: Container | None) -> SeenUpdater:
    """Describe an updater, with its last words if it has ended, be it to be started again."""
    if container is None:
        return SeenUpdater(state=UpdaterState.ABSENT)
    state = state_of(container)
    ended = None
    if state in _ENDED:
        log = await printed(docker, container.id, LINES)
        ended = UpdaterExit(code=container.exit_code, oom=container.oom, log=log)
    return SeenUpdater(state=state, restarts=container.restarts, exit=ended)


def others_activity(found: tuple[Container, ...], operation_id: str) -> Activity:
    """Say whether an updater of another operation acts."""
    states = {state_of(one) for one in found if one.labels.get(OPERATION) != operation_id}
    return _activity(states, active=_ALIVE)


def unstarted(found: tuple[Container, ...]) -> tuple[Unstarted, ...]:
    """Name the updaters that were created and never started, as their labels do."""
    return tuple(
        Unstarted(operation_id=one.labels[OPERATION], attempt=int(one.labels[ATTEMPT]))
        for one in found
        if state_of(one) is UpdaterState.CREATED and one.labels.get(ATTEMPT, "").isdecimal()
    )


async def replacement_activity(daemon: Daemon, site: str, operation_id: str | None) -> Activity:
    """Say whether a replacement of this operation runs, or of any. One that was never started counts (`seed 000`).

    Where no operation can be named the name counts as well: every updater that no other site has labelled.
    """
    found = await answered(daemon, lambda docker: _counting(docker, site, operation_id))
    if isinstance(found, Silence):
        return Activity.UNKNOWN
    return _activity({state_of(one) for one in found}, active=_ALIVE | {UpdaterState.CREATED})


async def _counting(docker: Docker, site: str, operation_id: str | None) -> tuple[Container, ...]:
    if operation_id is not None:  # no two sites share one: whoever bears its label counts
        return await labelled(docker, f"{OPERATION}={operation_id}")
    named = await named_like(docker, UPDATER_PREFIX)
    return (*await of_site(docker, site), *(one for one in named if one.labels.get(SITE, site) == site))


def _activity(states: set[UpdaterState], *, active: frozenset[UpdaterState]) -> Activity:
    if states & active:
        return Activity.ACTIVE
    return Activity.UNKNOWN if UpdaterState.UNKNOWN in states else Activity.INACTIVE
