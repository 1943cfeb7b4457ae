"""Sources: a real server over TLS on loopback, with a certificate that only this test trusts; and folders."""

import asyncio
import ssl
import subprocess
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import pytest
from aiohttp import web
from attrs import evolve
from yarl import URL

from ems_admin.builds.sources import UrlSource, opened, source_at
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest
from ems_admin.workflows.ports.builds import BuildFailure, Resources
from tests.builds.sample import NOW, OWN, published
from tests.builds.test_releases import Heard, builds, code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "catalogue").mkdir()
    return published(tmp_path / "catalogue", "v1.0.0", "v1.1.0")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("tls")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    made = ["-keyout", str(place / "key.pem"), "-out", str(place / "cert.pem"), "-days", "2", "-nodes"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", *subject, *made], check=True, capture_output=True)
    return place


class Server:
    """Serves a folder over TLS, and whatever a test puts in its way."""

    def __init__(self, folder: Path, certificate: Path) -> None:
        self.folder, self.certificate = folder, certificate
        self.status, self.failing = 200, ""
        self.location = ""
        self.asked: list[str] = []

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        if self.location:
            raise web.HTTPFound(self.location)
        if self.status != 200 and request.path.endswith(self.failing):
            return web.Response(status=self.status)
        return web.FileResponse(self.folder / request.path.rpartition("/")[2])

    async def start(self, *, tls: bool = True) -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/builds/{name}", self.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.certificate / "cert.pem", self.certificate / "key.pem")
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context if tls else None).start()
        return runner


@pytest.fixture
async def served(folder: Path, certificate: Path) -> AsyncIterator[tuple[Server, UrlSource]]:
    server = Server(folder, certificate)
    runner = await server.start()
    port = runner.addresses[0][1]
    trust = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    url = URL(f"https://127.0.0.1:{port}/builds")
    yield server, UrlSource(url=url, now=lambda: datetime.now(UTC), not_before=None, trust=trust)
    await runner.cleanup()


Served = tuple[Server, UrlSource]


async def test_a_build_comes_over_tls(tmp_path: Path, served: Served) -> None:
    server, source = served
    desk, heard = builds(tmp_path, source), Heard()
    assert isinstance(await desk.import_build("v1.1.0", heard), Manifest)
    assert isinstance(await desk.resources("v1.1.0"), Resources)
    assert server.asked == ["/builds/catalogue.json", "/builds/system-build-v1.1.0.tar.gz"]
    assert heard.told[0].step == "download"


async def test_the_address_of_the_catalogue_itself_is_the_same_source(tmp_path: Path, served: Served) -> None:
    _, source = served
    direct = evolve(source, url=source.url / "catalogue.json")
    assert await builds(tmp_path, direct).offered() == await builds(tmp_path, source).offered()


@pytest.mark.parametrize("status", [403, 404, 500, 503])
async def test_a_catalogue_that_does_not_answer_is_unreachable(tmp_path: Path, served: Served, status: int) -> None:
    server, source = served
    server.status = status
    assert code(await builds(tmp_path, source).offered())[0] is Code.RELEASE_SOURCE_UNREACHABLE


@pytest.mark.parametrize(
    ("status", "expected"), [(404, Code.SYSTEM_BUILD_UNAVAILABLE), (502, Code.RELEASE_SOURCE_UNREACHABLE)]
)
async def test_an_archive_that_is_gone_is_unavailable_and_one_that_fails_is_unreachable(
    tmp_path: Path, served: Served, status: int, expected: Code
) -> None:
    server, source = served
    server.status, server.failing = status, ".gz"
    assert code(await builds(tmp_path, source).resolve("v1.0.0"))[0] is expected


async def test_a_certificate_that_nobody_vouches_for_is_unreachable(tmp_path: Path, served: Served) -> None:
    _, source = served
    assert code(await builds(tmp_path, evolve(source, trust=True)).offered())[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_nobody_there_is_unreachable(tmp_path: Path, served: Served) -> None:
    _, source = served
    nobody = evolve(source, url=URL("https://127.0.0.1:1/builds"))
    assert code(await builds(tmp_path, nobody).offered())[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_a_way_out_of_tls_is_not_taken(tmp_path: Path, served: Served) -> None:
    server, source = served
    runner = await Server(server.folder, server.certificate).start(tls=False)
    server.location = f"http://127.0.0.1:{runner.addresses[0][1]}/builds/catalogue.json"
    answer = await builds(tmp_path, source).offered()
    await runner.cleanup()
    assert code(answer) == (Code.RELEASE_SOURCE_UNREACHABLE, "it leads away from https")


async def test_more_than_was_announced_is_not_taken_in(tmp_path: Path, served: Served, folder: Path) -> None:
    _, source = served
    with (folder / "system-build-v1.0.0.tar.gz").open("ab") as archive:
        archive.write(b"\0" * 4096)
    assert code(await builds(tmp_path, source).resolve("v1.0.0")) == (Code.SYSTEM_BUILD_MISMATCH, "archive")


async def test_a_clock_before_the_build_date_is_named_and_nobody_is_asked(tmp_path: Path, served: Served) -> None:
    """F18."""
    server, source = served
    past = evolve(source, now=lambda: OWN.built_at - timedelta(days=900), not_before=OWN.built_at)
    failure, detail = code(await builds(tmp_path, past).offered())
    assert failure is Code.CLOCK_NOT_PLAUSIBLE
    assert "2026-11-01T00:00:00Z" in (detail or "")
    assert server.asked == []


async def test_a_folder_needs_no_plausible_clock(tmp_path: Path, folder: Path) -> None:
    source = source_at(str(folder), now=lambda: OWN.built_at - timedelta(days=900), not_before=OWN.built_at)
    assert not isinstance(await builds(tmp_path, source).offered(), BuildFailure)


@pytest.mark.parametrize("place", ["http://example.org/builds", "ftp://example.org", "file:///srv/builds"])
def test_a_source_is_a_folder_or_https(place: str) -> None:
    with pytest.raises(ValueError, match="https"):
        source_at(place, now=lambda: NOW, not_before=None)


async def test_a_caller_that_is_stopped_while_a_file_opens_leaves_none_open(tmp_path: Path) -> None:
    file = tmp_path / "archive"
    file.write_bytes(b"packed")
    given: list[BinaryIO] = []
    slow = Slow(file, given)
    opening = asyncio.ensure_future(opened(slow))  # type: ignore[arg-type]  # a path that takes its time
    await asyncio.sleep(0)
    opening.cancel()
    slow.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert [stream.closed for stream in given] == [True]


class Slow:
    """A path whose file opens when it is told to."""

    def __init__(self, path: Path, given: list[BinaryIO]) -> None:
        self.path, self.given, self.go_on = path, given, threading.Event()

    def open(self, mode: str) -> BinaryIO:
        assert self.go_on.wait(10)
        stream: BinaryIO = self.path.open(mode)  # type: ignore[assignment]
        self.given.append(stream)
        return stream
