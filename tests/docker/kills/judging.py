"""The one place that judges how a case has ended: it asks the disk, the daemon, and the Admin over HTTP.

Source: `replacement.md` 7, 7.7; `faults.md` F28, F30, F36, F37, D9, D10.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Outcome, WalkStep
from ems_admin.machines.records.transition import Stage
from tests.docker.kills.case import FOR_EVER, Back, Does, Ends, Which
from tests.docker.kills.playing import B1, DISPATCH, RESUME, RUN, Play
from tests.docker.kills.witness import Event
from tests.lab.seen import SeenContainer

POLICY: Final = "unless-stopped"
"""As the compose file gives it."""
SOON: Final = timedelta(seconds=30)
"""Until B1 tells of an updater that died before its claim."""
AGAIN: Final = timedelta(seconds=120)
"""Until an Admin answers again; the engine's own times for a stop and a start come on top."""
OVER: Final = frozenset({Stage.CANCELLED, Stage.COMPLETED})


@frozen(kw_only=True)
class Verdict:
    """What was found of one case."""

    found: Ends
    complaints: tuple[str, ...]
    """What must hold in every case, and does not."""
    silent: float
    """Seconds from what happened to the first answer after the last silence; 0 when nobody was ever silent."""
    told: float
    """Seconds from what happened to rest."""


def judge(play: Play) -> Verdict:
    """Judge a site at rest; then bring its operation to an end, and look what is left of it."""
    found = _found(play)
    complaints = [*_fuse(play), *_one_admin(play), *_attempts(play), *_told_over_http(play), *_in_time(play)]
    _end(play)
    complaints += _left_over(play)
    silent = max(0.0, play.answered - play.happened) if play.silent else 0.0
    return Verdict(found=found, complaints=tuple(complaints), silent=silent, told=play.rested - play.happened)


def _found(play: Play) -> Ends:
    transition, dispatch, run = play.record(B1) or {}, play.record(DISPATCH), play.record(RUN)
    attempts = (dispatch or {}).get("attempts", [])
    last = attempts[-1] if attempts else None
    admin = play.house.named_admin()
    return Ends(
        admin=Which.NEW if admin is not None and admin.build_id == transition["build_id"] else Which.OLD,
        back=brought_back(play),
        stage=Stage(transition["stage"]),
        code=Code(transition["error_code"]) if transition["error_code"] else None,
        attempts=last["number"] if last else 0,
        outcome=Outcome(last["outcome"]) if last else None,
        exit_noted=bool(last and last["exit"]),
        walk=WalkStep(run["step"]) if run else None,
        entries=run["entries"] if run else None,
    )


def brought_back(play: Play) -> Back:
    """Say who started the first Admin after what happened, as the engine's own events tell.

    One whose policy says so the engine starts by itself. Nobody starts one whose policy is taken away but through the
    API: that is the updater while one runs, and a person otherwise. What counts is the policy with which it ended.
    """
    fenced: dict[str, bool] = {}
    at_death: dict[str, bool] = {}
    updaters = set[str]()
    for event in play.witness.events:
        if event.name.startswith(f"ems-admin-updater-{play.operation_id}-"):
            if event.action == "start":
                updaters.add(event.id)
            elif event.action in {"die", "destroy"}:
                updaters.discard(event.id)
        elif _is_admin(play, event):
            is_fenced = fenced.setdefault(event.id, event.id != play.old_id)
            if event.action == "update":
                fenced[event.id] = not is_fenced
            elif event.action == "start" and event.at > play.happened:
                return (
                    Back.ENGINE
                    if not at_death.get(event.id, is_fenced)
                    else Back.UPDATER
                    if updaters
                    else Back.OPERATOR
                )
            if event.action in {"create", "die"} or event.at <= play.happened:
                at_death[event.id] = fenced[event.id]
    return Back.NOBODY


def _is_admin(play: Play, event: Event) -> bool:
    if event.id == play.kept.get("stranger"):
        return False
    return event.name == play.house.name or event.name.startswith(f"{play.house.name}-before-")


def _fuse(play: Play) -> Iterator[str]:
    """Hold that whoever was to be killed has been, at every point."""
    kills = play.case.point is not None and play.case.does is Does.KILL and play.case.burns < FOR_EVER
    if kills and not play.house.burnt.exists():
        yield "it was not killed at every point"


