"""The `Publishing` port: what `ems-admin release` does."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path, PurePath

from ems_admin.builds.cache import read_agreed
from ems_admin.builds.catalogue import CATALOGUE, listed, write_catalogue
from ems_admin.builds.contents import check_path, read_archive, read_folder
from ems_admin.builds.packing import pack
from ems_admin.builds.refused import BuildRefusedError
from ems_admin.builds.rules import CACHED_MANIFEST
from ems_admin.builds.verification import MANIFEST, check_identity, verified
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import ArchiveRef, CatalogueEntry, Manifest
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.publishing import CheckedBuild


class Publisher:
    """Packs, lists and checks builds on this machine."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        """Take the clock that dates a release."""
        self.now = now

    def pack(self, directory: PurePath, out: PurePath) -> CheckedBuild | BuildFailure:
        """Pack the folder of a maintainer."""
        try:
            manifest, archive = pack(Path(directory), Path(out))
        except BuildRefusedError as refused:
            return BuildFailure(code=refused.code, detail=refused.detail)
        return checked(manifest, archive)

    def catalogue(self, directory: PurePath) -> tuple[CatalogueEntry, ...] | BuildFailure:
        """List the archives of a folder."""
        try:
            return write_catalogue(Path(directory), self.now()).builds
        except BuildRefusedError as refused:
            return BuildFailure(code=refused.code, detail=refused.detail)

    def verify(self, place: PurePath) -> tuple[CheckedBuild, ...] | BuildFailure:
        """Check an archive, an unpacked build, or all that a catalogue lists."""
        path = Path(place)
        try:
            if not path.is_dir():
                return (verified_archive(path),)
            if (path / CATALOGUE).exists():
                return tuple(verified_entry(path, entry) for entry in listed(path))
            return (verified_folder(path),)
        except BuildRefusedError as refused:
            return BuildFailure(code=refused.code, detail=refused.detail)


def verified_archive(path: Path) -> CheckedBuild:
    """Check one archive by itself."""
    with path.open("rb") as stream:
        contents, sha256, size = read_archive(stream)
    return checked(verified(contents).manifest, ArchiveRef(path=path.name, sha256=sha256, bytes=size))


def verified_entry(directory: Path, entry: CatalogueEntry) -> CheckedBuild:
    """Check an archive against what its catalogue says of it."""
    try:
        check_path(entry.archive.path)
        with (directory / entry.archive.path).open("rb") as stream:
            manifest = verified(read_agreed(stream, entry.archive)).manifest
        check_identity(manifest, entry)
    except FileNotFoundError as error:
        raise BuildRefusedError(Code.SYSTEM_BUILD_UNAVAILABLE, entry.archive.path) from error
    except BuildRefusedError as refused:
        raise BuildRefusedError(refused.code, f"{entry.archive.path}: {refused.detail}") from refused
    return checked(manifest, entry.archive)


def verified_folder(path: Path) -> CheckedBuild:
    """Check a build that lies unpacked: from an archive, or as the release cache keeps it."""
    whole = read_folder(path)
    return checked(verified(whole.renamed(CACHED_MANIFEST, MANIFEST)).manifest, None)


def checked(manifest: Manifest, archive: ArchiveRef | None) -> CheckedBuild:
    """Say which build was checked."""
    return CheckedBuild(
        system_tag=manifest.system_tag,
        build_id=manifest.build_id,
        revision=manifest.revision,
        files=len(manifest.files),
        sha256=archive.sha256 if archive else None,
        bytes=archive.bytes if archive else None,
    )
