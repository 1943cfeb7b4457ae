"""Every machine of the catalogue tells its transcripts, and together they leave nothing of it untold.

A transcript lies in the directory of the machine whose story it tells; the machines of one record share their
transcripts. The recorder below fails when a part of a declaration is exercised by none of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from ems_admin.codec.contradictions import contradiction
from ems_admin.machines.catalogue import CATALOGUE, Declared
from ems_admin.machines.kernel import Refused, Regions
from tests.machines.recorder import untold
from tests.machines.transcript import Heard, replay

HERE: Final = Path(__file__).parent
REGIONS: Final[dict[str, Regions[Any]]] = {e.name: e.regions for e in CATALOGUE if isinstance(e, Declared)}
TRANSCRIPTS: Final = [(name, path) for name in REGIONS for path in sorted((HERE / name).glob("*.txt"))]


@pytest.mark.parametrize(("name", "path"), TRANSCRIPTS, ids=[f"{name}/{path.stem}" for name, path in TRANSCRIPTS])
def test_a_transcript_comes_out_as_it_was_written(name: str, path: Path) -> None:
    """`site.md` 2."""
    written = path.read_text(encoding="utf-8")
    assert replay(REGIONS[name], written).text == written


@pytest.mark.parametrize(("name", "path"), TRANSCRIPTS, ids=[f"{name}/{path.stem}" for name, path in TRANSCRIPTS])
def test_no_record_that_a_machine_writes_contradicts_itself_to_its_reader(name: str, path: Path) -> None:
    """A decision that no store can keep would end in a fault of the program, and the way on would be closed."""
    for step in replay(REGIONS[name], path.read_text(encoding="utf-8")).steps:
        if not isinstance(step.decision, Refused):
            assert contradiction(step.decision.record) is None


@pytest.mark.parametrize("name", REGIONS)
def test_every_declared_machine_has_transcripts_of_its_own(name: str) -> None:
    assert any((HERE / name).glob("*.txt"))


@pytest.mark.parametrize("regions", dict.fromkeys(REGIONS.values()), ids=lambda regions: regions.name)
def test_together_the_transcripts_leave_nothing_untold(regions: Regions[Any]) -> None:
    """`site.md` 2."""
    texts = [path.read_text(encoding="utf-8") for name, path in TRANSCRIPTS if REGIONS[name] is regions]
    steps: list[Heard[Any]] = [step for text in texts for step in replay(regions, text).steps]
    assert "\n".join(untold(regions, steps)) == ""
