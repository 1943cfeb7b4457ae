"""The `Builds` port: the sources in their order, the release cache, and the identity of the running Admin.

All that blocks runs in threads. A failure is an answer here; this file alone turns the exception of the room into it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TypeVar

from ems_admin.builds.cache import ReleaseCache, examined, inspect
from ems_admin.builds.catalogue import newest_first
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.sources import Source
from ems_admin.builds.verification import check_identity, check_requires, check_tag
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import CatalogueEntry, Manifest
from ems_admin.workflows.ports.builds import BuildFailure, Examined, Resources
from ems_admin.workflows.ports.engine import Progress, Report

T = TypeVar("T")

DOWNLOAD, UNPACK = "download", "unpack"


class ReleaseBuilds:
    """What is offered, what was imported, and which build this Admin is.

    `own` is read once, when the process starts: an Admin does not become another one while it runs.
    """

    def __init__(self, *, sources: tuple[Source, ...], releases: Path, requires: str | None = None) -> None:
        """Ask `sources` in their order, and keep imported builds below `releases`.

        `requires` names the third-party packages of the interpreter that would run the programs of a build: those of
        another are refused. Without it nobody asks: an image brings its own.
        """
        self.sources = sources
        self.cache = ReleaseCache(releases)
        self.requires = requires
        self.storing = asyncio.Lock()

    async def offered(self) -> tuple[CatalogueEntry, ...] | BuildFailure:
        """List what the sources offer, newest first; the first that lists a tag decides about it."""
        builds: dict[str, CatalogueEntry] = {}
        silent: list[BuildRefusedError] = []
        for source in self.sources:
            try:
                for build in await source.builds():
                    builds.setdefault(build.tag, build)
            except BuildRefusedError as refused:
                silent.append(refused)
        if silent and not builds:
            return failure(silent[0])
        return newest_first(builds.values())

    async def resolve(self, tag: str) -> Manifest | BuildFailure:
        """Read and verify the archive of a build; nothing is stored."""
        found = await self.examine(tag)
        return found if isinstance(found, BuildFailure) else found.resources.manifest

    async def examine(self, tag: str) -> Examined | BuildFailure:
        """Read a build whole out of its verified archive; nothing is stored."""
        try:
            source, entry = await self.find(tag)
            async with source.archive(entry.archive, ignored) as stream:
                found = await in_thread(lambda: examined(stream, entry.archive))
            self.agree(found.resources.manifest, entry)
        except BuildRefusedError as refused:
            return failure(refused)
        return found

    async def import_build(self, tag: str, report: Report) -> Manifest | BuildFailure:
        """Unpack a build into the cache, unless exactly this one is there already and still whole."""
        try:
            async with self.storing:
                return await self.imported(tag, report)
        except BuildRefusedError as refused:
            return failure(refused)

    async def imported(self, tag: str, report: Report) -> Manifest:
        """Give the manifest of a build once the cache holds it.

        A source that cannot be asked does not take away what was imported before and verifies.
        """
        try:
            source, entry = await self.find(tag)
        except BuildRefusedError as refused:
            there = await self.whole(tag) if refused.code is Code.RELEASE_SOURCE_UNREACHABLE else None
            if there is None:
                raise
            check_requires(there, self.requires)
            return there
        downloading = stepped(report, DOWNLOAD)
        async with source.archive(entry.archive, downloading) as stream:
            manifest = await in_thread(lambda: inspect(stream, entry.archive))
            self.agree(manifest, entry)
            downloading(Progress(step=DOWNLOAD, percent=100))
            if await self.whole(tag) != manifest:
                stop = Event()
                percent = from_thread(report)
                await in_thread(lambda: self.cache.unpack(tag, stream, entry.archive, stop, percent), stop)
        report(Progress(step=UNPACK, percent=100))
        return manifest

    async def resources(self, tag: str) -> Resources | BuildFailure:
        """Read an imported build."""
        try:
            return await in_thread(lambda: self.cache.read(tag))
        except BuildRefusedError as refused:
            return failure(refused)

    async def prune(self, keep: frozenset[str], *, spare: int = 0) -> frozenset[str] | None:
        """Remove cached builds whose tags are not in `keep`; one that cannot be removed stays for the next time."""
        async with self.storing:
            try:
                return await in_thread(lambda: self.cache.prune(keep, spare=spare))
            except (BuildRefusedError, OSError):
                return None

    async def find(self, tag: str) -> tuple[Source, CatalogueEntry]:
        """Find who offers a build. Unknown is said only when every source could be asked."""
        check_tag(tag)
        silent: BuildRefusedError | None = None
        for source in self.sources:
            try:
                builds = await source.builds()
            except BuildRefusedError as refused:
                silent = silent or refused
                continue
            for entry in builds:
                if entry.tag == tag:
                    return source, entry
        raise silent or BuildRefusedError(Code.SYSTEM_BUILD_UNKNOWN)

    def agree(self, manifest: Manifest, entry: CatalogueEntry) -> None:
        """Refuse a build that is not the one offered, or that this interpreter cannot run."""
        check_identity(manifest, entry)
        check_requires(manifest, self.requires)

    async def whole(self, tag: str) -> Manifest | None:
        """Give the manifest of an imported build if every file of it is still what it was."""
        try:
            found = await in_thread(lambda: self.cache.verify(tag))
        except BuildRefusedError as refused:
            if refused.code is Code.STATE_DIRECTORY_UNSAFE:
                raise
            return None
        return found.manifest if found else None


def failure(refused: BuildRefusedError) -> BuildFailure:
    """Turn a refusal into the answer of the port."""
    return BuildFailure(code=refused.code, detail=refused.detail)


def ignored(_progress: Progress) -> None:
    """Tell nobody."""


def stepped(report: Report, step: str) -> Report:
    """Report under the name of another step."""
    return lambda progress: report(Progress(step=step, percent=progress.percent))


def from_thread(report: Report) -> Callable[[int], None]:
    """Report the percentages of a thread on the event loop, each once."""
    loop = asyncio.get_running_loop()
    told = -1

    def percent(now: int) -> None:
        nonlocal told
        if now > told:
            told = now
            loop.call_soon_threadsafe(report, Progress(step=UNPACK, percent=now))

    return percent


async def in_thread(work: Callable[[], T], stop: Event | None = None) -> T:
    """Run blocking work in a thread, and never leave before it has ended: a cancelled caller asks it to stop first."""
    thread = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        if stop is not None:
            stop.set()
        await asyncio.wait({thread})
        if not thread.cancelled():
            thread.exception()  # StoppedError, or what it failed with on its way out: nobody waits for it any more
        raise
