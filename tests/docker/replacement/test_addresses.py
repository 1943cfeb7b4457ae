"""Where a new Admin is asked: as people reach it where that can be, else at its own address, and which is noted.

Source: `site.md` 8; `faults.md` F26.
"""

from __future__ import annotations

from typing import Any

from ems_admin.docker.containers import Container, read
from ems_admin.docker.replacement.addresses import Address, addresses


def container(
    *, mode: str = "front", ports: dict[str, Any] | None = None, networks: dict[str, Any] | None = None, **config: Any
) -> Container:
    settings = {"Networks": networks or {}, "Ports": ports or {}}
    bound = {port: [{"HostPort": "1"}] for port in ports or {}}
    host = {"NetworkMode": mode, "PortBindings": bound}
    return read({"Id": "a", "Name": "/n", "Config": config, "HostConfig": host, "NetworkSettings": settings})


FRONT = {"front": {"IPAddress": "10.0.0.5", "Gateway": "10.0.0.1"}}
UPDATER = container(networks={"front": {"IPAddress": "10.0.0.9", "Gateway": "10.0.0.1"}})


def bound(address: str, port: str = "80") -> dict[str, Any]:
    return {"8090/tcp": [{"HostIp": address, "HostPort": port}]}


def http(found: tuple[Address, ...]) -> list[tuple[str, bool]]:
    """Give those that are asked plainly; each is asked over TLS as well."""
    plain = [(one.url.removeprefix("http://"), one.published) for one in found if one.url.startswith("http://")]
    secure = [(one.url.removeprefix("https://"), one.published) for one in found if one.url.startswith("https://")]
    assert plain == secure
    return plain


def test_the_published_port_at_the_gateway_comes_first() -> None:
    new = container(networks=FRONT, ports=bound("0.0.0.0"))
    assert http(addresses(new, UPDATER, rootless=False)) == [("10.0.0.1:80", True), ("10.0.0.5:8090", False)]


def test_a_port_of_the_loopback_is_asked_at_its_own_address_by_whoever_is_not_on_the_host() -> None:
    new = container(networks=FRONT, ports=bound("127.0.0.1"))
    assert http(addresses(new, UPDATER, rootless=False)) == [("10.0.0.5:8090", False)]
    on_host = container(mode="host", networks={"host": {"IPAddress": "", "Gateway": ""}})
    assert http(addresses(new, on_host, rootless=False))[0] == ("127.0.0.1:80", True)


def test_a_port_of_one_address_of_the_host_is_asked_there() -> None:
    new = container(networks=FRONT, ports=bound("192.168.1.5"))
    assert http(addresses(new, UPDATER, rootless=False))[0] == ("192.168.1.5:80", True)


def test_an_address_of_version_six_stands_in_brackets() -> None:
    new = container(networks=FRONT, ports=bound("fd00::5"))
    assert http(addresses(new, UPDATER, rootless=False))[0] == ("[fd00::5]:80", True)


def test_in_the_network_of_the_host_its_own_address_is_the_published_one() -> None:
    new = container(mode="host", networks={"host": {}}, Env=["EMS_ADMIN_LISTEN=0.0.0.0:9000"])
    here = container(mode="host", networks={"host": {}})
    assert http(addresses(new, here, rootless=False)) == [("127.0.0.1:9000", True)]


def test_rootless_nothing_is_from_outside() -> None:
    new = container(networks=FRONT, ports=bound(""))
    assert http(addresses(new, UPDATER, rootless=True)) == [("10.0.0.5:8090", False)]
    on_host = container(mode="host", networks={"host": {}}, ExposedPorts={"8090/tcp": {}})
    assert http(addresses(on_host, on_host, rootless=True)) == [("127.0.0.1:8090", False)]


def test_networks_that_both_stand_in_come_first() -> None:
    networks = {"back": {"IPAddress": "10.1.0.5", "Gateway": ""}, **FRONT}
    new = container(networks=networks, ExposedPorts={"8090/tcp": {}, "9/udp": {}})
    assert http(addresses(new, UPDATER, rootless=False)) == [("10.0.0.5:8090", False), ("10.1.0.5:8090", False)]


def test_one_that_has_no_address_and_no_port_is_asked_nowhere() -> None:
    assert addresses(container(mode="none", networks={"none": {"IPAddress": ""}}), None, rootless=False) == ()
    assert addresses(read({}), None, rootless=False) == ()
