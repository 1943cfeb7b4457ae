"""The page that says which test holds which claim is true: every test is there, and names the section itself."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

from attrs import frozen

from tests.house.tracked import ROOT

PAGE: Final = ROOT / "docs/traceability.md"
HEADING: Final = re.compile(r"^## `([a-z0-9. ]+)` (\S+)")
TOLD_BY: Final = re.compile(r"^  - the transcript `(\w+)` of `(\w+)`$")
HELD_BY: Final = re.compile(r"^  - `(tests/[\w./]+?)(?:::(test_\w+))?`$")
DOCUMENTS: Final = "seed 000|site.md|http.md|faults.md|replacement.md|console.md"
REFERENCE: Final = re.compile(rf"`?({DOCUMENTS.replace('.', r'[.]')})`?", re.IGNORECASE)
SECTION: Final = re.compile(r"(?<![\w.])(?:[DF]\d+|\d+(?:\.\d+)*)(?:[a-z]\b)?(?![\w]|\.\d)")


@frozen
class Held:
    """One line of the page: a section of the specification, and the test that holds a claim of it."""

    document: str
    section: str
    path: str
    name: str | None
    """None for a transcript: the file is the test."""

    def __str__(self) -> str:
        return f"{self.document} {self.section}: {self.path}::{self.name}"


def held(page: str) -> list[Held]:
    """Read the page. Raises `AssertionError` for a claim that nothing holds, and for a line that is no reference."""
    found, heading, owed = [], ("", ""), ""
    for line in page.splitlines():
        if opened := HEADING.match(line):
            heading = opened[1], opened[2]
        elif line.startswith("- "):
            assert not owed, f"nothing holds: {owed}"
            owed = line
        elif line.startswith("  - "):
            if told := TOLD_BY.match(line):
                found.append(Held(*heading, f"tests/machines/{told[2]}/{told[1]}.txt", None))
            else:
                reference = HELD_BY.match(line)
                assert reference, f"no reference: {line}"
                found.append(Held(*heading, reference[1], reference[2]))
            owed = ""
    assert not owed, f"nothing holds: {owed}"
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def words(test: Held) -> tuple[str, str] | None:
    """Give what the file says of itself, and what the test says; `None` where there is no such test."""
    path = ROOT / test.path
    if not path.is_file():
        return None
    if test.name is None:
        return path.read_text(encoding="utf-8"), ""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == test.name:
            return ast.get_docstring(tree(path)) or "", ast.get_source_segment(text, node) or ""
    return None


def sections(text: str) -> set[tuple[str | None, str]]:
    """Give every section that a text names, with its document; without one where none was named before."""
    found: set[tuple[str | None, str]] = set()
    document, begin = None, 0
    for reference in [*REFERENCE.finditer(text), None]:
        part = text[begin : reference.start()] if reference else text[begin:]
        found |= {(document, section) for section in SECTION.findall(part)}
        if reference:
            document, begin = reference[1].lower(), reference.end()
    return found


def names_its_section(test: Held, said: tuple[str, str]) -> bool:
    """Say whether file or test names the section, or a part of it; a fault or decision needs no document."""
    for document, section in sections(said[0]) | sections(said[1]):
        part_of_it = section == test.section or section.startswith(f"{test.section}.")
        exact = part_of_it or section.rstrip("abcde") == test.section
        if exact and (document in {None, test.document} or section[0] in "DF"):
            return True
    return False


def test_every_claim_is_held_by_a_test_that_is_there() -> None:
    lines = held(PAGE.read_text(encoding="utf-8"))
    assert len(lines) > 400
    assert [str(test) for test in lines if words(test) is None] == []


def test_every_test_names_the_section_that_it_is_listed_under() -> None:
    lines = held(PAGE.read_text(encoding="utf-8"))
    said = [(test, words(test)) for test in lines]
    assert [str(test) for test, spoken in said if spoken is not None and not names_its_section(test, spoken)] == []


def test_a_page_that_is_not_true_is_found_out() -> None:
    gone = "## `seed 000` 5.3 x\n\n- claim\n  - `tests/house/test_traceability.py::test_that_is_gone`\n"
    assert [words(test) for test in held(gone)] == [None]
    for untrue in ("## `seed 000` 5.3 x\n\n- claim\n- another\n", "- claim\n  - somewhere\n"):
        try:
            held(untrue)
        except AssertionError:
            continue
        raise AssertionError(untrue)
    here = Held("seed 000", "5.3", "tests/x.py", "test_x")
    assert names_its_section(here, ("`seed 000` 2.2, 5.3; `site.md` 4.", ""))
    assert names_its_section(here, ("", '"""5.3, F43."""'))
    assert not names_its_section(here, ("`seed 000` 2.2; `site.md` 5.3.", ""))
    assert not names_its_section(here, ("`seed 000` 15.3, 5.31, 5.", ""))
