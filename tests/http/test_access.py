"""Who comes in: the first visitor, the password, the session, and how often one may guess."""

from datetime import datetime, timedelta

import pytest
from attrs import define, field

from ems_admin.http.sessions import Sessions
from ems_admin.http.throttle import Throttle
from ems_admin.http.visitor import Visitor
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.stores.host import HostClock, RandomIds
from ems_admin.workflows.ports.records import RefusalError
from tests.http.browser import PASSWORD, Browser
from tests.http.served import Scene

FIRST = {"password": PASSWORD, "confirm_password": PASSWORD}
STATUS, SETUP, LOGIN = (f"/api/admin/auth/{word}" for word in ("status", "setup", "login"))


async def test_whoever_sits_at_the_machine_needs_no_code(site: Scene) -> None:
    browser = site.browser()
    before = (await browser.get(STATUS)).json
    assert (before["auth_configured"], before["setup_code_required"], before["authenticated"]) == (False, False, False)
    answer = await browser.ask("POST", SETUP, FIRST)
    assert (answer.status, answer.json["role"]) == (200, "owner")
    assert 1790 <= answer.json["session_expires_in_seconds"] <= 1800
    assert (await browser.get("/api/admin/console")).status == 200


AFAR = (
    {"X-Forwarded-For": "192.0.2.9"},
    {"Forwarded": "for=192.0.2.9"},
    {"Via": "1.1 proxy"},
    {"X-Real-IP": "127.0.0.1"},
    {"Host": "ems.example"},
    {"Host": "192.0.2.1:8090"},
)


@pytest.mark.parametrize("headers", AFAR, ids=str)
async def test_whoever_comes_through_a_proxy_or_by_another_name_needs_the_code(
    site: Scene, headers: dict[str, str]
) -> None:
    browser = site.browser()
    status = (await browser.ask("GET", STATUS, headers=headers)).json
    assert status["setup_code_required"] is True
    held = site.tree()
    assert (await browser.ask("POST", SETUP, FIRST, headers)).error == (403, "setup_code_required")
    wrong = {**FIRST, "code": "aaaaa-aaaaa"}
    assert (await browser.ask("POST", SETUP, wrong, headers)).error == (403, "setup_code_invalid")
    assert {path for path in site.tree() if path.startswith("config")} == {p for p in held if p.startswith("config")}
    assert (await browser.ask("POST", SETUP, {**FIRST, "code": site.code}, headers)).status == 200


async def test_the_first_password_is_chosen_once(site: Scene) -> None:
    await site.person()
    answer = await site.browser().ask("POST", SETUP, {"password": "other", "confirm_password": "other"})
    assert answer.error == (409, "auth_already_configured")
    assert (await site.browser().ask("POST", LOGIN, {"password": PASSWORD})).status == 200


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"password": "", "confirm_password": ""}, (400, "password_required")),
        ({"password": "a", "confirm_password": "b"}, (400, "password_mismatch")),
        ({"password": "a"}, (400, "malformed_body")),
        ({"password": 5, "confirm_password": 5}, (400, "malformed_body")),
        ({**FIRST, "role": "owner"}, (400, "unsupported_field")),
    ],
)
async def test_a_first_password_that_is_none_is_refused(site: Scene, body: dict[str, object], error: object) -> None:
    assert (await site.browser().ask("POST", SETUP, body)).error == error


async def test_nobody_signs_in_before_there_is_a_password(site: Scene) -> None:
    assert (await site.browser().ask("POST", LOGIN, {"password": "x"})).error == (403, "auth_not_configured")


async def test_a_damaged_password_file_opens_nothing(site: Scene) -> None:
    await site.person()
    (site.root / "config" / "admin-auth.json").write_text("{}")
    browser = site.browser()
    assert (await browser.get(STATUS)).json["recovery_required"] == "malformed"
    assert (await browser.ask("POST", LOGIN, {"password": PASSWORD})).error == (409, "auth_file_invalid")
    assert (await browser.ask("POST", SETUP, FIRST)).error == (409, "auth_file_invalid")


