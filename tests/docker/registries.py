"""Registries that fail in ways a whole one does not: a silent one, and one that hangs up in the middle of a layer.

Both stand on the loopback of the lab's plot, where the engine needs no certificate.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from tests.lab.plot import Plot

SILENT: Final = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
kept = []
while True:
    kept.append(server.accept())
"""
HANGS_UP: Final = """
import http.client, http.server
class Half(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_HEAD(self): self.answer(body=False)
    def do_GET(self): self.answer(body=True)
    def answer(self, body):
        behind = http.client.HTTPConnection("127.0.0.1", 5000)
        behind.request(self.command, self.path, headers={k: v for k, v in self.headers.items() if k == "Accept"})
        answer = behind.getresponse()
        data = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        if "/blobs/" in self.path and len(data) > 4096:
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
            server.socket.close()
            import os
            self.wfile.flush()
            os._exit(0)
        self.wfile.write(data)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Half)
print(server.server_port, flush=True)
server.serve_forever()
"""


@contextlib.contextmanager
def a_registry_that(script: str, plot: Plot) -> Iterator[str]:
    """Run a registry, and give its address as the engine names it."""
    command = plot.inside(sys.executable, "-c", script)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as program:
        assert program.stdout is not None
        try:
            yield f"127.0.0.1:{int(program.stdout.readline())}"
        finally:
            program.kill()
