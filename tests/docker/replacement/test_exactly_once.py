"""Two processes with an event loop each dispatch the same operation at once: every attempt is launched exactly once.

The site lock, which would let only one of them be, is switched off. Odd rounds begin an operation, even ones retry it.
Counted is what the engine itself tells: creates and starts of every updater. `replacement.md` 7.3.

Source: `seed 000` 5.5.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from attrs import define, evolve, field

from ems_admin.codec import encode
from ems_admin.composition.options import Options
from ems_admin.docker.labels import ATTEMPT
from ems_admin.machines.alignment.facts import MARK_FAILED, FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.records.installed import EngineKind
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Dispatch, Outcome
from ems_admin.machines.records.transition import TTL, Stage
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.house import House
from ems_admin.workflows.ledger import Settled
from tests.docker.replacement.dispatching import Callers, Lane, Order, Seat, callers, compose_house
from tests.docker.replacement.hearing import HEARD, hearing
from tests.docker.replacement.launching import REPOSITORY, Bench

ATTEMPTS: Final = (1, 2)
HANDED_OVER: Final = Stage.ADMIN_RECONNECT_PENDING.value
TWO_PROCESSES: Final = (Seat(0, 0), Seat(1, 0), Seat(0, 1), Seat(1, 1))
"""On two sites side by side, each with one event loop of either process."""
TWO_LOOPS_IN_EACH: Final = (Seat(0, 0), Seat(0, 0), Seat(1, 0), Seat(1, 0))
"""On one site."""


@define(eq=False)
class Site:
    """One site, looked after by the test. Mutable: it counts."""

    bench: Bench
    lane: Lane
    house: House = field(init=False)
    launched_by: Counter[int] = field(factory=Counter, init=False)
    """How often each caller came first."""

    @house.default
    def _composed(self) -> House:
        files = SiteFiles(admin_data=self.lane.options.admin_data)
        files.prepare()
        return compose_house(self.lane, files)

    def lay_operation(self, operation_id: str) -> None:
        """Begin an operation that waits for its updater, beside the records of the one before."""
        clock = self.house.clock
        now = clock.now()
        transition = evolve(
            self.bench.transition,
            operation_id=operation_id,
            stage=Stage.ADMIN_UPDATE_PENDING,
            created_at=now,
            updated_at=now,
            expires_at=now + TTL,
            created_boot_id=clock.boot_id(),
            created_boottime=clock.boottime(),
            resources_claimed_at=None,
        )
        place = self.lane.options.admin_data / "state" / "pending-transition.json"
        place.write_bytes(encode(transition))
        place.chmod(0o600)

    def updater_dies(self, runner: asyncio.Runner, operation_id: str) -> None:
        """Let the updater end, and the operation fail for it, as the reconciler would have it."""
        for found in self.bench.updaters(operation_id):
            self.bench.api.ask("POST", f"containers/{found['Id']}/kill")
        facts = FailureFacts(
            now=self.house.clock.now(), operation_id=operation_id, code=Code.REPLACEMENT_UPDATER_FAILED, message=None
        )
        failed = runner.run(self.house.records.transition.attempt(MARK_FAILED, facts, THE_HOUSE))
        assert isinstance(failed, Settled), failed

    def dispatched(self, runner: asyncio.Runner) -> Dispatch:
        """Read what was promised, and what became of it."""
        reading = runner.run(self.house.records.dispatch.read())
        assert isinstance(reading, Present)
        return reading.record

    def clear(self, operation_id: str) -> None:
        """Remove what an operation has left."""
        for found in self.bench.updaters(operation_id):
            self.bench.api.remove(found["Id"])

    def rounds(self, callers: Callers, operations: Sequence[str]) -> None:
        """Have each operation dispatched by all callers at once, and then retried by all of them."""
        with asyncio.Runner() as runner:
            for operation_id in operations:
                self.lay_operation(operation_id)
                self._round(callers, after=0)
                self.updater_dies(runner, operation_id)
                self._round(callers, after=1)
                attempts = [(one.number, one.tries, one.outcome) for one in self.dispatched(runner).attempts]
                assert attempts == [(number, 1, Outcome.LAUNCHED) for number in ATTEMPTS]
                found = Counter(one["Config"]["Labels"][ATTEMPT] for one in self.bench.updaters(operation_id))
                assert found == {str(number): 1 for number in ATTEMPTS}
                self.clear(operation_id)

    def _round(self, callers: Callers, *, after: int) -> None:
        """Let everybody ask for the same attempt; all hear that it was launched, and one of them has done it."""
        answers = callers.all_ask(Order(after=after, retrying=after > 0))
        assert [answer.said for answer in answers] == [HANDED_OVER] * len(answers)
        (launcher,) = [number for number, answer in enumerate(answers) if answer.launched]
        self.launched_by[launcher] += 1


@pytest.mark.parametrize(("seats", "rounds"), [(TWO_PROCESSES, 500), (TWO_LOOPS_IN_EACH, 40)])
def test_every_attempt_is_launched_exactly_once(bench: Bench, seats: tuple[Seat, ...], rounds: int) -> None:
    sites = [_site(bench, number) for number in range(len({seat.lane for seat in seats}))]
    operations = [f"{number:032x}" for number in range(rounds // len(ATTEMPTS))]
    with (
        hearing(bench.engine, f"{REPOSITORY}:old") as heard,
        callers(tuple(site.lane for site in sites), seats) as called,
        ThreadPoolExecutor(max_workers=len(sites)) as hands,
    ):
        began = time.monotonic()
        shares = [operations[number :: len(sites)] for number in range(len(sites))]
        for _ in hands.map(Site.rounds, sites, called, shares):
            pass
        took = time.monotonic() - began
        told = heard.so_far()
    firsts = [sorted(site.launched_by.items()) for site in sites]
    sys.stdout.write(f"{rounds} rounds of {len(seats) // len(sites)} callers took {took:.1f} s; first came {firsts}\n")
    assert told == {(what, each, str(number)): 1 for what in HEARD for each in operations for number in ATTEMPTS}
    assert all(len(site.launched_by) > 1 for site in sites), "more than one of them came first at times: it was a race"


def _site(bench: Bench, number: int) -> Site:
    root = bench.place.install_root / f"lane-{number}"
    (root / "admin").mkdir(parents=True)
    options = Options(
        install_root=root,
        admin_data=root / "admin",
        engine=EngineKind.DOCKER,
        docker_host=bench.engine.dockerd.url,
    )
    return Site(bench, Lane(options=options, admin=bench.admin))
