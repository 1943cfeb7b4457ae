"""A small service that is good or bad in the way its environment asks for. Runs from a program tree, stands alone."""

import os
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WAY = os.environ.get("WAY", "good")
PAGES = {"/": b'<html><script src="/chart.js"></script></html>', "/chart.js": b"draw();"}


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/health":
            self.reply(503 if WAY == "unhealthy" else 200, b"{}")
        elif self.path in PAGES and not (WAY == "no_script" and self.path == "/chart.js"):
            self.reply(200, PAGES[self.path])
        else:
            self.reply(404, b"")

    def reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        pass


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    config, port = sys.argv[1], int(sys.argv[2])
    say(f"reading {config}, the password: hunter2")
    if WAY == "exits":
        say("the config is not to my liking")
        sys.exit(3)
    if WAY == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if WAY == "parent":
        # Ends with its parent's session unharmed: only its mark tells whose it is.
        subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"], start_new_session=True)
    if WAY == "silent":
        signal.pause()
    ThreadingHTTPServer(("127.0.0.1", port), Answers).serve_forever()


main()
