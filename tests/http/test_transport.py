"""What every answer carries, what the cookie is, and which pages are handed out."""

import asyncio
import json

import pytest

from ems_admin.http.assets import Asset, Assets
from ems_admin.http.routes import TABLE
from ems_admin.http.sessions import COOKIE
from ems_admin.http.shown import shown
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from tests.http.browser import PASSWORD, Browser
from tests.http.served import Scene

ANSWERS = (
    ("GET", "/", 200),
    ("GET", "/api/admin/health", 200),
    ("GET", "/api/admin/console", 401),
    ("GET", "/api/nowhere", 404),
    ("GET", "/assets/nowhere.js", 404),
    ("PUT", "/api/admin/console", 405),
    ("DELETE", "/", 405),
    ("POST", "/api/admin/auth/login", 400),
    ("GET", "/metrics", 401),
)


@pytest.mark.parametrize(("method", "path", "status"), ANSWERS)
async def test_every_answer_carries_the_same_headers(site: Scene, method: str, path: str, status: int) -> None:
    answer = await site.browser().ask(method, path)
    assert answer.status == status, answer.data
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "camera=()" in answer.headers["Permissions-Policy"]
    assert "aiohttp" not in answer.headers["Server"].lower()


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ({}, "same-origin"),
        ({"Host": "192.168.1.5:8090"}, None),
        ({"Host": "ems.example", "X-Forwarded-Proto": "https"}, "same-origin"),
    ],
)
async def test_a_page_without_a_safe_way_is_not_told_what_its_browser_would_complain_about(
    site: Scene, said: dict[str, str], own: str | None
) -> None:
    answer = await site.browser().ask("GET", "/", headers=said)
    assert answer.headers.get("Cross-Origin-Opener-Policy") == own


async def test_the_event_stream_carries_them_too(site: Scene) -> None:
    browser = await site.person()
    async with browser.http.get(f"{site.url}/api/admin/events") as stream:
        assert stream.headers["X-Frame-Options"] == "DENY"
        assert stream.headers["Content-Type"] == "text/event-stream"


async def test_the_cookie_is_seen_by_this_site_alone_and_by_no_script(site: Scene) -> None:
    browser = site.browser()
    body = {"password": PASSWORD, "confirm_password": PASSWORD}
    answer = await browser.ask("POST", "/api/admin/auth/setup", body)
    first, *words = (word.strip() for word in answer.headers["Set-Cookie"].split(";"))
    assert first.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"} <= set(words)
    assert "Secure" not in words  # this connection is not HTTPS, and a browser would throw the cookie away


async def test_no_answer_is_kept_by_a_cache_unless_its_name_changes_with_it(site: Scene) -> None:
    browser = await site.person()
    assert (await browser.get("/api/admin/console")).headers["Cache-Control"] == "no-store"
    assert (await browser.get("/")).headers["Cache-Control"] == "no-cache"


async def test_every_place_of_the_console_shows_its_page_and_a_missing_file_is_missing(site: Scene) -> None:
    browser = site.browser()
    page = await browser.get("/")
    assert page.headers["Content-Type"].startswith("text/html")
    assert (await browser.get("/setup/devices")).data == page.data
    assert (await browser.get("/nothing.js")).error == (404, "not_found")
    assert (await browser.get("/api")).error == (404, "not_found")


def built(**files: bytes) -> Assets:
    named = {"index_html": "index.html", "assets_app_js": "assets/app-1.js"}
    assets = {named[name]: Asset(data=data, content_type="text/plain", keep=False) for name, data in files.items()}
    return Assets(by_path=assets)


def test_the_console_is_complete_only_with_every_file_that_its_page_names() -> None:
    page = b'<script src="/assets/app-1.js"></script>'
    assert built(index_html=page, assets_app_js=b"").complete
    assert not built(index_html=page).complete
    assert not built().complete


def test_an_unbuilt_console_says_how_to_build_it() -> None:
    page = built().find("/")
    assert page is not None
    assert b"make console" in page.data


async def test_a_refusal_says_what_happened_and_what_can_be_done(site: Scene) -> None:
    """D4."""
    refusal = (await site.browser().get("/api/admin/console")).json
    assert refusal["ok"] is False
    assert refusal["error"] == "not_authenticated"
    assert refusal["message"]
    (way,) = refusal["next_actions"]
    assert way == {"action": "sign_in", "label": "Sign in", "method": "POST", "path": "/api/admin/auth/login"}


async def test_a_fault_of_the_program_tells_nothing_of_itself(
    site: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    browser = await site.person()

    async def broken(*_: object) -> None:
        raise LookupError("/srv/secret/path")

    monkeypatch.setattr(type(site.house.journal), "latest", broken)
    answer = await browser.get("/api/admin/journal")
    assert answer.error == (500, "internal_error")
    assert b"secret" not in answer.data
    assert "secret" in capsys.readouterr().out
    assert (await browser.get("/api/admin/jobs")).status == 200


async def test_no_answer_names_an_absolute_path(site: Scene, browser: Browser) -> None:
    """D4."""
    root = str(site.root).encode()
    for path in ("/api/admin/console", "/api/setup/deployment/plan", "/api/admin/journal", "/api/admin/install-state"):
        assert root not in (await browser.get(path)).data


async def test_bytes_that_are_no_request_are_answered_in_the_same_words(
    site: Scene, capfd: pytest.CaptureFixture[str]
) -> None:
    reader, writer = await asyncio.open_connection(*site.url.removeprefix("http://").split(":"))
    writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n")
    head, _, body = (await asyncio.wait_for(reader.read(), 5)).partition(b"\r\n\r\n")
    writer.close()
    assert head.startswith(b"HTTP/1.0 400")
    assert b"X-Frame-Options: DENY" in head
    assert json.loads(body)["error"] == "malformed_body"
    assert b"Transfer" not in body
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
async def test_a_body_is_json_as_it_stands_whatever_it_says_of_itself(site: Scene, encoding: str) -> None:
    browser = await site.person()
    answer = await browser.post("/api/admin/auth/refresh", b"packed", Content_Encoding=encoding)
    assert answer.error == (400, "malformed_body")


@pytest.mark.parametrize("code", Code)
def test_every_way_that_a_refusal_offers_leads_to_a_route(code: Code) -> None:
    ways = shown(Refusal(code))["next_actions"]
    assert ways
    assert {(way["method"], way["path"]) for way in ways} <= {(str(route.method), route.path) for route in TABLE}
