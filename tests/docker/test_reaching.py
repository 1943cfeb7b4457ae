"""A service is asked where people reach it, and from inside of a container also at its own address.

Source: `faults.md` F26.
"""

from __future__ import annotations

from typing import Any

from ems_admin.docker.reaching import addresses
from tests.docker.samples import container


def bound(ip: str, port: str = "8123") -> dict[str, Any]:
    return {"NetworkSettings": {"Ports": {"8099/tcp": [{"HostIp": ip, "HostPort": port}]}, "Networks": {}}}


def test_a_process_of_the_host_asks_at_the_published_address_and_never_in_a_network_that_it_is_not_in() -> None:
    where = addresses(container(), inside=False)
    assert where.asked == ("http://127.0.0.1:8099",)
    assert where.shown == "http://127.0.0.1:8099"


def test_a_container_finds_the_host_at_the_gateway_of_the_network() -> None:
    where = addresses(container(), inside=True)
    assert where.asked == ("http://172.18.0.1:8099", "http://172.18.0.3:8099")
    assert where.shown == "http://127.0.0.1:8099"


def test_an_address_that_was_chosen_on_purpose_is_shown_and_asked() -> None:
    where = addresses(container(bound("192.0.2.7")), inside=False)
    assert (where.shown, where.asked) == ("http://192.0.2.7:8123", ("http://192.0.2.7:8123",))
    assert addresses(container(bound("2001:db8::7")), inside=False).shown == "http://[2001:db8::7]:8123"


def test_loopback_is_this_machine() -> None:
    assert addresses(container(bound("127.0.0.1")), inside=False).shown == "http://127.0.0.1:8123"
    assert addresses(container(bound("::")), inside=False).shown == "http://127.0.0.1:8123"


def test_a_container_that_is_reached_nowhere_has_no_address() -> None:
    nothing: tuple[Any, ...] = ({}, None, {"Ports": None, "Networks": []}, {"Ports": {"8099/tcp": None}})
    for settings in nothing:
        where = addresses(container({"NetworkSettings": settings}), inside=False)
        assert (where.shown, where.asked) == (None, ())
