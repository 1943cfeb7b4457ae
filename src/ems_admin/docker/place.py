"""Where a site lies on its host, which is where its containers see it too. Source: `site.md` 8; `faults.md` D3."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from ems_admin.engines.place import SitePlace


@frozen(kw_only=True)
class DockerPlace(SitePlace):
    """The folders of one site, and the two files that compose reads."""

    @property
    def compose_file(self) -> Path:
        """The readable file of exactly what runs."""
        return self.install_root / "docker-compose.yml"

    @property
    def admin_pin(self) -> Path:
        """The file that names the Admin's image for the next `docker compose up`."""
        return self.install_root / ".env.admin"
