"""References to container images, parsed once and by the full grammar.

`[host[:port]/]path[:tag][@digest]`: the first part is a host when it has a dot or a colon, is `localhost`, or has a
capital letter; only then may it carry a port. Where a digest stands, it decides, and the tag is a remark.
Source: `faults.md`, Tags and versions; the reference grammar of the OCI distribution specification.
"""

from __future__ import annotations

import re

from attrs import frozen

LABEL = r"(?:[0-9A-Za-z]|[0-9A-Za-z][0-9A-Za-z-]*[0-9A-Za-z])"
HOST = re.compile(rf"(?:{LABEL}(?:\.{LABEL})*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?")
COMPONENT = re.compile(r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*")
TAG = re.compile(r"[0-9A-Za-z_][0-9A-Za-z_.-]{0,127}")
DIGEST = re.compile(r"[A-Za-z][0-9A-Za-z]*(?:[+._-][A-Za-z][0-9A-Za-z]*)*:[0-9A-Fa-f]{32,}")
SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
IMAGE_ID = re.compile(r"[0-9a-f]{64}")
"""Alone it is what an engine calls an image, and no reference to anything that can be pulled."""
LONGEST_NAME = 255


@frozen(kw_only=True)
class ImageReference:
    """The parts of a reference as they were written; nothing is filled in."""

    host: str | None
    path: str
    tag: str | None
    digest: str | None

    @property
    def name(self) -> str:
        """Host and path, without tag and digest."""
        return f"{self.host}/{self.path}" if self.host else self.path

    @property
    def pinned(self) -> bool:
        """Whether it names exactly one image, for ever."""
        return self.digest is not None

    def __str__(self) -> str:
        """Write it as it was read."""
        return self.name + (f":{self.tag}" if self.tag else "") + (f"@{self.digest}" if self.digest else "")


def parse_image(reference: str) -> ImageReference | None:
    """Parse a reference; `None` when it is none."""
    rest, _, digest = reference.partition("@")
    if IMAGE_ID.fullmatch(rest) or ("@" in reference and not valid_digest(digest)):
        return None
    # A colon after the last slash begins the tag; one before it belongs to the port.
    head, colon, last = rest.rpartition(":")
    name, tag = (head, last) if colon and "/" not in last and head else (rest, None)
    if tag is not None and not TAG.fullmatch(tag):
        return None
    host, path = split_host(name)
    if host is not None and not HOST.fullmatch(host):
        return None
    if len(name) > LONGEST_NAME or not all(COMPONENT.fullmatch(part) for part in path.split("/")):
        return None
    return ImageReference(host=host, path=path, tag=tag, digest=digest or None)


def split_host(name: str) -> tuple[str | None, str]:
    """Tell the host from the path; `None` where the reference leaves it to the engine."""
    first, slash, rest = name.partition("/")
    is_host = first == "localhost" or "." in first or ":" in first or first.lower() != first
    return (first, rest) if slash and is_host else (None, name)


def valid_digest(digest: str) -> bool:
    """Say whether `digest` is one; the length is known for SHA-256 alone."""
    return bool(DIGEST.fullmatch(digest)) and (not digest.startswith("sha256:") or bool(SHA256.fullmatch(digest)))
