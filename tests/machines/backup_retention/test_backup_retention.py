"""Which backups may go (site.md 9)."""

from __future__ import annotations

import pytest

from ems_admin.machines.backup_retention import (
    BACKUP_FATE,
    Leaving,
    Named,
    beyond,
    id_for_upgrade,
    may_be_deleted,
    named_by,
)
from ems_admin.machines.records.reading import Absent, Present, ReadFault, Unreadable
from ems_admin.machines.upgrade.groundwork import sealed
from tests.machines.verdicts import questions, replay, texts, unused
from tests.stores.records import UPGRADE

OWN = id_for_upgrade(UPGRADE.operation_id)
NOBODY = Absent()
BROKEN = Unreadable(fault=ReadFault.NOT_JSON)
NOTED = Present(record=sealed(UPGRADE, backup_reference="elsewhere"), sha256="0" * 64)


def test_the_fate_of_a_backup_is_as_written() -> None:
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Leaving, lambda asked: str(BACKUP_FATE.classify(asked))) == text
    assert not unused(BACKUP_FATE, list(questions(text, Leaving)))


@pytest.mark.parametrize(
    ("upgrade", "backup_id", "named"),
    [
        (NOBODY, OWN, Named.NO),
        (NOTED, OWN, Named.YES),
        (NOTED, "elsewhere", Named.YES),
        (NOTED, id_for_upgrade("another"), Named.NO),
        (BROKEN, id_for_upgrade("another"), Named.UNKNOWN),
        (BROKEN, "mine", Named.NO),
    ],
)
def test_an_upgrade_names_its_reference_and_what_is_called_after_it(
    upgrade: Absent | Present[object] | Unreadable, backup_id: str, named: Named
) -> None:
    assert named_by(upgrade, backup_id) is named  # type: ignore[arg-type]
    assert may_be_deleted(upgrade, backup_id) is (named is Named.NO)  # type: ignore[arg-type]


@pytest.mark.parametrize(("keep", "going"), [(None, ()), (4, ()), (3, ("d",)), (1, ("c", "d")), (0, ("a", "c", "d"))])
def test_the_oldest_go_and_what_stays_counts(keep: int | None, going: tuple[str, ...]) -> None:
    assert beyond(NOTED, ("a", OWN, "c", "d"), keep) == going
