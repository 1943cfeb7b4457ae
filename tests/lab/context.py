"""What an engine is sent to build from: the files of the checkout that `.dockerignore` lets through, as one tar.

The client that people use reads `.dockerignore`; the engine does not. So it is read here, and is tested with the rest.
"""

from __future__ import annotations

import io
import os
import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.house.tracked import ROOT

NEVER: Final = frozenset({".git", ".venv", "node_modules", "test-output", "__pycache__"})
"""Not even looked into; `test_context.py` holds that `.dockerignore` says the same."""


def product_context(wheels: Path) -> bytes:
    """Give the context of the product's images, with the wheels laid into it."""
    files = {path: (ROOT / path).read_bytes() for path in let_through(ROOT)}
    return tar(files | {f"wheels/{wheel.name}": wheel.read_bytes() for wheel in sorted(wheels.iterdir())})


def let_through(root: Path, *, never: frozenset[str] = NEVER) -> Iterator[str]:
    """Give the files below `root` that are sent, by their paths; the Dockerfile always is."""
    rules = list(_rules((root / ".dockerignore").read_text()))
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(set(inner) - never)
        for name in sorted(names):
            path = Path(folder, name).relative_to(root).as_posix()
            if path == "Dockerfile" or not _is_ignored(path, rules):
                yield path


def _rules(text: str) -> Iterator[tuple[bool, re.Pattern[str]]]:
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            words = re.split(r"(\*\*/|\*)", line.strip().removeprefix("!"))
            parts = {"**/": "(?:.*/)?", "*": "[^/]*"}
            yield not line.startswith("!"), re.compile("".join(parts.get(word, re.escape(word)) for word in words))


def _is_ignored(path: str, rules: Iterable[tuple[bool, re.Pattern[str]]]) -> bool:
    """The last rule that fits the file, or a folder that it lies in, decides."""
    places = [path, *(parent.as_posix() for parent in Path(path).parents)]
    fitting = [ignores for ignores, rule in rules if any(rule.fullmatch(place) for place in places)]
    return bool(fitting) and fitting[-1]


def tar(files: Mapping[str, bytes]) -> bytes:
    """Give files as a tar that does not depend on when and by whom it is made."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as packed:
        for path, data in files.items():
            member = tarfile.TarInfo(path)
            member.size = len(data)
            member.mode = 0o755 if data.startswith(b"#!") else 0o644
            packed.addfile(member, io.BytesIO(data))
    return written.getvalue()
