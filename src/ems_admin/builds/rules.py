"""What must be true of the records of a build. Pure; each rule names the fault it finds, for the maintainer.

Source: `site.md` 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from ems_admin.machines.records.build import ImagePin, Manifest, Service, Stack
from ems_admin.machines.values.image_reference import parse_image, valid_digest
from ems_admin.machines.values.tags import tag_fault

CACHED_MANIFEST = "manifest.json"
"""What the release cache calls the manifest of a whole import."""
SHA256 = re.compile(r"[0-9a-f]{64}")
SERVICE_NAME = re.compile(r"[a-z][a-z0-9-]{0,62}")
HIGHEST_PORT = 65535


def manifest_faults(manifest: Manifest) -> Iterator[str]:
    """Name what the codec cannot see in a manifest: it knows how a field is spelled, not what it must agree with."""
    if tag_fault(manifest.system_tag) is not None:
        yield f"{manifest.system_tag} is no tag of a build, or floats"
    for role, pin in (("admin", manifest.admin), ("ems", manifest.ems)):
        yield from (f"{role}: {fault}" for fault in pin_faults(pin))
    yield from program_faults(manifest)
    yield from (f"the hash of {path} is malformed" for path, sha in manifest.files.items() if not SHA256.fullmatch(sha))
    if CACHED_MANIFEST in manifest.files:
        yield f"{CACHED_MANIFEST} is a reserved name"
    for path in (manifest.stack, manifest.config_template, manifest.config_schema):
        if path not in manifest.files or not path.endswith(".json"):
            yield f"{path} is none of its JSON files"


def program_faults(manifest: Manifest) -> Iterator[str]:
    """Name what is wrong with the programs of the native engine."""
    for name, program in manifest.programs.items():
        if not SERVICE_NAME.fullmatch(name):
            yield f"{name!r} is no name of a program"
        if not program.command:
            yield f"program {name} has no command"
        if not any(path.startswith(f"{program.directory}/") for path in manifest.files):
            yield f"program {name} has no file"


def pin_faults(pin: ImagePin) -> Iterator[str]:
    """Name what is wrong with an image: it has both a reference and a digest, or neither."""
    if (pin.image is None) != (pin.digest is None):
        yield "image and digest go together"
    if pin.image is not None and parse_image(pin.image) is None:
        yield "image is no reference"
    if pin.digest is not None and not valid_digest(pin.digest):
        yield "digest is malformed"


def stack_faults(stack: Stack, manifest: Manifest) -> Iterator[str]:
    """Name what keeps the services from being started one after the other."""
    if not stack.services:
        yield "it has no service"
    before: set[str] = set()
    for service in stack.services:
        if service.name in before or not SERVICE_NAME.fullmatch(service.name):
            yield f"{service.name!r} is no name of a service, or is there twice"
        if not before.issuperset(service.after):
            yield f"{service.name} starts after a service that does not stand before it"
        before.add(service.name)
        yield from (f"{service.name}: {fault}" for fault in service_faults(service, manifest))


def service_faults(service: Service, manifest: Manifest) -> Iterator[str]:
    """Name what is wrong with one service."""
    reference = parse_image(service.image) if service.image not in {None, "admin", "ems"} else None
    if service.image not in {None, "admin", "ems"} and (reference is None or not reference.pinned):
        yield "image is neither admin, ems nor pinned by a digest"
    if service.program is not None and service.program not in manifest.programs:
        yield f"there is no program {service.program}"
    if service.image is None and service.program is None:
        yield "it has neither image nor program"
    if not (0 < service.port <= HIGHEST_PORT and 0 <= service.publish <= HIGHEST_PORT):
        yield "port or publish is no port"
    if any(not PurePosixPath(mount.to).is_absolute() for mount in service.mounts):
        yield "it mounts to a relative path"
    health = service.health
    if min(health.interval_seconds, health.timeout_seconds) <= 0 or health.start_period_seconds < 0:
        yield "health has a time that is none"
    if not all(path.startswith("/") for path in (health.path, service.dashboard_path or "/")):
        yield "health.path or dashboard_path does not begin with a slash"
