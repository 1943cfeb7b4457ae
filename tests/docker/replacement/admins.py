"""Admins that are a static busybox: each serves three files, or does what is wrong with it."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import pytest

from tests.docker.replacement.launching import Engine, make_image
from tests.lab.asking import Api, EngineError
from tests.lab.context import tar
from tests.stores.records import TRANSITION

OLD, NEW = "1.0.0-old", "1.1.0-new"
ADMIN: Final = """\
#!/bin/sh
test "$1" = updater && exec sleep 100000
case "$TRIAL" in
  exits) echo "no such table: devices, password=hunter2"; exit 7 ;;
  mute) exec sleep 100000 ;;
esac
busybox mkdir -p /www/api/admin && cd /www || exit 9
echo '<!doctype html><script src="/app.js"></script>' > index.html
test "$TRIAL" = bare || echo 'hello()' > app.js
checks='"records": "ok"'
test "$TRIAL" = unwell && checks='"records": "failed"'
who="\\"build_id\\": \\"$BUILD\\", \\"revision\\": \\"$REVISION\\", \\"started_for\\": \\"$EMS_ADMIN_STARTED_FOR\\""
echo "{$who, \\"checks\\": {$checks}}" > api/admin/health
trap 'exit 0' TERM
busybox httpd -f -p 8090 -h /www &
wait
"""


def admin_image(api: Api, name: str, *, build_id: str, revision: str, trial: str = "") -> str:
    """Make an Admin that serves three files, or does what is wrong with it, and give its image id."""
    tag = f"ems-admin-moving:{name}"
    make_image(api, f"{tag}-bare", build_id=build_id, program=ADMIN)
    said = f"ENV BUILD={build_id} REVISION={revision} TRIAL={trial}\nEXPOSE 8090\nSTOPSIGNAL SIGTERM"
    return derived(api, tag, f"FROM {tag}-bare\n{said}\n")


def derived(api: Api, tag: str, recipe: str) -> str:
    """Build an image from a recipe of its own, and give its id."""
    api.stream("build", tar({"Dockerfile": recipe.encode()}), t=tag, forcerm="1")
    found = api.image(tag)
    assert found is not None
    made: str = found["Id"]
    return made


def is_cleared(api: Api) -> bool:
    """Remove every container; an engine that has just been started may hang up, and is asked again."""
    with suppress(OSError, EngineError):
        for row in api.containers():
            api.remove(row["Id"])
        return True
    return False


@pytest.fixture(scope="session")
def admin_images(small_engine: Engine) -> dict[str, str]:
    """Make the images of all Admins, the old one and the new ones."""
    small_engine.dockerd.ensure_running()
    api, revision = small_engine.api, TRANSITION.revision
    trials = {"good": "", "exits": "exits", "mute": "mute", "bare": "bare", "unwell": "unwell"}
    new = {name: admin_image(api, name, build_id=NEW, revision=revision, trial=trial) for name, trial in trials.items()}
    return {"old": admin_image(api, "old", build_id=OLD, revision="0" * 40), **new}
