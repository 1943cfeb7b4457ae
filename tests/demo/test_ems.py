"""The demo EMS as a process: it starts, it is well, it refuses what it cannot run, it ends when it is told to."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from ems_admin.demo.archives import EMS_SOURCES
from tests.demo.ems_process import DEADLINE, Home, config, free_port, running


def refusal(home: Home, port: int = 0) -> tuple[int, str]:
    """Start it where it cannot run; give its exit code and its one line."""
    command = home.command(port or free_port())
    ended = subprocess.run(
        command, cwd=EMS_SOURCES.parent, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


def test_it_starts_and_is_well(tmp_path: Path) -> None:
    with running(Home(tmp_path, config())) as ems:
        status, health = ems.until_it_answers()
        assert status == 200
        assert health == {
            "status": "healthy",
            "build_id": "unpacked",
            "revision": "0" * 40,
            "checks": {"config": "ok", "control_loop": "ok", "runtime_state": "ok"},
        }


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(tmp_path: Path, sign: signal.Signals) -> None:
    with running(Home(tmp_path, config())) as ems:
        ems.until_it_answers()
        ems.process.send_signal(sign)
        assert ems.process.wait(DEADLINE) == 0


def test_its_loop_moves_the_house(tmp_path: Path) -> None:
    with running(Home(tmp_path, config())) as ems:
        ems.until_it_answers()
        _, first = ems.ask("/api/live")
        give_up = time.monotonic() + DEADLINE
        while (now := ems.ask("/api/live")[1])["at"] == first["at"]:
            assert time.monotonic() < give_up
            time.sleep(0.1)
        assert now["house"] == pytest.approx(now["solar"] + now["battery"] + now["grid"], abs=3)
        assert 0 <= now["soc"] <= 100
        assert [battery["name"] for battery in now["batteries"]] == ["battery"]
        assert [inverter["name"] for inverter in now["inverters"]] == ["roof"]


def test_it_knows_the_whole_day(tmp_path: Path) -> None:
    with running(Home(tmp_path, config())) as ems:
        ems.until_it_answers()
        _, day = ems.ask("/api/day")
        times = [row["at"] for row in (*day["past"], *day["forecast"])]
        assert times == sorted(times)
        assert len(times) > 280  # five minutes apart
        assert len(ems.ask("/api/recent")[1]["past"]) > 500  # ten minutes, a second apart


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff{}", "not UTF-8 at byte 0"),
        ({}, "'schema_version' is a required property"),
        (config(schema_version=2), "/schema_version"),
        (config(devices=[]), "/devices"),
        (config(grid_meter={"type": "local_api"}), "/grid_meter"),
        (config(unknown=1), "unknown"),
        (config(devices=[{"name": "a", "type": "mqtt", "mqtt": {"broker_ref": "nobody"}}]), "nobody"),
        (config(devices=[{"name": "a", "type": "local_api", "ip": "h"}] * 2), "is used twice: a"),
        (config(devices=[{"name": "a\n", "type": "local_api", "ip": "h"}]), "/devices/0/name"),
        (config(devices=[{"name": " ", "type": "local_api", "ip": "h"}]), "/devices/0/name"),
        (config(devices=[{"name": "a", "type": "local_api"}]), "'ip' is a required property"),
        (config(devices=[{"name": "a", "type": "local_api", "ip": "h", "min_soc": 90, "max_soc": 90}]), "no room"),
    ],
)
def test_a_config_that_cannot_be_run_is_one_line_and_exit_code_78(tmp_path: Path, document: Any, said: str) -> None:
    code, line = refusal(Home(tmp_path, document))
    assert code == 78
    assert line.startswith("ems: config.json")
    assert line.count("\n") == 1
    assert said in line
    assert not list((tmp_path / "data").iterdir())


def test_without_a_config_it_does_not_start(tmp_path: Path) -> None:
    home = Home(tmp_path, config())
    (home.config / "config.json").unlink()
    assert refusal(home) == (78, "ems: config.json is missing\n")


def test_a_byte_order_mark_and_umlauts_are_fine_whatever_the_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F06."""
    monkeypatch.setenv("LC_ALL", "C")
    kitchen = {"name": "Küche 🔋", "type": "local_api", "ip": "192.0.2.1", "battery_kwh": 2}
    document = config(devices=[kitchen], mqtt={"brokers": {"b": {"host": "küche.example", "port": 1883, "tls": False}}})
    with running(Home(tmp_path, b"\xef\xbb\xbf" + json.dumps(document, ensure_ascii=False).encode())) as ems:
        assert ems.until_it_answers()[0] == 200


