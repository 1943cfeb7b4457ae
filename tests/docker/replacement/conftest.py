"""A small engine for all tests of a replacement, and an Admin on it for each."""

from __future__ import annotations

from tests.docker.replacement.admins import admin_images as admin_images  # noqa: PLC0414
from tests.docker.replacement.launching import bench as bench  # noqa: PLC0414  # a fixture
from tests.docker.replacement.launching import new_digest as new_digest  # noqa: PLC0414
from tests.docker.replacement.launching import small_engine as small_engine  # noqa: PLC0414
from tests.docker.replacement.moving import moving as moving  # noqa: PLC0414
