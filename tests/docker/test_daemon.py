"""A daemon that cannot be asked is told apart from every answer it gives, and never waited for longer than allowed.

Source: `site.md` 8; `faults.md` D1, F19.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from aiodocker.exceptions import DockerError

from ems_admin.docker.containers import look
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.machines.codes import Code
from tests.codes_heard import said_elsewhere

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
SOON = timedelta(seconds=0.3)
NOBODY = 65534


@asynccontextmanager
async def answering(socket: Path, answer: Answer) -> AsyncIterator[Daemon]:
    answered: set[asyncio.Task[None]] = set()

    async def answer_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.close()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answered.add(asyncio.ensure_future(answer_and_close(reader, writer)))

    server = await asyncio.start_unix_server(begin, socket)
    try:
        yield Daemon(f"unix://{socket}")
    finally:
        server.close()
        await asyncio.gather(*answered)


async def code_of(daemon: Daemon, limit: timedelta = SOON) -> Code:
    with pytest.raises(UnaskedError) as caught:
        async with daemon.asked(limit) as docker:
            await docker.version()
    return caught.value.code


async def says(writer: asyncio.StreamWriter, status: str, said: object) -> None:
    body = json.dumps(said).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


async def test_no_socket_is_a_socket_that_is_not_mounted(tmp_path: Path) -> None:
    assert await code_of(Daemon(f"unix://{tmp_path}/docker.sock")) is Code.DOCKER_SOCKET_NOT_MOUNTED


async def test_a_socket_that_nobody_listens_at_is_an_unreachable_daemon(tmp_path: Path) -> None:
    async with answering(tmp_path / "docker.sock", lambda _reader, writer: says(writer, "200 OK", {})) as daemon:
        pass
    (tmp_path / "docker.sock").touch()
    assert await code_of(daemon) is Code.DOCKER_DAEMON_UNREACHABLE


async def test_a_daemon_that_hangs_is_given_up_in_time(tmp_path: Path) -> None:
    """`faults.md` F19: each engine call has a time limit."""

    async def hang(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with answering(tmp_path / "docker.sock", hang) as daemon:
        before = time.monotonic()
        assert await code_of(daemon) is Code.DOCKER_DAEMON_UNREACHABLE
        assert time.monotonic() - before < 2


async def test_a_daemon_that_drops_the_connection_has_not_answered(tmp_path: Path) -> None:
    async def drop(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        """Say nothing at all."""

    async with answering(tmp_path / "docker.sock", drop) as daemon:
        assert await code_of(daemon) is Code.DOCKER_DAEMON_UNREACHABLE


async def test_a_daemon_that_ends_in_the_middle_of_its_words_has_not_answered(tmp_path: Path) -> None:
    async def break_off(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"Api')

    async with answering(tmp_path / "docker.sock", break_off) as daemon:
        assert await code_of(daemon) is Code.DOCKER_DAEMON_UNREACHABLE


async def test_an_error_that_the_daemon_answers_is_an_answer(tmp_path: Path) -> None:
    async def refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await says(writer, "500 Internal Server Error", {"message": "no"})

    async with answering(tmp_path / "docker.sock", refuse) as daemon:
        with pytest.raises(DockerError):
            async with daemon.asked() as docker:
                await docker.version()


async def test_only_not_found_from_a_daemon_that_answers_means_absent(tmp_path: Path) -> None:
    """`faults.md` D1."""

    async def miss(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).decode()
        if "/containers/" in asked:
            await says(writer, "404 Not Found", {"message": "No such container"})
        else:
            await says(writer, "200 OK", {"ApiVersion": "1.41"})

    async with answering(tmp_path / "docker.sock", miss) as daemon, daemon.asked() as docker:
        assert await look(docker, "gone") is None


async def test_a_socket_that_may_not_be_used_says_so(tmp_path: Path) -> None:
    """As somebody without a right to it: root may use every socket."""
    told = (
        "import asyncio, os, sys\n"
        "from ems_admin.docker.daemon import Daemon, UnaskedError\n"
        "from aiodocker import Docker\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "async def ask():\n"
        "    try:\n"
        "        async with Daemon(sys.argv[1]).asked() as docker:\n"
        "            await docker.version()\n"
        "    except UnaskedError as error:\n"
        "        print(error.code)\n"
        "asyncio.run(ask())\n"
    )
    if os.getuid() != 0:
        told = told.replace("os.setgroups([]); ", "").replace(f"os.setgid({NOBODY}); os.setuid({NOBODY})", "pass")
    for folder in (tmp_path, *tmp_path.parents[:2]):
        os.chmod(folder, 0o755)  # noqa: PTH101  # in an async test
    async with answering(tmp_path / "docker.sock", lambda _reader, writer: says(writer, "200 OK", {})) as daemon:
        os.chmod(tmp_path / "docker.sock", 0)  # noqa: PTH101  # in an async test
        command = (sys.executable, "-c", told, daemon.host)
        said = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    assert said_elsewhere(said.stdout.strip()) == Code.DOCKER_PERMISSION_DENIED


async def test_the_version_is_asked_once_and_again_after_every_silence(tmp_path: Path) -> None:
    """A daemon that came back may be another one."""
    asked: list[str] = []

    async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                asked.append((await reader.readuntil(b"\r\n\r\n")).decode().split()[1])
                await says(writer, "200 OK", {"ApiVersion": "1.41"})

    async def look_twice() -> None:
        for _ in range(2):
            async with daemon.asked() as docker:
                await docker.system.info()

    async with answering(tmp_path / "docker.sock", tell) as daemon:
        await look_twice()
    os.unlink(tmp_path / "docker.sock")  # noqa: PTH108  # in an async test
    assert await code_of(daemon) is Code.DOCKER_SOCKET_NOT_MOUNTED
    async with answering(tmp_path / "docker.sock", tell):
        await look_twice()
    assert asked == ["/version", "/v1.41/info", "/v1.41/info"] * 2
