"""Who comes in. Source: `http.md` 5.2, 5.3 (Access)."""

from __future__ import annotations

from typing import Any, Final, NotRequired, TypedDict

from attrs import evolve, field, frozen

from ems_admin.http.health import Health, health
from ems_admin.http.route import Asked, Granted, Nothing, Outside, SignedIn, SignedOut, get, post
from ems_admin.http.sessions import Session
from ems_admin.workflows import access
from ems_admin.workflows.ports.access import PasswordFile

AUTH: Final = "/api/admin/auth"

RECOVERY: Final = {
    PasswordFile.UNREADABLE: "unreadable",
    PasswordFile.MALFORMED: "malformed",
    PasswordFile.UNSUPPORTED_FORMAT: "unsupported_format",
}


@frozen(kw_only=True)
class FirstPassword:
    """The first visitor's choice."""

    password: str = field(repr=False)
    confirm_password: str = field(repr=False)
    code: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Login:
    """Who signs in. There is one person yet, and no second factor: both may be named and are not asked for."""

    password: str = field(repr=False)
    name: str | None = None
    second_factor: str | None = field(default=None, repr=False)


class Standing(TypedDict):
    """How this Admin is to be entered; the last three are there for whoever is signed in."""

    admin_instance_id: str
    auth_configured: bool
    setup_code_required: bool
    recovery_required: str | None
    authenticated: bool
    role: NotRequired[str]
    csrf_token: NotRequired[str]
    session_expires_in_seconds: NotRequired[int]


async def status(asked: Asked[Nothing, Nothing], session: Session | None = None) -> Granted[Standing]:
    """Say how this Admin is to be entered, and for whom it is open."""
    known = session or asked.session
    file = await asked.house.passwords.state()
    answer: Standing = {
        "admin_instance_id": asked.house.instance_id,
        "auth_configured": file is not PasswordFile.ABSENT,
        "setup_code_required": file is PasswordFile.ABSENT and not asked.visitor.at_the_machine,
        "recovery_required": RECOVERY.get(file),
        "authenticated": known is not None,
    }
    if known is not None:
        answer["role"] = str(known.caller.scope)
        answer["csrf_token"] = known.csrf_token
        answer["session_expires_in_seconds"] = int(known.left(asked.desk.sessions.now()).total_seconds())
    return Granted(answer)


async def setup(asked: Asked[FirstPassword, Nothing]) -> Granted[Standing]:
    """Take the first password and sign its person in."""
    request = access.FirstPassword(
        password=asked.body.password,
        confirm_password=asked.body.confirm_password,
        code=asked.body.code,
        at_the_machine=asked.visitor.at_the_machine,
    )
    await access.first_password(asked.house, asked.desk.setup_code, request)
    return await signed_in(asked)


async def login(asked: Asked[Login, Nothing]) -> Granted[Standing]:
    """Sign in."""
    await access.check_password(asked.house, asked.body.password)
    return await signed_in(asked)


async def signed_in(asked: Asked[Any, Nothing]) -> Granted[Standing]:
    """Open a session; the one that the browser brought along ends with it."""
    if asked.session is not None:
        asked.desk.sessions.end(asked.session)
    session = asked.desk.sessions.open(asked.visitor)
    answer = await status(asked, session)
    return Granted(answer.value, session=SignedIn(session_id=session.id))


async def logout(asked: Asked[Nothing, Nothing]) -> Granted[Standing]:
    """End the session, and with it what it had confirmed."""
    if asked.session is not None:
        await asked.house.intents.retire(asked.caller, bearer=asked.caller.name)
        asked.desk.sessions.end(asked.session)
    answer = await status(evolve(asked, session=None))
    return Granted(answer.value, session=SignedOut())


async def refresh(asked: Asked[Nothing, Nothing]) -> Granted[Standing]:
    """Go on with the session: asking is using it."""
    return await status(asked)


async def healthy(asked: Asked[Nothing, Nothing]) -> Granted[Health]:
    """Check every part of this Admin."""
    return Granted(await health(asked.desk))


ROUTES: Final = (
    get("/api/admin/health", "Whether this Admin works, part by part", healthy, public=True, any_origin=True),
    get(f"{AUTH}/status", "How to sign in, and who is", status, public=True, any_origin=True),
    post(
        f"{AUTH}/setup",
        "Choose the first password",
        setup,
        Outside.SIGNS_IN,
        body=FirstPassword,
        public=True,
        guesses=True,
    ),
    post(f"{AUTH}/login", "Sign in", login, Outside.SIGNS_IN, body=Login, public=True, guesses=True),
    post(f"{AUTH}/logout", "Sign out", logout, Outside.SIGNS_IN),
    post(f"{AUTH}/refresh", "Go on with the session", refresh, Outside.SIGNS_IN),
)
