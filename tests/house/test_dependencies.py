"""Every direct dependency has its reason, and is locked."""

import re
import tomllib

from tests.house.tracked import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = {"requirements.lock": PROJECT["project"]["dependencies"]} | {
    f"requirements-{group}.lock": lines for group, lines in PROJECT["dependency-groups"].items()
}


def packages(lines: list[str]) -> set[str]:
    return {re.split(r"[<>=!~ \[;]", line)[0] for line in lines}


def test_every_dependency_has_a_reason_and_every_reason_a_dependency() -> None:
    page = (ROOT / "docs/dependencies.md").read_text()
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        lock = re.search(r"`(requirements\S*\.lock)`", section.splitlines()[0])
        if lock:
            reasons = dict(re.findall(r"^\| ([a-z0-9-]+) \| (.{15,}) \|$", section, re.MULTILINE))
            reasons.pop("package", None)
            assert set(reasons) == packages(GROUPS.pop(lock.group(1)))
    assert not GROUPS


def test_every_dependency_is_locked() -> None:
    locked = {
        name.removesuffix(".lock"): set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-build.lock", "requirements-node.lock", "requirements-dev.lock")
    }
    assert packages(PROJECT["project"]["dependencies"]) <= locked["requirements"]
    for group, lines in PROJECT["dependency-groups"].items():
        assert packages(lines) <= locked[f"requirements-{group}"]


def test_the_backend_is_the_one_that_is_locked() -> None:
    (backend,) = PROJECT["build-system"]["requires"]
    assert backend in (ROOT / "requirements-build.lock").read_text()
