"""An upgrade on real Docker in the browser: through a new Admin to a newer EMS, and back from one that is not well.

Source: `console.md`, screen 5; `site.md` 9; `faults.md` F24, F36, F50.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.docker.upgrade.conftest import site as site  # noqa: PLC0414  # a fixture
from tests.docker.upgrade.site import UpgradeHouse
from tests.e2e import upgrade_paths
from tests.e2e.album import PICTURES, Album
from tests.e2e.conftest import Opening
from tests.e2e.tab import Tab
from tests.e2e.windows import PHONE

pytestmark = pytest.mark.e2e
GONE: Final = r"^50[234] "
"""What the engine's own proxy says while nobody listens behind a published port."""


@pytest.fixture
def address(site: UpgradeHouse) -> str:
    return site.url


def through_the_new_admin(site: UpgradeHouse, open_tab: Opening) -> Tab:
    """Install the good build, and upgrade to the newer one until its Admin serves this very tab."""
    site.install()
    tab = open_tab(width=PHONE)
    tab.expected.append(GONE)
    upgrade_paths.enters(tab)
    upgrade_paths.begins(tab, site.lab.builds["newer"].identity.system_tag)
    upgrade_paths.meets_the_new_admin(tab)
    admin = site.named_admin()
    assert admin is not None
    assert (admin.runs, admin.image_id) == (True, site.lab.builds["newer"].admin_image_id)
    return tab


def test_one_tab_upgrades_admin_and_ems(site: UpgradeHouse, open_tab: Opening) -> None:
    tab, newer = through_the_new_admin(site, open_tab), site.lab.builds["newer"]
    upgrade_paths.sees_done(tab, newer.identity.system_tag)
    assert site.ems_digest == newer.ems.digest
    good = tab.asks("/api/admin/console")["known_good"]
    assert (good["build_id"], good["ems_digest"]) == (newer.identity.build_id, newer.ems.digest)
    Album(tab, into=PICTURES / "docker").look_at_both("docker-upgrade-done")


def test_an_ems_that_is_not_well_goes_back_and_the_admin_is_brought_back_to_it(
    site: UpgradeHouse, open_tab: Opening
) -> None:
    site.newer_is_well = False
    tab, good = through_the_new_admin(site, open_tab), site.lab.builds["good"]
    tab.sees(f"Your EMS runs {good.identity.system_tag} again")
    assert site.ems_digest == good.ems.digest
    Album(tab, into=PICTURES / "docker").look_at_both("docker-upgrade-went-back")
    upgrade_paths.returns(tab, good.identity.system_tag)
    now = tab.asks("/api/admin/console")
    assert now["instance"]["build_id"] == now["known_good"]["build_id"] == good.identity.build_id
    admin = site.named_admin()
    assert admin is not None
    assert (admin.runs, admin.image_id) == (True, good.admin_image_id)
