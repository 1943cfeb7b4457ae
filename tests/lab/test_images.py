"""The images are what a build promises: who they are, without rights, without a byte written into them, and well.

Source: `site.md` 6, 10.
"""

from __future__ import annotations

import json
import os
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.demo.ems_process import config
from tests.e2e.deadline import until
from tests.lab.house import House
from tests.lab.images import identified, own_identity
from tests.lab.lab import Lab

SECOND = 1_000_000_000
SOMEBODY = 12345


@pytest.mark.parametrize("name", ["good", "newer"])
def test_both_images_of_a_build_agree_with_its_manifest(lab: Lab, name: str) -> None:
    build = lab.builds[name]
    for pin in (build.admin, build.ems):
        assert pin.image is not None
        image = lab.api.image(pin.image)
        assert image is not None
        labels = image["Config"]["Labels"]
        assert labels["org.opencontainers.image.version"] == build.identity.system_tag
        assert labels["org.opencontainers.image.revision"] == build.identity.revision
        assert labels["io.ems-admin.build-id"] == build.identity.build_id
        assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
        assert image["Config"]["User"] not in {"", "0", "root", "0:0"}


def test_the_good_build_is_the_working_tree(lab: Lab) -> None:
    assert lab.builds["good"].identity.requires == own_identity().requires
    assert lab.builds["newer"].identity == identified(lab.builds["good"].identity, 1)


def test_the_admin_says_which_build_it_is_without_a_site(lab: Lab) -> None:
    pin = lab.builds["newer"].admin
    lab.api.run("asked", {"Image": pin.image, "Cmd": ["--version"], "HostConfig": {"ReadonlyRootfs": True}})
    assert lab.api.ask("POST", "containers/asked/wait")["StatusCode"] == 0
    assert f"build {lab.builds['newer'].identity.build_id}" in lab.api.log("asked")


def test_the_health_check_of_the_image_finds_the_admin_well(house: House) -> None:
    def often(create: dict[str, Any]) -> None:
        create["Healthcheck"] = {"Interval": SECOND, "StartPeriod": SECOND}  # its command is that of the image

    house.start_admin(change=often)

    def well() -> bool:
        found = house.lab.api.container("ems-admin")
        return found is not None and found["State"]["Health"]["Status"] == "healthy"

    house.wait_until(well, "the engine finds it healthy")


def test_nothing_is_written_outside_of_the_install_root(house: House) -> None:
    made = house.start_admin()
    changes = house.lab.api.ask("GET", f"containers/{made}/changes") or []
    mounted = ("/tmp", *(str(place) for place in (house.root, *house.root.parents)), "/run", "/var")
    assert [change["Path"] for change in changes if not change["Path"].startswith(mounted)] == []


def test_the_ems_runs_as_anybody_and_is_well(lab: Lab) -> None:
    folder = lab.plot.folder / "ems"
    for name in ("config", "data"):
        (folder / name).mkdir(parents=True)
        os.chown(folder / name, SOMEBODY, SOMEBODY)
    (folder / "config/config.json").write_text(json.dumps(config()))
    host = {
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "Binds": [f"{folder}/config:/config:ro", f"{folder}/data:/data"],
        "PortBindings": {"8099/tcp": [{"HostPort": "8099"}]},
    }
    pin = lab.builds["good"].ems
    lab.api.run("an-ems", {"Image": pin.image, "User": f"{SOMEBODY}:{SOMEBODY}", "HostConfig": host})

    def healthy() -> dict[str, Any] | None:
        try:
            with urllib.request.urlopen(f"http://{lab.address}:8099/health", timeout=2) as answer:
                found: dict[str, Any] = json.load(answer)
        except OSError:
            return None
        return found

    said = until(healthy, "the EMS is well")
    assert said is not None
    assert said["build_id"] == lab.builds["good"].identity.build_id
    assert any(Path(folder / "data").iterdir())
