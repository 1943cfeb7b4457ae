"""A person without a browser: signs in and asks over HTTP what the console would ask."""

import http.client
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.deadline import until

PASSWORD = "a roof full of sun"  # of a demo that lives for seconds
Answer = dict[str, Any]


class Visitor:
    """One session with one Admin."""

    def __init__(self, url: str) -> None:
        self._address = urlsplit(url).netloc
        self._headers: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)[1]

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        """Ask for something, and expect it to be granted."""
        status, answer = self.tries(path, body, **headers)
        assert answer["ok"], (path, status, answer)
        return answer

    def tries(self, path: str, body: object = None, **headers: str) -> tuple[int, Answer]:
        """Ask for something that may be refused."""
        return self._ask("POST", path, {} if body is None else body, headers)

    def enter(self, code: str | None = None) -> "Visitor":
        """Sign in, as the first visitor when nobody was there before; from elsewhere that takes the one-time code."""
        first = not self.get("/api/admin/auth/status")["auth_configured"]
        repeated = {"confirm_password": PASSWORD} if first else {}
        repeated |= {"code": code} if first and code else {}
        path = f"/api/admin/auth/{'setup' if first else 'login'}"
        self._headers["X-CSRF-Token"] = self.post(path, {"password": PASSWORD, **repeated})["csrf_token"]
        return self

    def console(self) -> Answer:
        """Give the read model."""
        return self.get("/api/admin/console")

    def stage(self) -> str | None:
        """Give the stage of the operation, `None` when there is none."""
        transition = self.console()["alignment"]["transition"]
        return None if transition is None else str(transition["stage"])

    def jobs(self, kind: str) -> list[Answer]:
        return [job for job in self.console()["jobs"] if job["kind"] == kind]

    def until_job(self, job_id: str, so: Callable[[Answer], bool], what: str) -> Answer:
        """Follow a job until something can be said of it."""

        def look() -> Answer | None:
            job = self.get(f"/api/admin/jobs/{job_id}")
            return job if so(job) else None

        found = until(look, f"job: {what}")
        assert found is not None
        return found

    def until_done(self, job_id: str) -> Answer:
        """Follow a job to its end, which has to be a good one."""
        job = self.until_job(job_id, lambda job: job["status"] != "running", "it has ended")
        assert job["status"] == "succeeded", job
        return job

    def _ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Answer]:
        connection = http.client.HTTPConnection(self._address, timeout=30)
        try:
            data = None if body is None else json.dumps(body)
            sent = {"Content-Type": "application/json", **self._headers, **(headers or {})}
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            if cookie := answer.getheader("Set-Cookie"):
                self._headers["Cookie"] = cookie.partition(";")[0]
            read: Answer = json.loads(answer.read())
            return answer.status, read
        finally:
            connection.close()
