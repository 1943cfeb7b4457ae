"""The State screen: every machine as a picture, lit where it stands, with what it did last. `console.md`, screen 9."""

from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e import journey
from tests.e2e.album import Album
from tests.e2e.conftest import Opening
from tests.e2e.tab import PATIENCE
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e
LIT: Final = {"guided_setup": "active", "system_alignment": "resources_verified", "work": None}
"""Where these stand after a build was fetched."""


def test_every_machine_is_drawn_and_lit_where_it_stands(open_tab: Opening, visitor: Visitor) -> None:
    journey.to_config(visitor)
    tab = open_tab()
    tab.open("#/state")
    tab.sign_in()
    tab.sees("Last transitions")
    machines = tab.part("Machines", "navigation").get_by_role("link")
    states = visitor.console()["machines"]
    assert machines.count() == len(states)
    album = Album(tab)
    for name, state in states.items():
        tab.open(f"#/state/{name}")
        diagram = tab.page.locator(".diagram svg")
        expect(diagram).to_be_visible(timeout=PATIENCE)
        lit = tab.page.locator(".diagram .lit")
        expect(lit).to_have_count(0 if state is None else 1)
        if state is not None:
            expect(lit).to_have_attribute("id", f"state-{state}")
    tab.open("#/state/system_alignment")
    tab.sees("Last transitions")
    expect(tab.page.get_by_text("admin aligned → resources verified")).to_be_visible()
    album.look("state-of-the-operation")
