"""What the world does to a site, what an operator does on its page, and what has to be seen before that."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any, Final

from ems_admin.machines.records.transition import Stage
from tests.docker.kills.case import Act
from tests.docker.kills.playing import B1, RESUME, RUN, Play
from tests.lab.asking import EngineError

IDLE: Final = ["sleep", "1000000"]


def resume(play: Play) -> None:
    """Go on with the operation, as an operator who reads that nothing goes on by itself; also the second try."""

    def goes_on() -> bool:  # an answer may be lost: whoever asks looks first whether it goes on already
        if _stage(play) not in {Stage.FAILED_RECOVERABLE, Stage.ADMIN_UPDATE_PENDING}:
            return True
        return play.house.answers() and play.asks(RESUME, {"operation_id": play.operation_id})

    play.see(goes_on, "an operator goes on")
    play.see(lambda: _stage(play) != Stage.FAILED_RECOVERABLE, "the operation goes on")


def dies_again(play: Play) -> None:
    """See that the process has been killed at its second point."""
    play.see(lambda: len(play.deaths) > 1, "it dies again")


def fails(play: Play) -> None:
    """See that B1 tells of a failure, and that the updater is over."""

    def failed() -> bool:
        return _stage(play) == Stage.FAILED_RECOVERABLE and play.is_at_rest()

    play.see(failed, "B1 tells of a failure")


def cancel(play: Play) -> None:
    """Discard the Setup, and with it the operation."""
    play.post("/api/setup/abandon", {"setup_workflow_id": play.workflow_id})


def remove_updater(play: Play) -> None:
    """Remove the updater by hand, running or not."""
    for updater in play.updaters:
        play.house.lab.api.remove(updater.id)


def stop_updater(play: Play) -> None:
    """Stop the updater by hand: the engine starts it no more."""
    for updater in play.updaters:
        play.house.lab.api.ask("POST", f"containers/{updater.id}/stop", t="0")


def start_the_one_aside(play: Play) -> None:
    """Take the one cure that the docs name."""
    play.house.lab.api.ask("POST", f"containers/{play.house.name}-before-{play.operation_id}/start")


def a_stranger(named: str) -> Act:
    """Let somebody else's container take a name: `{name}` is that of the Admin, `{operation}` its operation."""

    def take(play: Play) -> None:
        name = named.format(name=play.house.name, operation=play.operation_id)
        made = play.house.lab.api.run(name, {"Image": play.house.lab.base, "Cmd": IDLE})
        _note_stranger(play, made, name)

    return take


def take_port(play: Play) -> None:
    """Let somebody else's container publish the port of the Admin."""
    body: dict[str, Any] = {
        "Image": play.house.lab.base,
        "Cmd": IDLE,
        "ExposedPorts": {"1/tcp": {}},
        "HostConfig": {"PortBindings": {"1/tcp": [{"HostPort": str(play.house.port)}]}},
    }
    name = f"stranger-{play.house.number}"
    _note_stranger(play, play.house.lab.api.run(name, body), name)


def stranger_goes(play: Play) -> None:
    """Let the stranger go. That nobody of ours has touched it is seen first."""
    found = play.house.lab.api.container(play.kept["stranger"])
    assert found is not None, "the stranger is gone"
    assert found["State"]["Running"], "the stranger was stopped"
    play.house.lab.api.remove(play.kept["stranger"])


def _note_stranger(play: Play, made: str, name: str) -> None:
    play.kept["stranger"] = made
    play.kept["strangers"] = (name,)


def created(play: Play) -> None:
    """See that the new Admin was created."""
    play.see(lambda: (play.record(RUN) or {}).get("successor"), "the new Admin was created")


def old_admin_serves(play: Play) -> None:
    """See that the old Admin serves under its own name."""

    def serves() -> bool:
        found = play.house.named_admin()
        return found is not None and found.id == play.old_id and play.house.answers()

    play.see(serves, "the old Admin serves")


def serves_aside(play: Play) -> None:
    """See that the old Admin serves again, though its name is taken."""

    def serves() -> bool:
        return play.house.answers() and (play.record(RUN) or {}).get("step") == "rolling_back"

    play.see(serves, "the old Admin serves under the name of one set aside")


def rolls_back(play: Play) -> None:
    """See that the walk leads back."""
    play.see(lambda: (play.record(RUN) or {}).get("step") == "rolling_back", "the walk leads back")


def waits_for_resume(play: Play) -> None:
    """See that an Admin answers again, and that its operation waits for somebody."""

    def waits() -> bool:
        return play.house.answers() and _stage(play) == Stage.ADMIN_UPDATE_PENDING

    play.see(waits, "the operation waits for a resume")


def forget_image(build: str) -> Act:
    """Let the Admin image of a build be pruned."""

    def forget(play: Play) -> None:
        lab = play.house.lab
        with contextlib.suppress(EngineError):  # its tag may be all that there is
            lab.api.ask("DELETE", f"images/{lab.builds[build].admin.image}", force="1")
        with contextlib.suppress(EngineError):
            lab.api.ask("DELETE", f"images/{play.house.image(build)}", force="1")
        assert lab.api.image(lab.builds[build].admin_image_id) is None, "the image is still here"

    return forget


def untag_old_image(play: Play) -> None:
    """Take every name away from the image of the old Admin, as a new tag or a prune does."""
    lab = play.house.lab
    found = lab.api.image(lab.builds["good"].admin_image_id)
    assert found is not None
    for name in (*found["RepoTags"], *found["RepoDigests"]):
        with contextlib.suppress(EngineError):  # the last tag takes the digest along
            lab.api.ask("DELETE", f"images/{name}", force="1", noprune="1")
    left = lab.api.image(lab.builds["good"].admin_image_id)
    assert left is not None, "the image is gone"
    assert not left["RepoTags"], left
    assert not left["RepoDigests"], left


def registry_goes(play: Play) -> None:
    """Take the registry away."""
    play.house.lab.registry.stop()


def registry_comes(play: Play) -> None:
    """Bring the registry back."""
    play.house.lab.registry.ensure_running()


def _stage(play: Play) -> str:
    return str((play.record(B1) or {}).get("stage"))


def was_refused(*codes: str) -> Act:
    """See that the last request was refused by one of these codes."""

    def refused(play: Play) -> None:
        assert play.heard, "it was not refused"
        assert play.heard[-1] in codes, play.heard

    return refused


def on_a_small_disk(play: Play) -> None:
    """Lay the site out on a disk of its own."""
    play.house.move_to_a_small_disk()


def disk_fills(play: Play) -> None:
    """Write until nothing more goes onto the disk of the site."""
    with _filler(play).open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(b"\0" * 4096):
            pass


def disk_is_freed(play: Play) -> None:
    """Give the space back."""
    _filler(play).unlink()


def _filler(play: Play) -> Path:
    return play.house.root / "lab" / "filler"


def new_admin_is_there(play: Play) -> None:
    """See that the new Admin was created, noted or not."""

    def there() -> bool:
        found = play.house.named_admin()
        return found is not None and found.id != play.old_id

    play.see(there, "the new Admin is there")


def last_words_are_told(words: str, *, exit_code: int) -> Act:
    """See that the run record has exit code and last line of the new Admin, and B1 the latter."""

    def told(play: Play) -> None:
        run, transition = play.record(RUN) or {}, play.record(B1) or {}
        assert (run["exit_code"], run["log"][-1], transition["error_message"]) == (exit_code, words, words)

    return told
