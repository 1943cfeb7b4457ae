"""A case is played: a site is put up, asked to replace its Admin, met by what the case says, and comes to rest.

Nothing here touches what the site does by itself. An operator acts only where the case says so.
"""

from __future__ import annotations

import contextlib
import json
import time
import urllib.error
from collections.abc import Callable
from threading import Thread
from typing import Any, Final

from attrs import define, field

from ems_admin.machines.records.transition import Stage
from tests.cli.process import Client
from tests.docker.kills.case import Case, Does, Role
from tests.docker.kills.site import SideHouse
from tests.docker.kills.witness import Witness
from tests.lab.asking import EngineError
from tests.lab.seen import SeenContainer

PASSWORD: Final = "pw"  # of a site that lives for a minute
LIMIT: Final = 240.0
"""Seconds until a site is at rest: two limits of the product one after the other, and what a busy machine adds."""
BETWEEN: Final = 0.5
"""Seconds between two looks; whoever looks more often slows down what he looks at."""
TICK: Final = 0.01
"""Seconds by which the clock of a file system may lag behind that of the engine: the engine's own event came first."""
RESUME: Final = "/api/admin/system-alignment/resume"
B1, DISPATCH, RUN = "pending-transition", "replacement-dispatch", "replacement-run"
AT_REST: Final = frozenset({Stage.FAILED_RECOVERABLE, Stage.CANCELLED})


