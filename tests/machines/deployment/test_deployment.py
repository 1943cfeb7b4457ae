"""The deployment as it is shown."""

from ems_admin.machines.deployment import DEPLOYMENT, Deployment
from tests.machines.verdicts import questions, replay, texts, unused


def test_a_deployment_is_shown_as_written() -> None:
    """`site.md` 2."""
    (path,) = texts(__file__)
    text = path.read_text(encoding="utf-8")
    assert replay(text, Deployment, lambda asked: str(DEPLOYMENT.classify(asked))) == text
    assert not unused(DEPLOYMENT, list(questions(text, Deployment)))
