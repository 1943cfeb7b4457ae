"""Where a site lies on its host, which is where its containers see it too. Source: `site.md` 4, 8; `faults.md` D3."""

from __future__ import annotations

from pathlib import Path

from attrs import field, frozen

from ems_admin.engines.naming import site_name


def _absolute(path: Path) -> Path:
    return path.absolute()


@frozen(kw_only=True)
class DockerPlace:
    """The folders of one site."""

    install_root: Path = field(converter=_absolute)
    admin_data: Path = field(converter=_absolute)

    @property
    def site(self) -> str:
        """By what its containers are known."""
        return site_name(self.install_root)

    @property
    def config(self) -> Path:
        """What the EMS reads."""
        return self.install_root / "config"

    @property
    def data(self) -> Path:
        """What the EMS writes."""
        return self.install_root / "data"

    @property
    def compose_file(self) -> Path:
        """The readable file of exactly what runs."""
        return self.install_root / "docker-compose.yml"

    @property
    def admin_pin(self) -> Path:
        """The file that names the Admin's image for the next `docker compose up`."""
        return self.install_root / ".env.admin"