@define(kw_only=True)
class Play:
    """One case on its site. Mutable: it comes about."""

    case: Case
    house: SideHouse
    witness: Witness
    began: float = field(factory=time.time)
    happened: float = 0.0
    """When the point was reached, or the disturbance began."""
    engine_back: float = 0.0
    """When an engine that was stopped or cut answered again: its own time is not the product's."""
    answered: float = 0.0
    """When an Admin answered again after it had last been seen silent."""
    silent: bool = False
    """Whether nobody answered at some time after it had happened."""
    rested: float = 0.0
    old_id: str = ""
    workflow_id: str = ""
    asking: Thread | None = None
    heard: list[str] = field(factory=list)
    """Codes that an operator was answered, in the order in which he asked."""
    kept: dict[str, Any] = field(factory=dict)
    """What an act needs of an earlier one."""

    def begin(self) -> None:
        """Put the Admin up and ask for another one, until the point of the case is reached."""
        self.house.lay_out()
        self.house.lay_fuse(self.case)
        for act in self.case.before:
            act(self)
        self.old_id = self.house.put_up()
        self.kept["pin"] = self.house.env_file.read_bytes()
        self.see(self.house.answers, "the Admin answers")
        self._ask_for_another()
        self.see(self._has_come, "the point is reached")
        self.happened = self.happened or time.time()

    def meet(self) -> None:
        """Let it happen, and let whoever was held go on."""
        for act in self.case.there:
            act(self)
        self.let_go()

    def let_go(self) -> None:
        """Let whoever is held go on."""
        with contextlib.suppress(FileNotFoundError):
            # Renamed, not removed: on a full disk that gives nothing back.
            self.house.held.rename(self.house.held.with_suffix(".past"))

    def come_to_rest(self) -> None:
        """See and do what comes after, and wait until nothing moves any more."""
        if self.asking is not None:
            self.asking.join(LIMIT)
        for act in self.case.then:
            act(self)
        self.see(self.is_at_rest, "the site is at rest")
        self.rested = time.time()

    def see(self, look: Callable[[], object], what: str) -> None:
        """Wait until something is seen, and watch meanwhile whether an Admin answers. Raises `AssertionError`."""
        deadline = time.monotonic() + LIMIT
        while True:
            if not self.house.answers():
                self.answered, self.silent = 0.0, self.silent or bool(self.happened)
            else:
                self.answered = self.answered or time.time()
            with contextlib.suppress(OSError, EngineError):  # an engine that is being killed answers when it is back
                if look():
                    return
            assert time.monotonic() < deadline, f"it did not come about in {LIMIT:.0f} s: {what}. {self.told()}"
            time.sleep(BETWEEN)  # between two looks

    def is_at_rest(self) -> bool:
        """Say whether one Admin answers, its updater is over, and B1 says how it went."""
        transition, run = self.record(B1), self.record(RUN)
        if transition is None:
            return False
        if transition["stage"] == Stage.ADMIN_RECONNECT_PENDING:
            own = run is not None and run["operation_id"] == transition["operation_id"]
            if run is None or not own or run["step"] != "ended":
                return False
        elif transition["stage"] not in AT_REST:
            return False
        health = self.house.health()
        well = health is not None and set(health["checks"].values()) == {"ok"}
        return well and not any(updater.state in {"running", "restarting"} for updater in self.updaters)

    def told(self) -> str:
        """Say in one line where the site stands."""
        transition, dispatch, run = (self.record(name) or {} for name in (B1, DISPATCH, RUN))
        attempts = [(attempt["outcome"], attempt["tries"]) for attempt in dispatch.get("attempts", [])]
        containers = [(found["Name"], found["State"]["Status"]) for found in self.house.everything()]
        words = {name: transition.get(name) for name in ("stage", "error_code")}
        return f"{words} {attempts} {run.get('step')} {run.get('code')} {run.get('log')} {containers} {self.heard}"

    def record(self, name: str) -> dict[str, Any] | None:
        """Read a record as it lies on the disk."""
        return self.house.read_record(name)

    @property
    def operation_id(self) -> str:
        """Name the operation."""
        transition = self.record(B1)
        assert transition is not None
        return str(transition["operation_id"])

    @property
    def updaters(self) -> tuple[SeenContainer, ...]:
        """Give the updaters that are there."""
        return self.house.updaters()

    def client(self) -> Client:
        """Sign in at whichever Admin answers."""
        client = Client(self.house.url)
        known = client.ask("GET", "/api/admin/auth/status")["auth_configured"]
        body = {"password": PASSWORD}
        if not known:
            body |= {"confirm_password": PASSWORD, "code": self.house.code()}
        client.csrf = client.ask("POST", f"/api/admin/auth/{'login' if known else 'setup'}", body)["csrf_token"]
        return client

    def post(self, path: str, body: dict[str, Any], **headers: str) -> dict[str, Any]:
        """Ask as an operator does; what is refused is noted by its code."""
        try:
            return self.client().ask("POST", path, body, **headers)
        except urllib.error.HTTPError as refused:
            code = str(_json(refused).get("error"))
            self.heard.append(code)
            return {"error": code}

    def asks(self, path: str, body: dict[str, Any]) -> bool:
        """Ask once, and say whether it was accepted: while earlier work comes to its end the page refuses."""
        return "error" not in self.post(path, body)

    def _ask_for_another(self) -> None:
        client = self.client()
        builds = client.ask("GET", "/api/setup/releases")["builds"]
        wanted = self.house.lab.builds[self.case.target].identity.build_id
        tag = next(build["system_tag"] for build in builds if build["build_id"] == wanted)
        begun = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
        self.workflow_id = begun["setup_workflow_id"]
        own = {"X_Setup_Intent_ID": begun["setup_intent_id"]}
        body = {"tag": tag, "setup_workflow_id": self.workflow_id}

        def ask() -> None:  # who is held or killed at the point does not answer
            with contextlib.suppress(OSError):
                client.ask("POST", "/api/setup/system-build/update-admin", body, **own)

        self.asking = Thread(target=ask, daemon=True)
        self.asking.start()

    def _has_come(self) -> bool:
        transition = self.record(B1)
        if transition is None or self.case.point is None:
            return transition is not None
        if self.case.burns > 1 or self.case.further:
            self.happened = next(iter(self.deaths), 0.0)
            return bool(self.deaths)
        mark = self.house.held if self.case.does is Does.HOLD else self.house.burnt
        with contextlib.suppress(FileNotFoundError):
            self.happened = mark.stat().st_ctime + TICK
            return True
        over = transition["stage"] == Stage.FAILED_RECOVERABLE and not any(updater.runs for updater in self.updaters)
        assert not over, f"it never came to its point. {self.told()}"
        return False

    @property
    def deaths(self) -> tuple[float, ...]:
        """Say when each process ended that the fuse is meant for."""
        updaters = f"ems-admin-updater-{self.operation_id}-"
        of_updaters = self.case.point is not None and self.case.point.role is Role.UPDATER
        return tuple(
            event.at
            for event in self.witness.events
            if event.action == "die"
            if (event.name.startswith(updaters) if of_updaters else event.id == self.old_id)
        )


def _json(refused: urllib.error.HTTPError) -> dict[str, Any]:
    found: dict[str, Any] = json.load(refused)
    return found
