"""A file tells one thing: 250 lines, or a reason in its first lines."""

import re

import pytest

from tests.house.tracked import ROOT, texts

LIMIT = 250
WRITTEN = (".py", ".ts", ".tsx", ".css", ".sql", ".sh")
REASON = re.compile(r"^\s*(#|//|/\*|--) long because: \S.{10,}")


def too_long(text: str) -> bool:
    """Tell whether a file is longer than the limit and does not say why in its first 20 lines."""
    lines = text.splitlines()
    return len(lines) > LIMIT and not any(REASON.match(line) for line in lines[:20])


def test_no_file_is_long_without_a_reason() -> None:
    files = texts(*WRITTEN)
    assert len(files) > 20
    assert [path.relative_to(ROOT).as_posix() for path, text in files if too_long(text)] == []


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("x = 1\n" * 250, False),
        ("x = 1\n" * 251, True),
        ("# long because: one table, read side by side\n" + "x = 1\n" * 300, False),
        ("// long because: made from the declarations\n" + "x = 1\n" * 300, False),
        ("# long because:\n" + "x = 1\n" * 300, True),
        ("x = 1\n" * 300 + "# long because: one table, read side by side\n", True),
    ],
)
def test_the_limit_is_250_lines_or_a_reason_at_the_top(text: str, *, verdict: bool) -> None:
    assert too_long(text) is verdict
