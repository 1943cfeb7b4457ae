"""What the application gets: builds from folders and over TLS, or the code that says why not."""

import asyncio
import json
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import web
from attrs import evolve
from yarl import URL

from ems_admin.builds.catalogue import write_catalogue
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import DirectorySource, Source, UrlSource, source_at
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest, OwnIdentity
from ems_admin.workflows.ports.builds import BuildFailure, Builds, Resources
from ems_admin.workflows.ports.engine import Progress
from tests.builds.sample import NOW, OWN, packed, published


class Heard:
    """Everything that was reported."""

    def __init__(self) -> None:
        self.told: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        self.told.append(progress)


def builds(tmp_path: Path, *sources: Source, own: OwnIdentity | None = OWN) -> ReleaseBuilds:
    return ReleaseBuilds(sources=sources, releases=tmp_path / "releases", own=own)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "catalogue").mkdir()
    return published(tmp_path / "catalogue", "v1.0.0", "v1.1.0")


def code(answer: object) -> tuple[Code, str | None]:
    assert isinstance(answer, BuildFailure)
    return answer.code, answer.detail


async def test_it_is_the_port(tmp_path: Path, folder: Path) -> None:
    port: Builds = builds(tmp_path, DirectorySource(folder))
    assert await port.own() == OWN


async def test_a_build_is_offered_resolved_imported_and_read(tmp_path: Path, folder: Path) -> None:
    desk, heard = builds(tmp_path, DirectorySource(folder)), Heard()
    offered = await desk.offered()
    assert not isinstance(offered, BuildFailure)
    assert [build.tag for build in offered] == ["v1.1.0", "v1.0.0"]
    resolved = await desk.resolve("v1.1.0")
    assert not (tmp_path / "releases").exists()
    assert code(await desk.resources("v1.1.0")) == (Code.RELEASE_NOT_PREPARED, None)
    assert await desk.import_build("v1.1.0", heard) == resolved
    resources = await desk.resources("v1.1.0")
    assert isinstance(resources, Resources)
    assert resources.manifest == resolved
    for step in ("download", "unpack"):
        percents = [progress.percent or 0 for progress in heard.told if progress.step == step]
        assert percents == sorted(percents)
        assert percents[-1] == 100
    assert {progress.step for progress in heard.told} == {"download", "unpack"}


async def test_a_build_that_is_there_is_verified_and_not_written_again(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    manifest = tmp_path / "releases/v1.0.0/manifest.json"
    before = manifest.stat()
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert (manifest.stat().st_ino, manifest.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    (tmp_path / "releases/v1.0.0/programs/ems/start").write_text("changed")
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert manifest.stat().st_mtime_ns > before.st_mtime_ns
    assert (tmp_path / "releases/v1.0.0/programs/ems/start").read_text() == "#!/bin/sh\n"


async def test_a_tag_that_moved_is_imported_anew(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    packed(folder, "v1.0.0", build_id="1.0.0-moved")
    write_catalogue(folder, NOW)
    await desk.import_build("v1.0.0", Heard())
    resources = await desk.resources("v1.0.0")
    assert isinstance(resources, Resources)
    assert resources.manifest.build_id == "1.0.0-moved"


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("v9.9.9", Code.SYSTEM_BUILD_UNKNOWN),
        ("latest", Code.SYSTEM_BUILD_FLOATING),
        ("../../etc", Code.UNSUPPORTED_VALUE),
        ("", Code.UNSUPPORTED_VALUE),
    ],
)
async def test_a_tag_that_names_no_build_has_its_code(tmp_path: Path, folder: Path, tag: str, expected: Code) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.resolve(tag)) == (expected, None)
    assert code(await desk.import_build(tag, Heard())) == (expected, None)
    if expected is not Code.SYSTEM_BUILD_UNKNOWN:
        assert code(await desk.resources(tag)) == (expected, None)


async def test_a_listed_archive_that_is_not_there_is_unavailable(tmp_path: Path, folder: Path) -> None:
    (folder / "system-build-v1.0.0.tar.gz").unlink()
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_UNAVAILABLE, "archive")
    assert isinstance(await desk.resolve("v1.1.0"), Manifest)