def test_a_port_in_use_is_named_and_exit_code_1(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, line = refusal(Home(tmp_path, config()), taken.getsockname()[1])
    assert code == 1
    assert "in use" in line


def test_the_dashboard_is_served_only_where_it_is_switched_on(tmp_path: Path) -> None:
    with running(Home(tmp_path / "on", config())) as ems:
        ems.until_it_answers()
        status, page = ems.ask("/")
        assert status == 200
        assert "/assets/dashboard.js" in page["text"]
    off = config(features={"dashboard": False, "history": False, "winter_mode": False})
    with running(Home(tmp_path / "off", off)) as ems:
        assert ems.until_it_answers()[0] == 200
        assert ems.ask("/")[0] == 404
        assert ems.ask("/api/day")[0] == 404


# The runtime state


def state_of(home: Home) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((home.data / "runtime-state.json").read_bytes())
    return found


def test_the_runtime_state_is_written_at_the_start_and_kept_afterwards(tmp_path: Path) -> None:
    home = Home(tmp_path, config())
    with running(home) as ems:
        ems.until_it_answers()
        first = state_of(home)
        assert first.keys() == {"format_version", "overrides", "updated_at"}
        assert (first["format_version"], first["overrides"]) == (1, {})
        assert ems.ask("/api/overrides", {"features.winter_mode": True})[1]["switches"]["features.winter_mode"] is True
    assert state_of(home)["overrides"] == {"features.winter_mode": True}
    with running(home) as ems:
        ems.until_it_answers()
        assert ems.ask("/api/live")[1]["switches"]["features.winter_mode"] is True
    assert {place.name for place in home.data.iterdir()} == {"runtime-state.json", ".runtime-state.lock"}


def test_what_another_program_overrides_is_followed_and_its_keys_are_kept(tmp_path: Path) -> None:
    home = Home(tmp_path, config())
    with running(home) as ems:
        ems.until_it_answers()
        theirs = {"format_version": 1, "overrides": {"system.dry_run": True, "theirs": [1]}, "updated_at": "x"}
        (home.data / "new").write_text(json.dumps(theirs))
        (home.data / "new").replace(home.data / "runtime-state.json")
        give_up = time.monotonic() + DEADLINE
        while not ems.ask("/api/live")[1]["switches"]["system.dry_run"]:
            assert time.monotonic() < give_up
            time.sleep(0.1)
        assert ems.ask("/api/overrides", {"features.winter_mode": True})[0] == 200
    assert state_of(home)["overrides"] == {"system.dry_run": True, "theirs": [1], "features.winter_mode": True}


def test_nothing_is_written_while_somebody_else_holds_the_lock(tmp_path: Path) -> None:
    home = Home(tmp_path, config())
    with running(home) as ems:
        ems.until_it_answers()
        before = state_of(home)
        lock = os.open(home.data / ".runtime-state.lock", os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(TimeoutError):
            ems.ask("/api/overrides", {"system.dry_run": True})
        assert state_of(home) == before
        os.close(lock)
        give_up = time.monotonic() + DEADLINE
        while state_of(home) == before:
            assert time.monotonic() < give_up
            time.sleep(0.05)


def test_a_runtime_state_that_cannot_be_read_overrides_nothing_and_stays_as_it_is(tmp_path: Path) -> None:
    home = Home(tmp_path, config())
    (home.data / "runtime-state.json").write_bytes(b"{ torn")
    with running(home) as ems:
        status, health = ems.until_it_answers()
        assert (status, health["checks"]["runtime_state"]) == (200, "ignored")
        assert ems.ask("/api/overrides", {"system.dry_run": True})[0] == 409
    assert (home.data / "runtime-state.json").read_bytes() == b"{ torn"


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"system.dry_run": 1}, {}, 400),
        ({"system.max_total_power": 5}, {}, 400),
        ({}, {}, 400),
        ([], {}, 400),
        ({"system.dry_run": True}, {"Origin": "https://evil.example"}, 403),
        ({"system.dry_run": True}, {"Content-Type": "text/plain"}, 403),
    ],
)
def test_only_the_dashboard_changes_a_switch(tmp_path: Path, body: Any, headers: dict[str, str], status: int) -> None:
    home = Home(tmp_path, config())
    with running(home) as ems:
        ems.until_it_answers()
        assert ems.ask("/api/overrides", body, **headers)[0] == status
        assert state_of(home)["overrides"] == {}
