"""What recovery has to offer in one situation: safe actions in their order, and the records that a release would name.

Source: `seed 000` 7.4; `site.md` 4 (release allowlist).
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from ems_admin.machines.lifecycle import recovery, release
from ems_admin.machines.lifecycle.recovery import Offer, SafeAction
from ems_admin.machines.lifecycle.release import Form, Release
from ems_admin.machines.records.reading import Absent, Present, Reading, Unreadable
from ems_admin.workflows.house import House
from ems_admin.workflows.lifecycle.reading import store_of
from ems_admin.workflows.lifecycle.situation import Situation


@frozen(kw_only=True)
class StaleRecord:
    """One record that a release names."""

    place: str
    """Where it stands in `Records`."""
    name: str
    reason: Release
    sha256: str | None
    """Of the bytes that were read."""


# The operation goes last: until it has gone a release that was cut names all the rest of it again.
ORDER: Final = ("run", "dispatch", "admin_update", "config_commit", "upgrade", "setup", "transition")


def safe_actions(at: Situation) -> tuple[SafeAction, ...]:
    """List what safe recovery would do, in the order in which it does it."""
    progress = _progress(at)
    left = recovery.UpgradeLeft(at.setup, at.transition, at.context, at.cancel)
    offered = {
        SafeAction.DISCARD_UNSTARTED_UPDATER: discard(at),
        SafeAction.TRANSITION_CANCEL: recovery.CANCEL_OPERATION.classify(progress),
        SafeAction.SETUP_CLEANUP: recovery.CLEAN_UP_SETUP.classify(progress),
        SafeAction.UPGRADE_CONTEXT_CLEAR: recovery.CLEAR_CONTEXT.classify(left),
        SafeAction.SETTLE_CONFIG_COMMIT: recovery.SETTLE_COMMIT.classify(
            recovery.CommitLeft(at.setup, at.transition, at.commit)
        ),
    }
    return tuple(action for action in SafeAction if offered[action] is Offer.YES)


def discard(at: Situation) -> Offer:
    """Say whether an updater is left that nobody will ever start."""
    return recovery.DISCARD_UPDATER.classify(recovery.UpdaterLeft(at.transition, at.updater))


def stale_records(house: House, at: Situation) -> tuple[StaleRecord, ...]:
    """List what a release would set aside, in the order in which it goes.

    What nobody could read the bytes of, a link or a folder in the place of a file, nobody can set aside either (D7).
    """
    reasons, beyond = _reasons(at), out_of_reach(at)
    return tuple(
        StaleRecord(
            place=place,
            name=store_of(house, place).name,
            reason=reasons[place],
            sha256=sha256_of(getattr(at.reads, place)),
        )
        for place in ORDER
        if reasons[place] is not Release.KEPT and place not in beyond
    )


def out_of_reach(at: Situation) -> dict[str, Unreadable]:
    """Give the records that are there and whose bytes nobody could read, by where they stand in `Records`."""
    readings = {place: getattr(at.reads, place) for place in ORDER}
    return {
        place: reading
        for place, reading in readings.items()
        if isinstance(reading, Unreadable) and reading.sha256 is None
    }


def _reasons(at: Situation) -> dict[str, Release]:
    transition = release.RELEASE_TRANSITION.classify(release.OneClaim(at.transition))
    reads = at.reads
    return {
        "setup": release.RELEASE_SETUP.classify(_progress(at)),
        "transition": transition,
        "upgrade": release.RELEASE_CONTEXT.classify(release.OneContext(at.context)),
        "dispatch": release.RELEASE_REPLACEMENT.classify(release.Beside(form_of(reads.dispatch), transition)),
        "run": release.RELEASE_REPLACEMENT.classify(release.Beside(form_of(reads.run), transition)),
        "admin_update": release.RELEASE_OTHER.classify(release.OneForm(form_of(reads.admin_update))),
        "config_commit": release.RELEASE_OTHER.classify(release.OneForm(form_of(reads.config_commit))),
    }


def form_of(reading: Reading[Any]) -> Form:
    """Say what a record is to its reader."""
    match reading:
        case Absent():
            return Form.ABSENT
        case Present():
            return Form.READABLE
        case Unreadable():
            return Form.UNREADABLE


def _progress(at: Situation) -> recovery.InProgress:
    return recovery.InProgress(at.setup, at.transition, at.ownership, at.cancel)


def sha256_of(reading: Reading[Any]) -> str | None:
    """Give the hash of the bytes of a record, where it is there and could be read."""
    return None if isinstance(reading, Absent) else reading.sha256
