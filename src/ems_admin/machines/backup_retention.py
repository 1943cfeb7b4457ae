"""Which backup sets may go: by a person's word, and by themselves when there are more than are kept.

What an operation that is not over rests on stays, whoever asks. A record that cannot be read may name just that.
Source: `site.md` 9 (Backups, Steps); ADR 38.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.machines.records.upgrade import UpgradeContext


class Named(StrEnum):
    """Whether an upgrade that is not over names the set."""

    NO = "no"
    YES = "yes"
    UNKNOWN = "unknown"
    """What it names cannot be read, and the set was made for an upgrade."""


class Asked(StrEnum):
    """Who wants it gone."""

    PERSON = "person"
    RETENTION = "retention"


class Rank(StrEnum):
    """Where the set stands among those that are kept by themselves."""

    WITHIN = "within"
    BEYOND = "beyond"


class Fate(StrEnum):
    """What becomes of it."""

    STAYS = "stays"
    GOES = "goes"


@frozen
class Leaving:
    """One set, and who wants it gone."""

    named: Named
    asked: Asked
    rank: Rank


BACKUP_FATE: Final = Table[Leaving, Fate](
    name="backup_fate",
    asks=Leaving,
    rows=(
        row(Fate.STAYS, named={Named.YES, Named.UNKNOWN}),
        row(Fate.GOES, asked=Asked.PERSON),
        row(Fate.GOES, rank=Rank.BEYOND),
        row(Fate.STAYS),
    ),
)


UPGRADE: Final = "upgrade-"


def id_for_upgrade(operation_id: str) -> str:
    """Name the set that belongs to an upgrade: found again after a cut, it is not made twice."""
    return f"{UPGRADE}{operation_id}"


def named_by(upgrade: Reading[UpgradeContext], backup_id: str) -> Named:
    """Say whether B6 rests on a set: by its reference, or by the operation that is about to note it."""
    match upgrade:
        case Absent():
            return Named.NO
        case Present(record=record):
            own = backup_id in {record.backup_reference, id_for_upgrade(record.operation_id)}
            return Named.YES if own else Named.NO
        case _:
            return Named.UNKNOWN if backup_id.startswith(UPGRADE) else Named.NO


def may_be_deleted(upgrade: Reading[UpgradeContext], backup_id: str) -> bool:
    """Say whether a person may delete a set."""
    question = Leaving(named=named_by(upgrade, backup_id), asked=Asked.PERSON, rank=Rank.WITHIN)
    return BACKUP_FATE.classify(question) is Fate.GOES


def beyond(upgrade: Reading[UpgradeContext], newest_first: Sequence[str], keep: int | None) -> tuple[str, ...]:
    """Name the sets that go when `keep` are kept, `None` for all; what stays for an upgrade counts like any other."""
    if keep is None:
        return ()
    questions = (
        (one, Leaving(named_by(upgrade, one), Asked.RETENTION, Rank.WITHIN if number <= keep else Rank.BEYOND))
        for number, one in enumerate(newest_first, 1)
    )
    return tuple(one for one, question in questions if BACKUP_FATE.classify(question) is Fate.GOES)
