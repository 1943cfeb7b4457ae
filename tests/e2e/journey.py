"""Guided Setup over HTTP, one step after another: each does what the console does on the click of its button."""

from typing import Final

from tests.e2e.deadline import until
from tests.e2e.visitor import Answer, Visitor

MOST_CLICKS: Final = 8
"""One for each step that may be left, and some for what was cut."""


def begin(visitor: Visitor) -> Answer:
    """Begin a Setup, or go on with the one that is active."""
    return visitor.post("/api/admin/start-path", {"choice": "setup_new"})


def workflow_id(visitor: Visitor) -> str:
    found: str = visitor.console()["setup"]["workflow_id"]
    return found


def use_build(visitor: Visitor) -> Answer:
    """Take the recommended build; the job that fetches it."""
    begun = begin(visitor)
    builds = visitor.get("/api/setup/releases?flow=setup")["builds"]
    tag = next(build["system_tag"] for build in builds if build["recommended"])
    body = {"tag": tag, "setup_workflow_id": begun["setup_workflow_id"]}
    return visitor.post("/api/setup/releases/prepare", body, **{"X-Setup-Intent-ID": begun["setup_intent_id"]})


def preview(visitor: Visitor) -> Answer:
    """Review the devices that the build brings along; the body that writes exactly this."""
    example = visitor.get("/api/setup/config/schema")["example"]
    body = {"setup_workflow_id": workflow_id(visitor), **example}
    shown = visitor.post("/api/setup/config-preview", body)
    assert shown["ready"], shown
    return {**body, "config_preview_id": shown["config_preview_id"]}


def write(visitor: Visitor) -> Answer:
    return visitor.post("/api/setup/config/write", preview(visitor))


def prepare(visitor: Visitor) -> Answer:
    return visitor.post("/api/setup/deployment/prepare", {"setup_workflow_id": workflow_id(visitor)})


def start(visitor: Visitor) -> Answer:
    return visitor.post("/api/setup/deployment/start", {"setup_workflow_id": workflow_id(visitor)})


def to_config(visitor: Visitor) -> None:
    """Go to where the config can be reviewed."""
    visitor.until_done(use_build(visitor)["id"])


def to_prepare(visitor: Visitor) -> None:
    to_config(visitor)
    write(visitor)


def to_start(visitor: Visitor) -> None:
    to_prepare(visitor)
    visitor.until_done(prepare(visitor)["id"])


def to_the_end(visitor: Visitor) -> None:
    to_start(visitor)
    visitor.until_done(start(visitor)["id"])


def shown_step(model: Answer) -> str:
    """Say which step the server shows as the next one to be done, from nothing but the read model."""
    setup, transition = model["setup"], model["alignment"]["transition"]
    if setup is not None and setup["status"] == "completed":
        return "finished"
    own = setup is not None and transition is not None and setup["operation_id"] == transition["operation_id"]
    if not own or transition["stage"] in {"admin_aligned", "cancelled"}:
        return "release"
    if not setup["generated"]:
        return "config"
    return "start" if model["deployment"]["state"] in {"prepared", "starting", "running"} else "prepare"


def go_on(visitor: Visitor) -> None:
    """Do the next step, in the way that the server offers."""
    model = visitor.console()
    transition = model["alignment"]["transition"]
    offered = {action["action"]: action["path"] for action in (transition or {}).get("next_actions", ())}
    for action in ("resume", "verify_resources"):
        if action in offered:
            _, answer = visitor.tries(offered[action], {"operation_id": transition["operation_id"]})
            if "id" in answer:  # it takes longer than an answer may
                visitor.until_done(answer["id"])
            # What was cut is first recorded as failed, and that is said; then it can be gone on with once more.
            assert answer["ok"] or action in {offer["action"] for offer in answer["next_actions"]}, answer
            return
    match shown_step(model):
        case "release":
            to_config(visitor)
        case "config":
            write(visitor)
        case "prepare":
            visitor.until_done(prepare(visitor)["id"])
        case "start":
            visitor.until_done(start(visitor)["id"])
        case finished:
            raise AssertionError(f"there is nothing to go on with: {finished}")


def finish(visitor: Visitor) -> Answer:
    """Go on to the end, and give the read model of a healthy EMS."""
    for _ in range(MOST_CLICKS):
        if shown_step(visitor.console()) == "finished":
            break
        go_on(visitor)

    def healthy() -> Answer | None:
        model = visitor.console()
        services = model["deployment"]["services"]
        well = [service["health"] == "healthy" for service in services]
        return model if model["deployment"]["state"] == "running" and well and all(well) else None

    found = until(healthy, "the EMS is healthy")
    assert found is not None
    assert shown_step(found) == "finished", found
    return found
