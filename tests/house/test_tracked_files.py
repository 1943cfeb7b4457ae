"""What is committed works on every machine: no path of a developer, no host of a package index."""

import re
from pathlib import Path

from tests.house.tracked import ROOT, texts

TEXTS = (
    *(".py", ".toml", ".lock", ".md", ".txt", ".json", ".ts", ".tsx", ".css", ".html", ".svg", ".mmd"),
    *(".sh", ".sql", ".yml", ".cfg", ".in", ""),
)
HOMES = re.compile(r"(?<![\w.])/(?:root|Users/[a-z]\w*|home/[a-z]\w*/(?:src|git|code|projects|\.pyenv|\.venv))/")


def test_no_file_names_a_path_of_a_developer() -> None:
    own = {str(ROOT), str(Path.home())} - {"/", "/root"}
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path, text in texts(*TEXTS)
        for line in text.splitlines()
        if HOMES.search(line) or any(f"{place}/" in line for place in own)
    ]
    assert found == []


def test_a_path_of_a_developer_is_caught() -> None:
    home = "/ro" + "ot/"  # not written out: this file is searched too
    assert HOMES.search(f"open('{home}notes.txt')")
    assert HOMES.search("see /Users/" + "jo/ems")
    assert not HOMES.search("the route /root-cause/ of a page, /home/pi")


def test_lock_files_pin_every_package_and_name_no_index() -> None:
    locks = texts(".lock")
    assert {path.name for path, _ in locks} >= {"requirements.lock", "requirements-build.lock", "requirements-dev.lock"}
    for path, text in locks:
        entries = re.findall(r"^(\S.*?)(?: \\)?\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE)
        lines = [line for line in text.splitlines() if line and not line.lstrip().startswith(("#", "--hash="))]
        assert lines, path.name
        assert len(entries) == len(lines), f"{path.name} has a package without a hash"
        assert all(re.match(r"[a-z0-9.-]+==[^ ]+", line) for line in lines), path.name
        assert "://" not in text, path.name


def test_the_lock_of_the_console_names_no_registry() -> None:
    (lock,) = [text for path, text in texts(".json") if path.name == "package-lock.json"]
    assert '"resolved"' not in lock
    assert '"integrity"' in lock
