"""Whose page a request comes from (F48)."""

import pytest

from ems_admin.http.origins import host_of, require_own
from ems_admin.http.visitor import is_loopback
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.records import RefusalError
from tests.http.served import Scene

OWN = (
    (None, "ems.example"),
    ("http://ems.example:8090", "ems.example:8090"),
    ("http://EMS.example:8090", "ems.example:8090"),
    ("http://ems.example", "ems.example"),
    ("http://ems.example", "ems.example:80"),
    ("http://ems.example:80", "ems.example"),
    ("https://ems.example", "ems.example"),  # a proxy ends TLS and hands the plain name on
    ("https://ems.example", "ems.example:443"),
    ("http://[::1]:8090", "[::1]:8090"),
    ("http://[0:0:0:0:0:0:0:1]:8090", "[0:0:0:0:0:0:0:1]:8090"),
    ("http://192.0.2.7:8090", "192.0.2.7:8090"),
    ("https://house.example:8443", "anything.example"),  # trusted
)
FOREIGN = (
    ("http://evil.example", "ems.example"),
    ("http://ems.example:8091", "ems.example:8090"),
    ("http://ems.example", "ems.example:8090"),
    ("https://ems.example:8443", "ems.example"),
    ("null", "ems.example"),
    ("", "ems.example"),
    ("ems.example", "ems.example"),
    ("file:///etc/passwd", "ems.example"),
    ("http://ems.example.evil.example", "ems.example"),
    ("http://ems.example:99999", "ems.example"),
    ("http://[::1", "[::1]"),
    ("http://ems.example/page", "ems.example"),
    ("https://house.example", "anything.example"),
)
TRUSTED = ("https://house.example:8443",)


@pytest.mark.parametrize(("origin", "host"), OWN)
def test_the_own_page_may_ask(origin: str | None, host: str) -> None:
    require_own(origin, host, TRUSTED)


@pytest.mark.parametrize(("origin", "host"), FOREIGN)
def test_a_foreign_page_may_not_and_both_values_are_named(origin: str, host: str) -> None:
    with pytest.raises(RefusalError) as refused:
        require_own(origin, host, TRUSTED)
    assert refused.value.refusal.code is Code.ORIGIN_REJECTED
    assert refused.value.refusal.detail == f"{origin} is not {host}"


@pytest.mark.parametrize(
    ("host", "yes"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:192.0.2.1", False),
        ("192.0.2.1", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_this_machine_is_known_by_its_names(host: str, *, yes: bool) -> None:
    assert is_loopback(host) is yes


@pytest.mark.parametrize(
    ("header", "host"), [("[::1]:8090", "::1"), ("ems.example", "ems.example"), ("localhost:1", "localhost"), ("", "")]
)
def test_a_host_header_names_a_host(header: str, host: str) -> None:
    assert host_of(header) == host


@pytest.mark.parametrize("path", ["/", "/api/admin/auth/login", "/api/admin/console"])
async def test_a_foreign_page_gets_nothing(site: Scene, path: str) -> None:
    browser = await site.person()
    method = "POST" if path.endswith("login") else "GET"
    answer = await browser.ask(method, path, headers={"Origin": "https://evil.example"})
    assert answer.error == (403, "origin_rejected")
    assert "evil.example" in answer.json["detail"]
    assert site.url.removeprefix("http://") in answer.json["detail"]


@pytest.mark.parametrize("path", ["/api/admin/auth/status", "/api/admin/health"])
async def test_whether_the_admin_lives_may_be_asked_from_anywhere(site: Scene, path: str) -> None:
    answer = await site.browser().ask("GET", path, headers={"Origin": "https://evil.example"})
    assert answer.status == 200


async def test_the_own_page_may_act(site: Scene) -> None:
    browser = await site.person()
    own = {"Origin": site.url, "X-CSRF-Token": browser.csrf or ""}
    assert (await browser.ask("POST", "/api/admin/auth/refresh", {}, own)).status == 200
