"""Catalogues: what a maintainer publishes in one folder, written over the archives that lie there.

A tag that is already listed with the same archive keeps its date of release and its notes; a new one takes its notes
from `<archive>.md` beside it. Source: `site.md` 6, Catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from attrs import field, frozen

from ems_admin.builds.contents import MIB, read_archive
from ems_admin.builds.packing import replace_file
from ems_admin.builds.refused import BuildRefusedError, invalid
from ems_admin.builds.verification import verified
from ems_admin.codec import DecodeError, decode, encode
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import ArchiveRef, CatalogueEntry, Manifest
from ems_admin.machines.values.tags import Tagged, listing_key

CATALOGUE = "catalogue.json"
CATALOGUE_LIMIT = 4 * MIB
ARCHIVES = "*.tar.gz"
NOTES_LIMIT = 16 * 1024


@frozen(kw_only=True)
class Catalogue:
    """`catalogue.json`."""

    format_version: int = field(metadata={"format": 1})
    builds: tuple[CatalogueEntry, ...]


def read_catalogue(data: bytes) -> Catalogue:
    """Decode a catalogue; one that cannot be used is a source that cannot be asked."""
    try:
        return decode(data, Catalogue, limit=CATALOGUE_LIMIT)
    except DecodeError as error:
        raise BuildRefusedError(Code.RELEASE_SOURCE_UNREACHABLE, f"{CATALOGUE}: {error}") from error


def write_catalogue(directory: Path, now: datetime) -> Catalogue:
    """Verify every archive in `directory` and list it, newest first. Raises `BuildRefusedError`, naming the archive."""
    before = {build.tag: build for build in listed(directory)}
    builds: dict[str, CatalogueEntry] = {}
    for archive in sorted(directory.glob(ARCHIVES)):
        manifest, reference = examined(archive)
        tag = manifest.system_tag
        if tag in builds:
            raise invalid(f"{archive.name}: {tag} is there twice, see {builds[tag].archive.path}")
        known = before.get(tag)
        kept = known if known is not None and known.archive.sha256 == reference.sha256 else None
        builds[tag] = CatalogueEntry(
            tag=tag,
            channel=manifest.channel,
            revision=manifest.revision,
            build_id=manifest.build_id,
            built_at=manifest.built_at,
            released_at=kept.released_at if kept else now.replace(microsecond=0),
            notes=notes_beside(archive, kept),
            archive=reference,
        )
    catalogue = Catalogue(format_version=1, builds=newest_first(builds.values()))
    replace_file(directory / CATALOGUE, encode(catalogue, limit=CATALOGUE_LIMIT))
    return catalogue


def listed(directory: Path) -> tuple[CatalogueEntry, ...]:
    """Give what the catalogue of a folder lists so far."""
    try:
        return read_catalogue((directory / CATALOGUE).read_bytes()).builds
    except FileNotFoundError:
        return ()


def examined(archive: Path) -> tuple[Manifest, ArchiveRef]:
    """Read and verify an archive; what is wrong with it is told with its name."""
    try:
        with archive.open("rb") as stream:
            contents, sha256, size = read_archive(stream)
        manifest = verified(contents).manifest
    except BuildRefusedError as refused:
        raise BuildRefusedError(refused.code, f"{archive.name}: {refused.detail}") from refused
    return manifest, ArchiveRef(path=archive.name, sha256=sha256, bytes=size)


def notes_beside(archive: Path, kept: CatalogueEntry | None) -> str:
    """Read the notes of a release: `<archive>.md`, else what was listed before."""
    notes = archive.with_name(f"{archive.name}.md")
    if not notes.is_file():
        return kept.notes if kept else ""
    return notes.read_bytes()[:NOTES_LIMIT].decode(errors="replace").strip()


def newest_first(builds: Iterable[CatalogueEntry]) -> tuple[CatalogueEntry, ...]:
    """Sort builds as they are listed: by version, then by date of release."""
    return tuple(
        sorted(builds, key=lambda build: listing_key(Tagged(build.tag, build.channel), build.released_at), reverse=True)
    )
