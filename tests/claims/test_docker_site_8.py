"""What a site on Docker is known by, and how its Admin is put up (`site.md` 8, 10; `replacement.md` 7.4)."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from ems_admin.composition.options import Options
from ems_admin.docker.daemon import ACT, ANSWER
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement import pin
from ems_admin.docker.replacement.limits import Limits as Hand
from ems_admin.docker.sights import Limits
from ems_admin.docker.surroundings import is_rootless
from tests.house.tracked import ROOT

COMPOSE: Any = yaml.safe_load((ROOT / "docker-compose.admin.yml").read_text(encoding="utf-8"))["services"]["admin"]


def test_a_site_is_known_by_its_install_root_and_by_no_name_that_leads_there(tmp_path: Path) -> None:
    """`site.md` 8 (`<site>`): of the resolved root, so that a link is the same site."""
    root = tmp_path / "ems"
    root.mkdir()
    (tmp_path / "link").symlink_to(root)
    expected = hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]
    for way in (root, tmp_path / "link"):
        assert DockerPlace(install_root=way, admin_data=way / "admin").site == expected


@pytest.mark.parametrize(
    ("options", "rootless"),
    [(["name=seccomp,profile=default", "name=rootless"], True), (["name=seccomp"], False), (None, False), ("x", False)],
)
def test_a_daemon_without_root_is_seen_in_what_it_says_of_itself(options: Any, rootless: bool) -> None:
    """`site.md` 8 (rootless)."""
    assert is_rootless({"SecurityOptions": options}) is rootless


def test_the_line_that_an_update_rewrites_is_the_one_that_the_compose_file_reads() -> None:
    """`site.md` 8 (Admin's compose file): a later `docker compose up -d` starts what runs."""
    assert COMPOSE["image"].startswith(f"${{{pin.VARIABLE}:?")
    (line,) = pin.rewritten(b"EMS_ADMIN_IMAGE=old\n", "r.example/admin@sha256:1").splitlines()
    assert line == b"EMS_ADMIN_IMAGE=r.example/admin@sha256:1"


def test_the_compose_file_mounts_the_install_root_where_the_host_has_it() -> None:
    """`site.md` 8 (host paths)."""
    root = COMPOSE["volumes"][0]
    assert root == "${EMS_ADMIN_INSTALL_ROOT}:${EMS_ADMIN_INSTALL_ROOT}"


def test_an_admin_as_a_container_has_no_rights_of_its_own_and_thirty_seconds_to_end() -> None:
    """`site.md` 10 (SIGTERM): 25 s for the Admin to end, and 30 s until it is killed."""
    assert COMPOSE["stop_grace_period"] == "30s"
    assert (COMPOSE["read_only"], COMPOSE["cap_drop"]) == (True, ["ALL"])
    assert COMPOSE["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in COMPOSE


def test_the_time_limits_are_those_of_the_contract() -> None:
    """`replacement.md` 7.3 (R3, R4), 7.4 (U5, U8); `faults.md` F19, F31, F34, F44; `site.md` 8."""
    assert timedelta(seconds=10) > ANSWER
    assert timedelta(seconds=60) == ACT
    assert (Limits().start_or_stop, Limits().pull) == (timedelta(seconds=240), timedelta(seconds=600))
    assert Limits().name_is_free == Hand().name == timedelta(seconds=30)
    assert (Hand().act, Hand().grace, Hand().taken) == (ACT, timedelta(seconds=30), timedelta(seconds=30))
    assert Hand().starts == 3


def test_the_window_is_ten_seconds_unless_somebody_says_otherwise(tmp_path: Path) -> None:
    """F22: also for an updater, which is told the window of its Admin."""
    assert Options.at(tmp_path, {}).stability == timedelta(seconds=10)
    assert Options.at(tmp_path, {"EMS_ADMIN_STABILITY": "soon"}).stability == timedelta(seconds=10)
    assert Options.at(tmp_path, {"EMS_ADMIN_STABILITY": "12"}).stability == timedelta(seconds=12)
