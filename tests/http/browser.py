"""A browser before a real server: one cookie jar, one CSRF token, and the habits of the console."""

from __future__ import annotations

import asyncio
import io
import json
import time
from collections.abc import Mapping
from typing import Any

import aiohttp
from attrs import define, field

from tests.http import described

PASSWORD = "correct horse"

Body = Mapping[str, Any]


@define
class Answer:
    """One answer, read to its end."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.data)
        return value

    @property
    def error(self) -> tuple[int, str | None]:
        """Status and code, as the claims of the tests say them."""
        return self.status, self.json.get("error")


@define
class Browser:
    """One tab. `ask` sends just what it is told, `get` and `post` send what a signed-in console sends."""

    url: str
    http: aiohttp.ClientSession = field(
        factory=lambda: aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
    )
    csrf: str | None = None

    async def ask(
        self, method: str, path: str, body: Body | bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        data = json.dumps(body).encode() if isinstance(body, Mapping) else body
        # The client lets nobody wait for a megabyte in one piece.
        sent = io.BytesIO(data) if data is not None and len(data) > 1 << 20 else data
        async with self.http.request(method, self.url + path, data=sent, headers=headers) as response:
            answer = Answer(response.status, dict(response.headers), await response.read())
        described.hold(method, path, answer.status, answer.data, answer.headers.get("Content-Type", ""))
        return answer

    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def post(self, path: str, body: Body | bytes | None = None, **headers: str) -> Answer:
        token = {} if self.csrf is None else {"X-CSRF-Token": self.csrf}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.ask("POST", path, body if body is not None else {}, {**token, **named})

    async def sign_in(self) -> Browser:
        """Choose the password if nobody has, and sign in."""
        status = await self.get("/api/admin/auth/status")
        if status.json["auth_configured"]:
            answer = await self.post("/api/admin/auth/login", {"password": PASSWORD})
        else:
            body = {"password": PASSWORD, "confirm_password": PASSWORD}
            answer = await self.post("/api/admin/auth/setup", body)
        assert answer.status == 200, answer.data
        self.csrf = answer.json["csrf_token"]
        return self

    async def close(self) -> None:
        await self.http.close()

    async def ended(self, job: Answer, limit: float = 60.0) -> dict[str, Any]:
        """Poll a job to its end."""
        assert job.status == 202, job.data
        deadline = time.monotonic() + limit
        while True:
            found = (await self.get(f"/api/admin/jobs/{job.json['id']}")).json
            if found["status"] != "running":
                return found
            assert time.monotonic() < deadline, found
            await asyncio.sleep(0.02)


@define
class Setup:
    """A person who goes through Guided Setup. Each step gives the answer of its request."""

    browser: Browser
    tag: str = ""
    workflow_id: str = ""
    intent_id: str = ""
    preview_id: str = ""
    draft: dict[str, Any] = field(factory=dict)

    async def begin(self, *, confirm: bool = False) -> Answer:
        builds = (await self.browser.get("/api/setup/releases")).json["builds"]
        self.tag = builds[0]["system_tag"]
        answer = await self.browser.post("/api/admin/start-path", {"choice": "setup_new", "confirm": confirm})
        self.workflow_id, self.intent_id = answer.json["setup_workflow_id"], answer.json["setup_intent_id"]
        return answer

    async def ask_for_build(self, route: str = "/api/setup/releases/prepare") -> Answer:
        body = {"tag": self.tag, "setup_workflow_id": self.workflow_id}
        return await self.browser.post(route, body, X_Setup_Intent_ID=self.intent_id)

    async def build(self) -> dict[str, Any]:
        job = await self.browser.ended(await self.ask_for_build())
        assert job["status"] == "succeeded", job
        self.draft = (await self.browser.get("/api/setup/config/schema")).json["example"]
        return job

    async def preview(self, **change: Any) -> Answer:
        body = {"setup_workflow_id": self.workflow_id, **self.draft, **change}
        answer = await self.browser.post("/api/setup/config-preview", body)
        self.preview_id = answer.json.get("config_preview_id", "")
        return answer

    @property
    def mutation(self) -> dict[str, Any]:
        return {"setup_workflow_id": self.workflow_id, "config_preview_id": self.preview_id, **self.draft}

    async def write(self) -> Answer:
        return await self.browser.post("/api/setup/config/write", self.mutation)

    async def prepare(self) -> Answer:
        return await self.browser.post("/api/setup/deployment/prepare", {"setup_workflow_id": self.workflow_id})

    async def start(self) -> Answer:
        return await self.browser.post("/api/setup/deployment/start", {"setup_workflow_id": self.workflow_id})

    async def to_preview(self) -> Setup:
        """Walk until a preview is issued."""
        await self.begin()
        await self.build()
        answer = await self.preview()
        assert answer.json["ready"], answer.data
        return self
