"""What every code means to a person: one sentence that says what to do, and the ways on.

One catalogue over the whole vocabulary: a code without a sentence, or with two, fails at import.
Source: `site.md` 1.1, `http.md` 5.6, `faults.md` F45.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import DeclarationError
from ems_admin.machines.refusal_sentences import (
    access,
    builds,
    config,
    deployment,
    lifecycle,
    operation,
    replacement,
    setup,
    storage,
)
from ems_admin.machines.refusal_sentences.sentence import Action, Method, Sentence

__all__ = ("REFUSALS", "SUBJECTS", "Action", "Method", "Sentence", "sentence")

SUBJECTS: Final[Mapping[str, Mapping[Code, Sentence]]] = {
    "Requests": access.REQUESTS,
    "Signing in": access.SIGN_IN,
    "The site and its work": access.SITE,
    "Guided Setup": setup.WORKFLOW,
    "Confirming a setup": setup.CONFIRMATION,
    "The reviewed configuration": setup.PREVIEW,
    "The setup and its operation": setup.OWNERSHIP,
    "What a setup leaves behind": setup.CLEANUP,
    "The operation": operation.OPERATION,
    "Outcomes that cannot be proven": operation.OUTCOMES,
    "The record of the operation": operation.RECORD,
    "The EMS under an operation": operation.EMS,
    "Who owns the console": lifecycle.LIFECYCLE,
    "What recovery sets aside": lifecycle.RELEASE,
    "Builds": builds.BUILDS,
    "Upgrading": builds.UPGRADE,
    "The chosen build": builds.SELECTION,
    "Preparing the EMS": deployment.PREPARATION,
    "Starting the EMS": deployment.START,
    "The engine": deployment.ENGINE,
    "Images": deployment.IMAGES,
    "Replacing the Admin": replacement.REPLACEMENT,
    "Writing the configuration": config.WRITING,
    "Backups": config.BACKUPS,
    "Checks of a configuration": config.ENTRIES,
    "Storage": storage.STORAGE,
    "Warnings": storage.WARNINGS,
}
"""In the order in which a person meets them."""


def _catalogue(subjects: Iterable[Mapping[Code, Sentence]]) -> Mapping[Code, Sentence]:
    told = [(code, sentence) for subject in subjects for code, sentence in subject.items()]
    codes = [code for code, _ in told]
    faults = [f"{code} has no sentence" for code in Code if code not in codes]
    faults += [f"{code} has two sentences" for code in Code if codes.count(code) > 1]
    if faults:
        raise DeclarationError("refusals", faults)
    return dict(told)


REFUSALS: Final = _catalogue(SUBJECTS.values())


def sentence(code: Code) -> Sentence:
    """Give what a person is told. Total over `Code`."""
    return REFUSALS[code]
