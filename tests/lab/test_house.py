"""A house in the lab: the Admin of the product's image, put up by the product's compose file, and killed at will.

Source: `site.md` 10.
"""

from __future__ import annotations

import http.client
import json
import urllib.request

import pytest

from tests.lab.house import ADMIN, UID, House


def test_the_image_serves_as_the_compose_file_says(house: House) -> None:
    made = house.start_admin()
    said = house.health()
    assert said is not None
    assert said["build_id"] == house.lab.builds["good"].identity.build_id
    assert set(said["checks"].values()) == {"ok"}
    with urllib.request.urlopen(house.url, timeout=5) as page:
        assert b"<script" in page.read()
    assert len(house.code()) >= 6
    container = house.lab.api.container(made)
    assert container is not None
    assert container["HostConfig"]["ReadonlyRootfs"] is True
    assert container["Config"]["User"] == f"{UID}:{UID}"
    assert [admin.name for admin in house.admins()] == [ADMIN]
    assert house.updaters() == ()


def test_an_admin_that_dies_is_started_again(house: House) -> None:
    house.start_admin()
    before = house.health()
    assert before is not None
    house.kill_admin()

    def another() -> bool:
        said = house.health()
        return said is not None and said["admin_instance_id"] != before["admin_instance_id"]

    house.wait_until(another, "another Admin answers")


def test_an_unhealthy_build_serves_and_is_not_well(house: House) -> None:
    house.start_admin("unhealthy")
    said = house.health()
    assert said is not None
    assert said["checks"]["assets"] == "failed"


def test_a_dying_build_says_who_it_is_and_never_serves(house: House) -> None:
    house.start_admin("dying", well=False)
    house.wait_until(lambda: "this build dies" in house.log(), "it has died")
    house.lab.api.run("smoke", {"Image": house.image("dying"), "Cmd": ["--version"]})
    build = house.lab.builds["dying"].identity.build_id
    house.wait_until(lambda: build in house.log("smoke"), "it says who it is")


def test_a_fuse_burns_once_at_its_point(house: House) -> None:
    house.lay_out()
    house.fuse.lay("call:ems_admin.http.health.health:before:2", role="admin")
    house.compose_up(well=False)
    house.wait_until(lambda: house.health() is not None and house.fuse.has_burnt, "the second call has killed it")
    said = house.wait_until(house.health, "the next one answers")
    container = house.lab.api.container(ADMIN)
    assert container is not None
    assert container["RestartCount"] == 1
    for _ in range(3):
        assert house.health() == said | {"checks": said["checks"]}


def test_a_fuse_burns_at_the_commit_of_a_record_in_an_admin_that_runs(house: House) -> None:
    house.start_admin()
    written = house.root / "config" / "admin-auth.json"
    house.fuse.lay("record:admin-auth:before:1", role="admin")
    body = {"password": "a roof full of sun", "confirm_password": "a roof full of sun", "code": house.code()}
    request = urllib.request.Request(
        f"{house.url}/api/admin/auth/setup", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with pytest.raises((OSError, http.client.HTTPException)):
        urllib.request.urlopen(request, timeout=20)
    assert house.fuse.has_burnt
    assert not written.exists()
    house.wait_until(house.health, "the next one answers")
