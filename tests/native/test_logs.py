"""What people may read of a log."""

from pathlib import Path

import pytest

from ems_admin.engines.masking import mask
from ems_admin.native.logs import BOUND, begin_chapter, keep_within_bounds, last_lines, last_words


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("password: hunter2", "password: ***"),
        ("MQTT_PASSWORD=hunter2 and more", "MQTT_PASSWORD=*** and more"),
        ('{"api_key": "a b \\" c", "port": 1}', '{"api_key": ***, "port": 1}'),
        ("{'access_token': 'abc', 'x': 2}", "{'access_token': ***, 'x': 2}"),
        ("GET /x?token=abc&page=2", "GET /x?token=***&page=2"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: ***"),
        ("sent bearer abcdefghijkl", "sent bearer ***"),
        ("mqtt://user:pa55@host:1883", "mqtt://user:***@host:1883"),
        ("credentials_ref: main", "credentials_ref: main"),
        ("no password was given", "no password was given"),
        ("port: 8080", "port: 8080"),
    ],
)
def test_what_stands_behind_a_secretive_name_is_hidden(printed: str, shown: str) -> None:
    assert mask(printed) == shown


def test_a_very_long_line_is_masked_at_once(tmp_path: Path) -> None:
    log = tmp_path / "ems.log"
    log.write_text("passwor" * 100_000 + "\nend\n")
    cut, end = last_lines(log, 2)
    assert (len(cut), end) == (2000, "end")


def test_only_two_older_files_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "ems.log"
    for letter in "abcd":
        log.write_text(letter * (BOUND + 1))
        keep_within_bounds(log)
    assert sorted(place.name for place in tmp_path.iterdir()) == ["ems.log", "ems.log.1", "ems.log.2"]
    assert [log.with_name(f"ems.log{end}").read_text()[:1] for end in ("", ".1", ".2")] == ["", "d", "c"]


def test_the_last_lines_reach_back_over_a_turn(tmp_path: Path) -> None:
    log = tmp_path / "ems.log"
    log.write_text("new\n")
    log.with_name("ems.log.1").write_text("oldest\nolder\n")
    assert last_lines(log, 2) == ("older", "new")
    assert last_lines(log, 9) == ("oldest", "older", "new")
    assert last_lines(log, 0) == ()


def test_lines_of_an_earlier_start_are_left_out(tmp_path: Path) -> None:
    log = tmp_path / "ems.log"
    for word in ("before", "after"):
        begin_chapter(log, "a start")
        with log.open("a") as file:
            file.write(f"{word}\n")
    assert last_words(log, 9) == ("after",)
    assert last_lines(log, 9) == ("== a start", "before", "== a start", "after")


def test_a_log_that_is_not_there_has_no_lines(tmp_path: Path) -> None:
    assert last_lines(tmp_path / "none.log", 5) == ()
    assert last_words(tmp_path / "none.log", 5) == ()
