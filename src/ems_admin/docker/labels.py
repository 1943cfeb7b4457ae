"""Names and labels: by the labels a container is ours, by its name it is only found.

Source: `site.md` 8 (docker); `replacement.md` 7.1; `faults.md` D9.
"""

from __future__ import annotations

from typing import Final

SITE: Final = "io.ems-admin.site"
SERVICE: Final = "io.ems-admin.service"
SYSTEM_TAG: Final = "io.ems-admin.system-tag"
BUILD_ID: Final = "io.ems-admin.build-id"
"""Of a container of the stack, and of every image of a System Build."""
DEFINITION: Final = "io.ems-admin.definition"
"""SHA-256 of all that a service's container was created from: an equal one is left alone."""

OPERATION: Final = "io.ems-admin.operation"
ATTEMPT: Final = "io.ems-admin.attempt"
PREDECESSOR: Final = "io.ems-admin.predecessor"
"""Of an updater: whose, which, and the container id of the Admin that it replaces."""
SMOKE: Final = "io.ems-admin.smoke"
"""Of the short trial of an image: for which operation."""

IMAGE_VERSION: Final = "org.opencontainers.image.version"
IMAGE_REVISION: Final = "org.opencontainers.image.revision"
IMAGE_CREATED: Final = "org.opencontainers.image.created"

COMPOSE_PROJECT: Final = "com.docker.compose.project"
COMPOSE_SERVICE: Final = "com.docker.compose.service"
COMPOSE_IMAGE: Final = "com.docker.compose.image"

UPDATER_PREFIX: Final = "ems-admin-updater-"
STARTED_FOR: Final = "EMS_ADMIN_STARTED_FOR"
OWN_CONTAINER: Final = "EMS_ADMIN_CONTAINER"


def set_aside_name(name: str, operation_id: str) -> str:
    """Name the Admin that an operation has put aside."""
    return f"{name}-before-{operation_id}"


def own_name_of(name: str, operation_id: str) -> str:
    """Name the same Admin as it was called before; its present name when the operation has not put it aside."""
    return name.removesuffix(f"-before-{operation_id}")


# What is asked of a service later, by whichever Admin looks at it then: nothing else has to be known.
AFTER: Final = "io.ems-admin.after"
PORT: Final = "io.ems-admin.port"
PUBLISHED: Final = "io.ems-admin.published"
HEALTH_PATH: Final = "io.ems-admin.health-path"
HEALTH_TIMEOUT: Final = "io.ems-admin.health-timeout"
START_PERIOD: Final = "io.ems-admin.start-period"
"""These two in whole seconds."""
DASHBOARD_PATH: Final = "io.ems-admin.dashboard-path"

IMAGES: Final = "ems-admin.local"
"""Under this name, which no registry answers to, images are marked as pulled by us and as known to be good."""
KNOWN_GOOD: Final = "known-good-"


def project(site: str) -> str:
    """Name the stack of a site, as compose does, and the network that it gets where it needs one of its own."""
    return f"ems-{site}"


def aside_name(service: str, build_id: str) -> str:
    """Name the container of a service whose successor takes its name."""
    return f"{service}-before-{build_id}"