async def test_ten_wrong_guesses_a_minute_and_no_more(site: Scene) -> None:
    await site.person()
    stranger = site.browser()
    for _ in range(10):
        assert (await stranger.ask("POST", LOGIN, {"password": "wrong"})).error == (403, "invalid_password")
    answer = await stranger.ask("POST", LOGIN, {"password": PASSWORD})
    assert answer.error == (429, "rate_limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"password": 1}', b'{"password": "x", "extra": 1}'])
async def test_what_cannot_be_read_locks_nobody_out(site: Scene, body: bytes) -> None:
    await site.person()
    browser = site.browser()
    for _ in range(11):
        assert (await browser.ask("POST", LOGIN, body)).status == 400
    assert (await browser.ask("POST", LOGIN, {"password": PASSWORD})).status == 200


@define
class Hours:
    """A clock whose boottime is moved by hand."""

    seconds: float = 1000.0
    host: HostClock = field(factory=HostClock)

    def boottime(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return self.host.now()

    def boot_id(self) -> str | None:
        return self.host.boot_id()

    async def sleep(self, duration: timedelta) -> None:
        await self.host.sleep(duration)


def guess(throttle: Throttle, code: Code, address: str = "192.0.2.1") -> None:
    with pytest.raises(RefusalError), throttle.attempt(address):
        raise RefusalError(Refusal(code))


def test_a_minute_later_one_may_guess_again_and_every_address_for_itself() -> None:
    clock = Hours()
    throttle = Throttle(clock=clock, guesses={})
    for _ in range(10):
        guess(throttle, Code.INVALID_PASSWORD)
    with pytest.raises(RefusalError) as refused, throttle.attempt("192.0.2.1"):
        pass
    assert refused.value.refusal.more == {"retry_after": 60}
    with throttle.attempt("192.0.2.2"):
        pass
    clock.seconds += 60
    with throttle.attempt("192.0.2.1"):
        pass


def test_what_is_no_guess_does_not_count() -> None:
    throttle = Throttle(clock=Hours(), guesses={})
    for _ in range(30):
        guess(throttle, Code.MALFORMED_BODY)
    with throttle.attempt("192.0.2.1"):
        pass


def test_guesses_that_are_made_at_once_count_at_once() -> None:
    throttle = Throttle(clock=Hours(), guesses={})
    open_now = [throttle.attempt("192.0.2.1") for _ in range(11)]
    for attempt in open_now[:10]:
        attempt.__enter__()
    with pytest.raises(RefusalError):
        open_now[10].__enter__()


VISITOR = Visitor(address="192.0.2.1", agent="test", secure=False, at_the_machine=False)


def test_a_session_ends_when_nobody_uses_it_and_after_twelve_hours_in_any_case() -> None:
    clock = Hours()
    sessions = Sessions(clock=clock, ids=RandomIds(), kept={})
    session = sessions.open(VISITOR)
    clock.seconds += 1799
    assert sessions.find(session.id) is not None
    clock.seconds += 1
    assert sessions.find(session.id) is None

    session = sessions.open(VISITOR)
    began = sessions.now()
    while sessions.now() - began < timedelta(seconds=43199):
        found = sessions.find(session.id)
        assert found is not None
        sessions.use(found)
        clock.seconds += 1000
    assert sessions.find(session.id) is None


def test_a_session_shows_nobody_but_its_browser_who_it_is() -> None:
    sessions = Sessions(clock=Hours(), ids=RandomIds(), kept={})
    session = sessions.open(VISITOR)
    assert session.caller.session == session.fingerprint
    assert len(session.fingerprint) == 16
    assert session.id not in (session.fingerprint, session.csrf_token)
    assert not session.fits(None)
    assert not session.fits(session.id)


async def test_signing_out_ends_the_session_and_what_it_had_confirmed(site: Scene) -> None:
    browser, other = await site.person(), await site.person()
    answer = await browser.post("/api/admin/start-path", {"choice": "setup_new"})
    intent, workflow = answer.json["setup_intent_id"], answer.json["setup_workflow_id"]
    left = await browser.post("/api/admin/auth/logout")
    assert (left.status, left.json["authenticated"]) == (200, False)
    assert (await browser.get("/api/admin/console")).error == (401, "not_authenticated")
    assert (await other.get("/api/admin/console")).status == 200
    await browser.sign_in()
    tag = (await browser.get("/api/setup/releases")).json["builds"][0]["system_tag"]
    body = {"tag": tag, "setup_workflow_id": workflow}
    spent = await browser.post("/api/setup/releases/prepare", body, X_Setup_Intent_ID=intent)
    assert spent.error == (409, "setup_intent_workflow_mismatch")


async def test_a_session_goes_on_with_another_look_at_it(browser: Browser) -> None:
    again = await browser.post("/api/admin/auth/refresh")
    assert (again.status, again.json["csrf_token"]) == (200, browser.csrf)


async def test_signing_in_anew_ends_the_session_that_the_browser_had(site: Scene) -> None:
    browser = await site.person()
    await browser.sign_in()
    assert len(site.desk.sessions.kept) == 1