async def test_an_archive_that_was_exchanged_is_a_mismatch_and_nothing_is_kept(tmp_path: Path, folder: Path) -> None:
    shutil.copy(folder / "system-build-v1.1.0.tar.gz", folder / "system-build-v1.0.0.tar.gz")
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.import_build("v1.0.0", Heard())) == (Code.SYSTEM_BUILD_MISMATCH, "archive")
    assert not (tmp_path / "releases").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("build_id", "other"), ("revision", "f" * 40), ("channel", "rc"), ("built_at", "2026-01-01T00:00:00Z")],
)
async def test_a_build_that_is_not_the_one_listed_is_a_mismatch(
    tmp_path: Path, folder: Path, field: str, value: str
) -> None:
    catalogue = json.loads((folder / "catalogue.json").read_bytes())
    for entry in catalogue["builds"]:
        entry[field] = value
    (folder / "catalogue.json").write_text(json.dumps(catalogue))
    desk = builds(tmp_path, DirectorySource(folder))
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_MISMATCH, field)
    assert code(await desk.import_build("v1.0.0", Heard())) == (Code.SYSTEM_BUILD_MISMATCH, field)


async def test_a_build_for_other_packages_cannot_run_here(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder), own=evolve(OWN, requires="6" * 64))
    assert code(await desk.resolve("v1.0.0")) == (Code.SYSTEM_BUILD_MISMATCH, "requires")
    assert isinstance(await builds(tmp_path, DirectorySource(folder), own=None).resolve("v1.0.0"), Manifest)


async def test_unknown_is_said_only_when_every_source_was_asked(tmp_path: Path, folder: Path) -> None:
    silent = DirectorySource(tmp_path / "unplugged")
    desk = builds(tmp_path, silent, DirectorySource(folder))
    assert code(await desk.resolve("v9.9.9"))[0] is Code.RELEASE_SOURCE_UNREACHABLE
    assert isinstance(await desk.resolve("v1.0.0"), Manifest)
    offered = await desk.offered()
    assert not isinstance(offered, BuildFailure)
    assert len(offered) == 2
    assert code(await builds(tmp_path, silent).offered())[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_what_was_imported_stays_usable_without_its_source(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    await desk.import_build("v1.0.0", Heard())
    shutil.move(folder, tmp_path / "unplugged")
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)
    assert isinstance(await desk.resources("v1.0.0"), Resources)
    (tmp_path / "releases/v1.0.0/programs/ems/start").write_text("changed")
    assert code(await desk.import_build("v1.0.0", Heard()))[0] is Code.RELEASE_SOURCE_UNREACHABLE


async def test_a_cancelled_import_ends_its_thread_and_leaves_no_manifest(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    begun = asyncio.Event()

    def report(progress: Progress) -> None:
        if progress.step == "unpack":
            begun.set()

    slow = desk.cache.unpack.__func__  # type: ignore[attr-defined]

    def unpack_slowly(_cache: object, *arguments: object) -> object:
        *others, percent = arguments
        assert callable(percent)

        def stepwise(now: int) -> None:
            percent(now)
            others[3].wait(0.2)  # type: ignore[attr-defined]  # the event that stops it

        return slow(desk.cache, *others, stepwise)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(desk.cache), "unpack", unpack_slowly)
        task = asyncio.create_task(desk.import_build("v1.0.0", report))
        await asyncio.wait_for(begun.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not (tmp_path / "releases/v1.0.0/manifest.json").exists()
    assert isinstance(await desk.import_build("v1.0.0", Heard()), Manifest)


async def test_pruning_goes_by_tag(tmp_path: Path, folder: Path) -> None:
    desk = builds(tmp_path, DirectorySource(folder))
    for tag in ("v1.0.0", "v1.1.0"):
        await desk.import_build(tag, Heard())
    await desk.prune(frozenset({"v1.1.0"}))
    assert [place.name for place in (tmp_path / "releases").iterdir()] == ["v1.1.0"]


# Over TLS: a real server on loopback, with a certificate that only this test trusts.


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
