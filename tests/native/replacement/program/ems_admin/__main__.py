"""As much of an Admin as its replacement sees: the site lock, a page with its script, and its health.

`serve --state DIR --listen 127.0.0.1:PORT`, `updater --data-dir DIR --operation ID --attempt N …`, `--version`. How its
build behaves stands in `build.json` beside it.
"""

import fcntl
import http.server
import json
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

BUILD = json.loads(Path(__file__).with_name("build.json").read_text())
CHECKS = dict.fromkeys(("assets", "read_model", "events", "records"), "ok")


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        said = {
            "build_id": BUILD["build_id"],
            "revision": BUILD["revision"],
            "started_for": os.environ.get("EMS_ADMIN_STARTED_FOR"),
            "checks": CHECKS | ({"records": "failed"} if BUILD["way"] == "unwell" else {}),
        }
        pages = {
            "/": b'<!doctype html><script src="/app.js"></script>',
            "/app.js": b"1",
            "/api/admin/health": json.dumps(said).encode(),
        }
        body = pages.get(self.path)
        self.send_response(404 if body is None else 200)
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


def end(_number: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def update(words: dict[str, str]) -> None:
    """Hold the lock of an updater until somebody asks for the end."""
    name = f".updater-{words['--operation']}-{words['--attempt']}.lock"
    with (Path(words["--data-dir"]) / "state" / name).open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        while True:
            signal.pause()


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"ems-admin, build {BUILD['build_id'] if BUILD['way'] != 'mute' else '?'}\n")
        return
    words = dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True))
    if BUILD["way"] == "exits":
        sys.stdout.write("no such table: devices, password=hunter2\n")
        sys.exit(7)
    if BUILD["way"] != "stubborn":
        signal.signal(signal.SIGTERM, end)
    else:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.argv[1] == "updater":
        update(words)
    lock = (Path(words["--state"]) / ".site.lock").open("a+")
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock.truncate(0)
    lock.write(json.dumps({"instance": "0", "container": None, "process": os.getpid(), "started_at": time.ctime()}))
    lock.flush()
    host, _, port = words["--listen"].rpartition(":")
    http.server.HTTPServer.allow_reuse_address = True
    http.server.HTTPServer((host, int(port)), Handler).serve_forever()


main()
