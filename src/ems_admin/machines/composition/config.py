"""Rows 19 to 25a: the config between Setup and Maintenance. Nothing is written that was made against another one.

Source: `seed 000` 2.1 to 2.3, 3, 3.1.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.composition.row import (
    SETUP,
    SETUP_FAILED,
    Given,
    LiveConfig,
    Operation,
    Row,
    Then,
    Verdict,
    acts,
)
from ems_admin.machines.workflow_lifecycle import Owner, State


def setup(words: str) -> Given:
    """Stand in a Setup whose build is verified."""
    return Given(words=words, owner=SETUP, state=State.ACTIVE, operation=Operation.RESOURCES_VERIFIED)


WRITES: Final = (
    Row(
        number="19",
        given=SETUP_FAILED,
        when="The person saves an edit of the config under Maintenance",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SYSTEM_TRANSITION_IN_PROGRESS,),
            live_config=LiveConfig.MAY_CHANGE,
            view="Maintenance: saving is closed until the operation is over, and open from then on",
            offers=acts("resume", "abandon"),
        ),
    ),
    Row(
        number="20",
        given=Given(words="A Setup was discarded", owner=Owner.NONE, state=State.IDLE, operation=Operation.CANCELLED),
        when="The person saves an edit of the config under Maintenance",
        then=Then(live_config=LiveConfig.MAY_CHANGE, view="Maintenance: the edit is saved", offers=acts("start_setup")),
    ),
    Row(
        number="21",
        given=setup("The config was saved under Maintenance after the Setup had written its own"),
        when="The Setup prepares its EMS with what it had written",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.STALE_GENERATED_CONFIG,),
            view="the deployment step: what was written is older than what is live",
            offers=acts("preview_config", "abandon"),
            withholds=acts("deployment_prepare"),
        ),
    ),
    Row(
        number="21a",
        given=setup("A generated config lies there, and nothing says whose it is"),
        when="The Setup prepares its EMS with it",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.GENERATED_CONFIG_REVIEW_REQUIRED,),
            view="back to the preview; the file is named and stays",
            offers=acts("preview_config", "abandon"),
            withholds=acts("deployment_prepare"),
        ),
    ),
)

PREVIEWS: Final = (
    Row(
        number="24",
        given=setup("A draft was previewed, and the live config changed after that"),
        when="The Setup applies the draft, and somebody with another preview writes it",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.STALE_SETUP_CONFIG, Code.STALE_SETUP_CONFIG),
            view="the config has changed: look at the difference, and review again",
            offers=acts("preview_config", "abandon"),
            withholds=acts("apply_config", "write_config"),
        ),
    ),
    Row(
        number="25",
        given=setup("A draft was previewed"),
        when="A request comes with a config revision alone, and one that names no preview",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_WORKFLOW_REQUIRED, Code.SETUP_PREVIEW_REQUIRED),
            view="the Setup as it was; its own preview can still be carried out",
            offers=acts("apply_config", "write_config"),
        ),
    ),
    Row(
        number="25a",
        given=setup("A second Setup has taken the place of the one that an old tab still shows"),
        when="The old tab previews, applies, writes, prepares, starts and discards",
        then=Then(
            verdict=Verdict.REFUSED,
            codes=(Code.SETUP_WORKFLOW_NOT_ACTIVE,) * 6,
            view="another Setup is open: open it, or let the local draft go",
            offers=acts("preview_config", "abandon"),
        ),
    ),
)
