"""Where builds come from: a folder, an `https://` address, or the bundle inside the Admin's own image.

Each gives its catalogue, and one archive at a time as a readable file. What cannot be asked is
`release_source_unreachable`; an archive that a source lists and does not have is `system_build_unavailable`.
Source: `site.md` 6, Catalogue; `faults.md` F18.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, Protocol

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout
from attrs import frozen
from yarl import URL

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, read_catalogue
from ems_admin.builds.contents import ARCHIVE_LIMIT, MIB, check_path
from ems_admin.builds.refused import BuildRefusedError, invalid, mismatch
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import ArchiveRef, CatalogueEntry
from ems_admin.workflows.ports.engine import Progress, Report

TIMEOUT = ClientTimeout(total=600, connect=10, sock_connect=10, sock_read=30)
PACKAGE_BUNDLE = Path(__file__).resolve().parent.parent / "bundle"
NOT_FOUND = frozenset({404, 410})
CHUNK = 256 * 1024


class Source(Protocol):
    """One place that offers builds."""

    async def builds(self) -> tuple[CatalogueEntry, ...]:
        """Read the catalogue."""
        ...

    def archive(self, reference: ArchiveRef, report: Report) -> AbstractAsyncContextManager[BinaryIO]:
        """Open an archive; nothing of it has been verified."""
        ...


@frozen
class DirectorySource:
    """A folder with a catalogue, such as the demo's or a stick that was plugged in."""

    directory: Path

    async def builds(self) -> tuple[CatalogueEntry, ...]:
        """Read the catalogue of the folder."""
        try:
            data = await asyncio.to_thread((self.directory / CATALOGUE).read_bytes)
        except OSError as error:
            raise unreachable(f"{CATALOGUE} cannot be read") from error
        return read_catalogue(data).builds

    @asynccontextmanager
    async def archive(self, reference: ArchiveRef, report: Report) -> AsyncIterator[BinaryIO]:  # noqa: ARG002
        """Open the archive where it lies."""
        check_path(reference.path)
        try:
            stream = await opened(self.directory / reference.path)
        except OSError as error:
            raise BuildRefusedError(Code.SYSTEM_BUILD_UNAVAILABLE, "archive") from error
        with stream:
            yield stream


async def opened(path: Path) -> BinaryIO:
    """Open a file in a thread. A caller that is cancelled meanwhile leaves no open file behind. Raises `OSError`."""
    opening = asyncio.ensure_future(asyncio.to_thread(path.open, "rb"))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait({opening})
        if not opening.cancelled() and opening.exception() is None:
            opening.result().close()
        raise


@frozen(kw_only=True)
class UrlSource:
    """A catalogue behind `https://`: its address, or the folder that it lies in."""

    url: URL
    now: Callable[[], datetime]
    not_before: datetime | None
    """When the running Admin was built: before that no certificate can be judged."""
    trust: ssl.SSLContext | bool = True

    async def builds(self) -> tuple[CatalogueEntry, ...]:
        """Fetch the catalogue."""
        async with self.fetched(self.catalogue_url) as answer:
            if answer.status != 200:  # noqa: PLR2004 - OK
                raise unreachable(f"{CATALOGUE} answers {answer.status}")
            data = await answer.content.read(CATALOGUE_LIMIT + 1)
            while len(data) <= CATALOGUE_LIMIT and (more := await answer.content.read(CHUNK)):
                data += more
        return read_catalogue(data).builds

    @asynccontextmanager
    async def archive(self, reference: ArchiveRef, report: Report) -> AsyncIterator[BinaryIO]:
        """Fetch an archive into a file without a name, so that nothing of it outlives this use."""
        check_path(reference.path)
        with TemporaryFile() as file:
            async with self.fetched(self.catalogue_url.join(URL(reference.path))) as answer:
                if answer.status in NOT_FOUND:
                    raise BuildRefusedError(Code.SYSTEM_BUILD_UNAVAILABLE, "archive")
                if answer.status != 200:  # noqa: PLR2004 - OK
                    raise unreachable(f"the archive answers {answer.status}")
                await save(answer, file, reference, report)
            file.seek(0)
            yield file

    @property
    def catalogue_url(self) -> URL:
        """The address of the catalogue itself."""
        return (
            self.url
            if self.url.name.endswith(".json")
            else self.url.with_path(f"{self.url.path.rstrip('/')}/") / CATALOGUE
        )

    @asynccontextmanager
    async def fetched(self, url: URL) -> AsyncIterator[ClientResponse]:
        """Ask for an address over TLS, with limits on every wait."""
        now = self.now()
        if self.not_before is not None and now < self.not_before:
            raise BuildRefusedError(
                Code.CLOCK_NOT_PLAUSIBLE, f"now {now:%Y-%m-%dT%H:%M:%SZ}, built {self.not_before:%Y-%m-%dT%H:%M:%SZ}"
            )
        try:
            async with ClientSession(timeout=TIMEOUT) as session, session.get(url, ssl=self.trust) as answer:
                if any(one.url.scheme != "https" for one in (*answer.history, answer)):
                    raise unreachable("it leads away from https")
                yield answer
        except (ClientError, TimeoutError, OSError) as error:
            raise unreachable(type(error).__name__) from error


async def save(answer: ClientResponse, file: BinaryIO, reference: ArchiveRef, report: Report) -> None:
    """Write what comes in, and stop where more comes than was announced."""
    if reference.bytes > ARCHIVE_LIMIT:
        raise invalid(f"the archive is larger than {ARCHIVE_LIMIT // MIB} MiB")
    got = 0
    async for chunk in answer.content.iter_chunked(CHUNK):
        got += len(chunk)
        if got > reference.bytes:
            raise mismatch("archive")
        await asyncio.to_thread(file.write, chunk)
        report(Progress(step="archive", percent=100 * got // reference.bytes))


def unreachable(detail: str) -> BuildRefusedError:
    """Say that a source cannot be asked."""
    return BuildRefusedError(Code.RELEASE_SOURCE_UNREACHABLE, detail)


def embedded() -> tuple[Source, ...]:
    """Give the bundle that the Admin's image carries, if it carries one."""
    return (DirectorySource(PACKAGE_BUNDLE),) if (PACKAGE_BUNDLE / CATALOGUE).is_file() else ()


def source_at(place: str, *, now: Callable[[], datetime], not_before: datetime | None) -> Source:
    """Give the source that an operator names: an `https://` address or a folder; ValueError for anything else."""
    if place.startswith("https://"):
        return UrlSource(url=URL(place), now=now, not_before=not_before)
    if "://" in place:
        raise ValueError(f"{place}: a catalogue is a folder or an https:// address")
    return DirectorySource(Path(place))
