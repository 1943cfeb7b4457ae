"""A small System Build to pack, to list and to break: real files in a real folder."""

import gzip
import hashlib
import io
import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from ems_admin.builds.catalogue import write_catalogue
from ems_admin.builds.packing import pack
from ems_admin.machines.records.build import ArchiveRef, Manifest, OwnIdentity

Member: TypeAlias = tuple[tarfile.TarInfo, bytes]

REQUIRES = "5" * 64
NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
OWN = OwnIdentity(
    system_tag="v1.0.0",
    build_id="1.0.0-abc",
    revision="1" * 40,
    built_at=datetime(2026, 11, 1, tzinfo=UTC),
    digest=None,
    requires=REQUIRES,
)

STACK: dict[str, Any] = {
    "format_version": 1,
    "services": [
        {
            "name": "ems",
            "image": None,
            "program": "ems",
            "after": [],
            "command": [],
            "environment": {"LANG": "C.UTF-8"},
            "mounts": [{"from": "config", "to": "/config", "read_only": True}],
            "port": 8099,
            "publish": 0,
            "health": {"path": "/health", "interval_seconds": 2, "timeout_seconds": 3, "start_period_seconds": 5},
            "dashboard_path": "/",
        }
    ],
}


def recipe(tag: str = "v1.0.0", **changes: Any) -> dict[str, Any]:
    """`system-build.json` as a maintainer writes it."""
    return {
        "format_version": 1,
        "system_tag": tag,
        "channel": "stable",
        "revision": hashlib.sha256(tag.encode()).hexdigest()[:40],
        "build_id": f"{tag.removeprefix('v').lower()}-abc",
        "built_at": "2026-11-01T00:00:00Z",
        "admin": {"image": None, "digest": None},
        "ems": {"image": None, "digest": None},
        "compatibility_mode": "modern_paired",
        "requires": REQUIRES,
        "stack": "stack.json",
        "config_template": "config/template.json",
        "config_schema": "config/schema.json",
        "programs": {"ems": {"directory": "programs/ems", "command": ["{python}", "-m", "ems"]}},
    } | changes


def folder(root: Path, tag: str = "v1.0.0", **changes: Any) -> Path:
    """Lay out the folder of a maintainer."""
    files = {
        "system-build.json": json.dumps(recipe(tag, **changes)),
        "stack.json": json.dumps(STACK),
        "config/template.json": json.dumps({"schema_version": 1, "name": "Küche 🔋"}),
        "config/schema.json": json.dumps({"type": "object", "properties": {"name": {"$ref": "#/$defs/n"}}}),
        "draft-example.json": json.dumps({"devices": []}),
        "programs/ems/ems/__main__.py": f"print({tag!r})\n",
        "programs/ems/ems/__pycache__/x.pyc": "compiled",
        "programs/ems/start": "#!/bin/sh\n",
        "README.md": "not named, not packed",
    }
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    (root / "programs/ems/start").chmod(0o755)
    return root


def packed(root: Path, tag: str = "v1.0.0", **changes: Any) -> tuple[Path, Manifest, ArchiveRef]:
    """Pack such a folder."""
    out = root / f"system-build-{tag}.tar.gz"
    manifest, archive = pack(folder(root / f"source-{tag}", tag, **changes), out)
    return out, manifest, archive


def published(root: Path, *tags: str) -> Path:
    """Publish builds: a folder with archives and their catalogue."""
    for tag in tags:
        packed(root, tag)
    write_catalogue(root, NOW)
    return root


def tar_gz(*members: Member) -> io.BytesIO:
    """Write an archive by hand, whatever it holds."""
    written = io.BytesIO()
    with gzip.GzipFile(fileobj=written, mode="wb") as plain, tarfile.open(fileobj=plain, mode="w") as tar:
        for member, data in members:
            tar.addfile(member, io.BytesIO(data))
    written.seek(0)
    return written


def plain_file(
    name: str, data: bytes = b"x", *, kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    """Make one member of an archive."""
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = link
    member.size = len(data) if kind == tarfile.REGTYPE else 0
    return member, data if kind == tarfile.REGTYPE else b""


def members_of(archive: Path) -> list[Member]:
    """Take an archive apart."""
    with tarfile.open(archive) as tar:
        return [(member, file.read()) for member in tar if (file := tar.extractfile(member)) is not None]


def rewritten(archive: Path, **changes: bytes | None) -> io.BytesIO:
    """Write an archive again with some files changed, left out (None) or added, the manifest as it was."""
    named = {name.replace("__", "/").replace("_json", ".json"): data for name, data in changes.items()}
    kept = [(member, named.pop(member.name, data)) for member, data in members_of(archive)]
    members = [plain_file(member.name, data) for member, data in kept if data is not None]
    return tar_gz(*members, *(plain_file(name, data) for name, data in named.items() if data is not None))