def _one_admin(play: Play) -> Iterator[str]:
    """Hold that one Admin runs under the old name, whole, as the engine keeps it and as the next start finds it."""
    admins, transition = play.house.admins(), play.record(B1) or {}
    if len(admins) != 1 or not admins[0].runs or admins[0].name != play.house.name:
        yield f"there is not one Admin: {[(found.name, found.state) for found in admins]}"
        return
    (admin,) = admins
    builds = play.house.lab.builds
    images = {builds["good"].admin_image_id, builds[play.case.target].admin_image_id}
    if admin.image_id not in images:
        yield f"nobody knows the image {admin.image_id}"
    if admin.restart_policy != POLICY:
        yield f"its policy is {admin.restart_policy}"
    health = play.house.health() or {}
    if health.get("build_id") != admin.build_id:
        yield f"{health.get('build_id')} answers, and {admin.build_id} runs"
    new = admin.build_id == transition.get("build_id")
    pin = play.house.env_file.read_bytes()
    if not new and pin != play.kept["pin"]:
        yield "the next start would not find the old Admin"
    if new and play.house.image(play.case.target).encode() not in pin:
        yield "the next start would not find the new Admin"


def _attempts(play: Play) -> Iterator[str]:
    """Hold that each attempt was created once, and that its updater ended for good and is kept as evidence."""
    created = [event.name for event in play.witness.events if event.action == "create"]
    names = [attempt["container"] for attempt in (play.record(DISPATCH) or {}).get("attempts", [])]
    for name in names:
        if created.count(name) > 1:
            yield f"{name} was created {created.count(name)} times"
    prefix = f"ems-admin-updater-{play.operation_id}-"
    if others := {name for name in created if name.startswith(prefix)} - {*names, *play.kept.get("strangers", ())}:
        yield f"no record tells of {sorted(others)}"
    for updater in play.updaters:
        if updater.restart_policy != "no":
            yield f"{updater.name} would be started again"


def _told_over_http(play: Play) -> Iterator[str]:
    """Hold that the page says what the disk says: code, stage, and how far the updater came."""
    shown = play.client().ask("GET", "/api/admin/system-alignment/status")["transition"]
    transition, dispatch = play.record(B1) or {}, play.record(DISPATCH) or {}
    for word in ("operation_id", "stage", "error_code", "failed_stage", "resume_stage"):
        if shown[word] != transition[word]:
            yield f"the page says {word} {shown[word]}, the disk {transition[word]}"
    if transition["error_code"] and transition["resume_stage"] != Stage.ADMIN_UPDATE_PENDING:
        yield f"it would be resumed at {transition['resume_stage']}"
    if dispatch.get("attempts") and (shown["replacement"] or {}).get("attempt") != dispatch["attempts"][-1]["number"]:
        yield f"the page tells of the attempt {shown['replacement']}"


def _in_time(play: Play) -> Iterator[str]:
    limit = AGAIN.total_seconds()
    waited, told = play.answered - max(play.happened, play.engine_back), play.rested - play.happened
    if play.case.quick and play.silent and waited > limit:
        yield f"nobody answered for {waited:.0f} s"
    if play.case.soon and told > SOON.total_seconds():
        yield f"it was told after {told:.0f} s"


def _end(play: Play) -> None:
    """Bring the operation to an end as a person does: the new Admin is proven, and the Setup is discarded."""
    if _stage(play) == Stage.ADMIN_RECONNECT_PENDING:
        _ask(play, RESUME, {"operation_id": play.operation_id}, frozenset({Stage.RESOURCES_VERIFIED}))
    _ask(play, "/api/setup/abandon", {"setup_workflow_id": play.workflow_id}, OVER)
    play.see(lambda: len(play.house.everything()) == 1, "nothing is left but the Admin")


def _ask(play: Play, path: str, body: dict[str, str], leads_to: frozenset[Stage]) -> None:
    """Ask until it is accepted, and wait for where it leads."""
    play.see(lambda: _stage(play) in leads_to or play.asks(path, body), f"{path} is accepted")
    play.see(lambda: _stage(play) in leads_to, f"{path} has led to {sorted(leads_to)}")


def _stage(play: Play) -> str:
    return str((play.record(B1) or {}).get("stage"))


def _left_over(play: Play) -> Iterator[str]:
    left: list[SeenContainer] = [*play.house.admins(), *play.updaters]
    if [found.name for found in left] != [play.house.name]:
        yield f"left over: {[found.name for found in left]}"


def describe(verdict: Verdict, play: Play) -> str:
    """Tell a case in one line."""
    found: Any = verdict.found
    code = found.code or "no code"
    silent = f"silent {verdict.silent:.1f} s" if verdict.silent else "never silent"
    return (
        f"{play.case.title:<58} {found.admin} Admin, {code}; back by {found.back}; entries {found.entries}; "
        f"{silent}, at rest after {verdict.told:.1f} s"
    )
