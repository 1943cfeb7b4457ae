"""A real site in a folder, served on a real socket in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from attrs import define, field

from ems_admin.http.desk import Desk
from ems_admin.http.listening import Listen
from ems_admin.http.serving import Serving, served
from ems_admin.native.place import Place
from ems_admin.site import Options, Site
from ems_admin.workflows.house import House
from tests.http.browser import Browser
from tests.native.host import kill_marked

Tree = dict[str, tuple[int, int, bytes]]


@define
class Scene:
    """One served site with all the browsers that look at it."""

    root: Path
    house: House
    desk: Desk
    url: str
    code: str | None
    browsers: list[Browser] = field(factory=list)

    def browser(self) -> Browser:
        self.browsers.append(Browser(self.url))
        return self.browsers[-1]

    async def person(self) -> Browser:
        return await self.browser().sign_in()

    def tree(self) -> Tree:
        """Give inode, time and bytes of every file that belongs to the site, logs and runtime data of the EMS aside."""
        return {
            str(path.relative_to(self.root)): (path.lstat().st_ino, path.lstat().st_mtime_ns, path.read_bytes())
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {"logs", "data"} & set(path.relative_to(self.root).parts)
        }

    def state(self) -> Tree:
        """Give records and configs alone: the journal tells of refusals, and lock files say who holds them."""
        return {
            path: seen
            for path, seen in self.tree().items()
            if not (path.endswith((".lock", ".jsonl")) or "/releases/" in path)
        }


@asynccontextmanager
async def scene(root: Path, catalogue: Path, **serving: object) -> AsyncIterator[Scene]:
    options = Options.at(root, {}, catalogue=str(catalogue), stability=timedelta(seconds=0.2))
    place = Place(install_root=root, admin_data=options.admin_data, releases=options.admin_data / "releases")
    try:
        async with (
            Site.open(options) as site,
            served(site.house, site.hints, Serving(listen=Listen("127.0.0.1", 0), **serving)) as server,  # type: ignore[arg-type]
        ):
            found = Scene(root, site.house, server.desk, server.url, server.code)
            try:
                yield found
            finally:
                for browser in found.browsers:
                    await browser.close()
    finally:
        kill_marked(place.site)
