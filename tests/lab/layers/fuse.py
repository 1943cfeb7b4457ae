"""Inside the Admins of the lab: a fuse that kills (SIGKILL) or holds the process at one point that a test has chosen.

The test lays `<install root>/lab/fuse.json`; without it nothing here ever happens:

    {"role": "admin" | "updater", "build": BUILD_ID | null, "point": POINT, "does": "kill" | "hold", "times": 1}

    record:NAME:before|after:WHICH    around a commit of the record file NAME (`.json` may be left out). WHICH is the
                                      number of that commit in this process, from 1; or `field=value`, where `field` may
                                      be a path such as `attempts.-1.outcome`; or `removed`.
    call:FUNCTION:before|after:N      around the N-th call of `ems_admin.….function` or `ems_admin.….Class.method`

Numbers count from when the fuse was laid, or from when the process began. A function outside of `ems_admin.docker` is
only seen by a process that began after the fuse was laid.

A fuse burns once, or in so many processes one after the other, and then at the points that `then` lists. When it has
burnt for the last time it is renamed to `burnt.json`, durably, before the process dies. One that holds is renamed to
`held.json`, and the thread that has come to the point stands still until that file is gone.
"""

from __future__ import annotations

import functools
import importlib.abc
import importlib.machinery
import inspect
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

ATOMIC = "ems_admin.stores.atomic"
WIRED = "ems_admin.docker."
PACKAGE = "ems_admin"
_passed: Counter[str] = Counter()


def lay() -> None:
    """Wait for the modules that a point lies in."""
    sys.meta_path.insert(0, _Finder())


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules as ever, and puts the fuse into those that are run through."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if not fullname.startswith(PACKAGE):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            really = spec.loader.exec_module

            def execute(module: ModuleType) -> None:
                really(module)
                _wire(module)

            spec.loader.exec_module = execute  # type: ignore[method-assign]
        return spec


def _wire(module: ModuleType) -> None:
    if module.__name__ == ATOMIC:
        for name in ("replace", "remove"):
            setattr(module, name, _around_commit(getattr(module, name)))
    kind, where = _laid_point()[:2]
    if module.__name__.startswith(WIRED):
        _wire_all(module, module.__name__, module.__name__)
    elif kind == "call" and where.startswith(f"{module.__name__}."):
        _wire_call(module, where.removeprefix(f"{module.__name__}.").split("."), where)


def _wire_all(owner: Any, home: str, path: str) -> None:
    """Wire the functions and methods that a module defines itself."""
    for name, found in list(vars(owner).items()):
        if getattr(found, "__module__", None) != home or name.startswith("__"):
            continue
        if inspect.isclass(found) and inspect.ismodule(owner):
            _wire_all(found, home, f"{path}.{name}")
        elif inspect.isfunction(found):
            setattr(owner, name, _around_call(found, f"{path}.{name}"))


def _wire_call(owner: Any, path: list[str], where: str) -> None:
    for name in path[:-1]:
        owner = getattr(owner, name, None)
    function = inspect.getattr_static(owner, path[-1], None) if owner is not None else None
    if callable(function):
        setattr(owner, path[-1], _around_call(function, where))


def _around_commit(really: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(really)
    def commit(place: Any, data: bytes | None = None, **more: Any) -> Any:
        name = place.name.removesuffix(".json")
        _laid()  # whether to count anew
        number = _passed[name] = _passed[name] + 1
        _come_to("record", name, "before", number, data)
        done = really(place, data, **more) if really.__name__ == "replace" else really(place, **more)
        _come_to("record", name, "after", number, data)
        return done

    return commit


def _around_call(really: Any, where: str) -> Any:
    @functools.wraps(really)
    async def later(*args: Any, **kwargs: Any) -> Any:
        number = _enter(where)
        done = await really(*args, **kwargs)
        _come_to("call", where, "after", number, None)
        return done

    @functools.wraps(really)
    def now(*args: Any, **kwargs: Any) -> Any:
        number = _enter(where)
        done = really(*args, **kwargs)
        _come_to("call", where, "after", number, None)
        return done

    return later if inspect.iscoroutinefunction(really) else now


def _enter(where: str) -> int:
    _laid()  # whether to count anew
    number = _passed[where] = _passed[where] + 1
    _come_to("call", where, "before", number, None)
    return number


def _come_to(kind: str, where: str, when: str, number: int, data: bytes | None) -> None:
    """Burn if this is the point."""
    laid = _laid()
    if laid is None or not _is_meant(laid):
        return
    wanted_kind, wanted_where, wanted_when, which = _laid_point()
    if (kind, where, when) == (wanted_kind, wanted_where.removesuffix(".json"), wanted_when) and _fits(
        which, number, data
    ):
        _burn(laid)


def _fits(which: str, number: int, data: bytes | None) -> bool:
    if which.isdigit():
        return number == int(which)
    if which == "removed":
        return data is None
    field, _, wanted = which.partition("=")
    try:
        found = json.loads(data or b"null")
        for part in field.split("."):
            found = found[int(part) if isinstance(found, list) else part]
    except (ValueError, LookupError, TypeError):
        return False
    return str(found) == wanted


def _is_meant(laid: dict[str, Any]) -> bool:
    role = "updater" if "updater" in sys.argv[1:] else "admin" if "serve" in sys.argv[1:] else "other"
    build = laid.get("build")
    own = json.loads(Path(__file__).with_name(PACKAGE).joinpath("build.json").read_bytes())
    return role == laid["role"] and build in {None, own["build_id"]}


def _burn(laid: dict[str, Any]) -> None:
    folder = _folder()
    assert folder is not None
    holds, left = laid.get("does") == "hold", laid.get("times", 1) - 1
    burnt = folder / ("held.json" if holds else "burnt.json")
    try:
        (folder / "fuse.json").rename(burnt)
    except FileNotFoundError:
        return  # it has just burnt in another process
    next_point, *later = laid.get("then") or [None]
    if left or next_point:
        following = {"times": left} if left else {"point": next_point, "then": later, "times": 1}
        burnt.write_text(json.dumps({**laid, **following}))
        burnt.rename(folder / "fuse.json")
    flushed = os.open(folder, os.O_RDONLY)
    os.fsync(flushed)
    if not holds:
        os.kill(os.getpid(), signal.SIGKILL)
        # The first process of a container is deaf to itself: this ends it just as abruptly.
        os._exit(128 + signal.SIGKILL)
    while burnt.exists():
        time.sleep(0.02)


def _laid_point() -> tuple[str, str, str, str]:
    laid = _laid() or {"point": ":::"}
    kind, where, when, which = laid["point"].split(":", 3)
    return kind, where, when, which


def _laid() -> dict[str, Any] | None:
    folder = _folder()
    try:
        if folder is None:
            return None
        with (folder / "fuse.json").open("rb") as file:
            laid: dict[str, Any] = json.load(file)
            _count_from(os.fstat(file.fileno()))
    except FileNotFoundError:
        return None
    return laid


def _count_from(laid: os.stat_result) -> None:
    """Begin to count anew when another fuse is laid."""
    key = f"laid {laid.st_ino} {laid.st_mtime_ns}"
    if key not in _passed:
        _passed.clear()
        _passed[key] = 1


def _folder() -> Path | None:
    """Find the folder of the test below the install root that this process was given."""
    words = sys.argv[1:]
    given = [second for first, second in pairwise(words) if first == "--install-root"]
    given += [word.partition("=")[2] for word in words if word.startswith("--install-root=")]
    root = next(iter(given), os.environ.get("EMS_ADMIN_INSTALL_ROOT"))
    return Path(root) / "lab" if root else None
