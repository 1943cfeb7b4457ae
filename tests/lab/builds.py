"""System Builds of the lab's images: a folder that an Admin takes as its catalogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, Catalogue, newest_first
from ems_admin.builds.packing import replace_file
from ems_admin.codec import encode
from ems_admin.demo.archives import DemoBuild, Images, pack_build
from tests.lab.images import LabBuild

NOTES: Final[Mapping[str, str]] = {
    "good": "The build that the site begins with.",
    "newer": "A newer build that works.",
    "unhealthy": "A newer build whose Admin serves and is not well: a part of its page is missing.",
    "dying": "A newer build whose Admin ends as soon as it is to serve.",
}


def pack_catalogue(builds: Iterable[LabBuild], into: Path) -> Path:
    """Pack the builds, pinned to their images, and list them."""
    into.mkdir(parents=True, exist_ok=True)
    entries = newest_first(pack_build(packed(build), into) for build in builds)
    replace_file(into / CATALOGUE, encode(Catalogue(format_version=1, builds=entries), limit=CATALOGUE_LIMIT))
    for place in (into, *into.iterdir()):
        place.chmod(0o755 if place.is_dir() else 0o644)
    return into


def packed(build: LabBuild) -> DemoBuild:
    """Give a build as it is packed: images, and no programs."""
    images = Images(admin=build.admin, ems=build.ems)
    return DemoBuild(identity=build.identity, notes=NOTES[build.name], images=images)
