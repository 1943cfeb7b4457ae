"""The config as people see it before anything is written: the form, the revisions, a draft worked out for nobody.

Nothing here stores or issues anything. Source: `http.md` 5.3 (config/schema, config/status, validate, download).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.config.preview import Reviewed, review, revision_of, selected_resources
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.files import Content
from ems_admin.workflows.ports.records import RefusalError


@frozen(kw_only=True)
class ConfigForm:
    """What a draft of the selected build may hold, what it starts from, and an example if the build brings one."""

    schema: Mapping[str, Any]
    template: Mapping[str, Any]
    example: Mapping[str, Any] | None


@frozen(kw_only=True)
class ConfigStatus:
    """The revisions of the generated and of the live config; `None` where there is none."""

    generated: str | None
    live: str | None


async def config_form(house: House) -> ConfigForm:
    """Read the form of the selected build. Raises `RefusalError` with `release_not_prepared`."""
    build = await selected_resources(house, await house.records.setup.current())
    return ConfigForm(schema=build.schema, template=build.template, example=build.example)


async def config_status(house: House) -> ConfigStatus:
    """Read both revisions. Raises `RefusalError` with `config_unreadable`."""
    setup = await house.records.setup.current()
    generated = await house.setup_files.generated_config(setup.workflow_id) if setup else None
    return ConfigStatus(
        generated=generated.revision if isinstance(generated, Content) else None,
        live=revision_of(await house.config.config()),
    )


async def check(house: House, draft: Draft) -> Reviewed:
    """Work a draft out as its preview would, and issue nothing."""
    return await review(house, draft, await house.records.setup.current())


async def download(house: House, draft: Draft) -> bytes:
    """Give the config of a draft as a file. Raises `RefusalError` with `validation_failed` and every finding."""
    reviewed = await check(house, draft)
    if not reviewed.ready:
        raise RefusalError(Refusal(Code.VALIDATION_FAILED, more={"errors": reviewed.findings}))
    return reviewed.composed.data
