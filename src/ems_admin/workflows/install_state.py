"""What is installed, as the start path and the console see it.

Source: `http.md` 5.4; `site.md` 1.13.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.setup.install_state import INSTALL_STATE, InstallFiles, InstallState, Presence, presence
from ems_admin.machines.values.fingerprints import InstallationFacts, Seen
from ems_admin.machines.values.fingerprints import installation_fingerprint as fingerprint_of
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.services import NotSeen, ServiceState

SENTENCES: Final = {
    InstallState.NONE: "Nothing of an EMS is installed here yet.",
    InstallState.LEGACY_ROOT_CONFIG: "There is a configuration in the old place, config.json in the install root.",
    InstallState.STANDARD_CONFIG_ONLY: "There is a configuration, and no EMS is set up to use it.",
    InstallState.COMPOSE_ONLY: "There is a stack file, and no configuration for it.",
    InstallState.STANDARD_INSTALL: "There is an installation that this Admin did not prepare.",
    InstallState.ADMIN_PREPARED_INSTALL: "There is an installation that this Admin prepared.",
    InstallState.PARTIAL_INSTALL: "There are parts of an installation, or files that cannot be read.",
}


@frozen(kw_only=True)
class InstallView:
    """The answer of `GET /api/admin/install-state`."""

    state: InstallState
    recommended_path: str
    """`setup` or `maintenance`."""
    reasons: tuple[str, ...]
    warnings: tuple[str, ...]
    legacy_migration_available: bool
    setup_requires_confirmation: bool


async def install_state(house: House) -> InstallState:
    """Read the install root and classify it."""
    layout = await house.installation.layout()
    marker = await house.records.marker.read()
    seen = Presence.YES if isinstance(marker, Present) else Presence.NO
    if not isinstance(marker, Present | Absent):
        seen = Presence.UNKNOWN
    files = InstallFiles(
        presence(layout.root_config), presence(layout.standard_config), presence(layout.stack_file), seen
    )
    return INSTALL_STATE.classify(files)


async def install_view(house: House) -> InstallView:
    """Say what is installed, and which door fits."""
    state = await install_state(house)
    layout = await house.installation.layout()
    unreadable = None in (layout.root_config, layout.standard_config, layout.stack_file)
    fresh = state in {InstallState.NONE, InstallState.LEGACY_ROOT_CONFIG}
    return InstallView(
        state=state,
        recommended_path="setup" if fresh else "maintenance",
        reasons=(SENTENCES[state],),
        warnings=("Some files of the installation cannot be read.",) if unreadable else (),
        legacy_migration_available=state is InstallState.LEGACY_ROOT_CONFIG,
        setup_requires_confirmation=state is not InstallState.NONE,
    )


async def installation_fingerprint(house: House) -> str | None:
    """Hash everything that a confirmation is about; `None` when a part of it cannot be read."""
    layout = await house.installation.layout()
    if layout.digests is None:
        return None
    digests = {name: digest or Seen.ABSENT for name, digest in layout.digests}
    observation = await house.engine.observe()
    services = None if isinstance(observation, NotSeen) else observation.services
    running = [seen for seen in services or () if seen.state is ServiceState.RUNNING]
    facts = InstallationFacts(
        install_state=await install_state(house),
        standard_config=digests["standard_config"],
        legacy_config=digests["legacy_config"],
        stack_file=digests["stack_file"],
        ems_exists=None if services is None else bool(services),
        ems_running=None if services is None else bool(running),
        ems_image_id=running[0].digest if running else None,
    )
    return fingerprint_of(facts)
