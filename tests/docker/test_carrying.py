"""What somebody has connected a service to, and the address that he has fixed, outlive an upgrade.

Source: `faults.md` F25; `site.md` 8.
"""

from __future__ import annotations

from typing import Any

from ems_admin.workflows.ports.engine import Done
from tests.docker.ground import Ground, quietly
from tests.docker.test_cuts import cut

HOUSE, THINGS = "house", "things"
FIXED, THING = "172.31.77.20", "172.31.78.30"


def network(ground: Ground, name: str, subnet: str) -> None:
    ground.lab.api.ask("POST", "networks/create", {"Name": name, "IPAM": {"Config": [{"Subnet": subnet}]}})


def joins(ground: Ground, name: str, address: str, *aliases: str) -> None:
    wish = {"Container": "ems", "EndpointConfig": {"IPAMConfig": {"IPv4Address": address}, "Aliases": [*aliases]}}
    ground.lab.api.ask("POST", f"networks/{name}/connect", wish)


def networks(ground: Ground) -> dict[str, Any]:
    found: dict[str, Any] = ground.container()["NetworkSettings"]["Networks"]
    return found


async def test_another_network_and_a_fixed_address_go_over_to_the_successor(ground: Ground) -> None:
    network(ground, HOUSE, "172.31.77.0/24")
    network(ground, THINGS, "172.31.78.0/24")
    binds = [f"{ground.root}:{ground.root}"]
    own = ground.stranger("admin", HostConfig={"NetworkMode": HOUSE, "Binds": binds})
    engine = ground.engine(own=own)
    assert await engine.start(ground.light(), quietly) == Done()
    ground.lab.api.ask("POST", f"networks/{HOUSE}/disconnect", {"Container": "ems"})
    joins(ground, HOUSE, FIXED)
    joins(ground, THINGS, THING, "meter")
    old = ground.container()["Id"]
    assert await engine.start(ground.light("newer"), quietly) == Done()
    assert ground.container()["Id"] != old
    found = networks(ground)
    assert {name: one["IPAddress"] for name, one in found.items()} == {HOUSE: FIXED, THINGS: THING}
    assert "meter" in found[THINGS]["Aliases"]
    assert "ems" in found[HOUSE]["Aliases"]
    assert old[:12] not in found[THINGS]["Aliases"]
    assert await engine.start(ground.light(), quietly) == Done()
    assert (ground.container()["Id"], set(networks(ground))) == (old, {HOUSE, THINGS})


async def test_a_network_that_is_gone_is_not_missed(ground: Ground) -> None:
    network(ground, THINGS, "172.31.78.0/24")
    assert await ground.engine().start(ground.light(), quietly) == Done()
    joins(ground, THINGS, THING)
    assert await ground.engine().stop(quietly) == Done()
    ground.lab.api.ask("DELETE", f"networks/{THINGS}")
    assert await ground.engine().start(ground.light("newer"), quietly) == Done()
    assert ground.running() == ["ems"]
    assert THINGS not in networks(ground)


async def test_a_start_that_is_cut_before_a_network_was_joined_joins_it_when_it_is_entered_again(
    ground: Ground,
) -> None:
    network(ground, THINGS, "172.31.78.0/24")
    assert await ground.engine().start(ground.light(), quietly) == Done()
    joins(ground, THINGS, THING)
    assert await cut(ground, "newer", 3, landed=False)  # stop, rename, create
    assert await ground.engine().start(ground.light("newer"), quietly) == Done()
    assert networks(ground)[THINGS]["IPAddress"] == THING
