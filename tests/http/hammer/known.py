"""What the crowd knows of the site: every id that anybody was given, shared, so that they get in one another's way."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random
from typing import Any

from attrs import define, field

from tests.http.browser import Answer, Body

KEPT = 6
CREATING = frozenset(
    {
        "/api/setup/releases/prepare",
        "/api/setup/automated/releases/prepare",
        "/api/setup/system-build/confirm",
        "/api/setup/system-build/update-admin",
    }
)
ENDING = frozenset({"/api/setup/system-build/supersede"})


@define
class Known:
    """Mutable: everybody adds what an answer has told."""

    random: Random
    own_tag: str
    tags: tuple[str, ...]
    draft: dict[str, Any] = field(factory=dict)
    ids: dict[str, list[str]] = field(factory=lambda: defaultdict(list))
    """The latest few of each kind of id, so that stale ones are used as well."""
    one_shots: dict[tuple[str, str], set[str]] = field(factory=lambda: defaultdict(set))
    """By kind and id of what may be used once: whatever it has brought about."""
    statuses: Counter[int] = field(factory=Counter)
    codes: Counter[str] = field(factory=Counter)
    asked: Counter[str] = field(factory=Counter)
    granted: Counter[str] = field(factory=Counter)

    def one(self, kind: str) -> str:
        """Give an id of this kind, mostly the newest one."""
        known = self.ids[kind] or ["0" * 32]
        return known[-1] if self.random.random() < 0.9 else self.random.choice(known)

    def tag(self) -> str:
        return self.own_tag if self.random.random() < 0.7 else self.random.choice((*self.tags, "v9.9.9", "latest"))

    def learn(self, path: str, body: Body, headers: dict[str, str], answer: Answer) -> None:
        """Take in what an answer says, and what it brought about."""
        self.statuses[answer.status] += 1
        self.asked[path] += 1
        if not answer.headers.get("Content-Type", "").startswith("application/json"):
            return
        said = answer.json
        if answer.status >= 400:
            self.codes[said["error"]] += 1
            return
        self.granted[path] += 1
        self._remember(said)
        if path in CREATING and answer.status == 202:
            self.one_shots["intent", headers["X_Setup_Intent_ID"]].add(said["id"])
        if path == "/api/setup/config/apply":
            self.one_shots["preview", body["config_preview_id"]].add(f"apply {len(self.granted)} {self.granted[path]}")
        if path in ENDING:
            self.one_shots["end", body["setup_workflow_id"]].add(said["setup_workflow_id"])

    def _remember(self, said: dict[str, Any]) -> None:
        self._keep("workflow", said.get("setup_workflow_id"))
        self._keep("intent", said.get("setup_intent_id"))
        self._keep("preview", said.get("config_preview_id"))
        self._keep("operation", said.get("operation_id"))
        self._keep("fingerprint", said.get("fingerprint"))
        if "steps" in said:
            self._keep("job", said.get("id"))
        if isinstance(transition := said.get("transition"), dict):
            self._keep("operation", transition.get("operation_id"))
        if "revision" in said:
            self._keep("revision", said["revision"])

    def _keep(self, kind: str, value: Any) -> None:
        if isinstance(value, str) and value not in self.ids[kind]:
            self.ids[kind] = [*self.ids[kind], value][-KEPT:]
