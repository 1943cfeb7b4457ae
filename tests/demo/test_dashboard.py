"""The dashboard of the demo EMS in a real browser, on a phone and on a desk, by day and by night."""

from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from tests.demo.ems_process import Home, config, running

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.mark.e2e
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
async def test_the_dashboard_shows_the_house_and_turns_its_switches(tmp_path: Path, width: int, scheme: str) -> None:
    faults: list[str] = []
    with running(Home(tmp_path, config())) as ems:
        ems.until_it_answers()
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            context = await browser.new_context(viewport={"width": width, "height": 900})
            page = await context.new_page()
            await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
            await page.goto(ems.url)
            await page.wait_for_selector("#health.well")
            await page.wait_for_selector("#plot path.curve.house")
            assert "W" in (await page.text_content("#house") or "")
            assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            await page.click("#show-recent")
            await page.locator("#plot text", has_text="now").wait_for()
            await page.focus("#plot")
            await page.keyboard.press("ArrowLeft")
            assert await page.locator("#plot .dot").count() == 4
            switch = page.locator("[data-key='features.winter_mode']")
            async with page.expect_response("**/api/overrides"):
                await switch.click()
            assert await switch.is_checked()
            assert ems.ask("/api/live")[1]["switches"]["features.winter_mode"] is True
            await browser.close()
    assert faults == []
