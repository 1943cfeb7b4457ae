"""Preparing the EMS: the generated config goes live, the stack is written, everything it needs is brought here.

Source: `seed 000` 2.2, 5.4; `site.md` 8 (prepare).
"""

from __future__ import annotations

from typing import Final

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.config_commit import WritePath
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.records.setup import OWNER, GeneratedMetadata
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.facts import CLAIM_MARKER, MarkerFacts
from ems_admin.machines.setup.generated_config import GeneratedFacts, deploy_refusal
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.commit import Order, commit_config
from ems_admin.workflows.config.preview import document, revision_of, selected_resources
from ems_admin.workflows.config.staleness import stale
from ems_admin.workflows.config.stored_secrets import secrets_in
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.outcomes import require, require_done
from ems_admin.workflows.ports.builds import Resources
from ems_admin.workflows.ports.engine import Deployment, Progress
from ems_admin.workflows.ports.files import Content, RuntimeIdentity
from ems_admin.workflows.ports.records import RefusalError

ROW: Final = AuthorityRow(
    demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.RESOURCES, Demand.ARTIFACT),
    claim=WorkKind.DEPLOYMENT_PREPARE,
)
MARKER_PATH: Final = "state/.admin-deployment.json"
STEPS: Final = (
    ("engine", "Ask what will run the EMS"),
    ("config", "Write the configuration"),
    ("stack", "Write down what will run"),
    ("fetch", "Fetch the EMS"),
    ("permissions", "Check the permissions"),
    ("marker", "Note what was prepared"),
)


async def prepare(house: House, caller: Caller, workflow_id: str | None, *, overwrite: bool) -> Job:
    """Accept the preparation and let a job do it. Raises `RefusalError`, before any write.

    In this order: `release_not_prepared`, `generated_config_missing`, `generated_config_review_required`,
    `stale_generated_config`, `runtime_identity_missing`, `existing_install_conflict`, `workspace_conflict`.
    """
    plan = _Plan(overwrite=overwrite)
    request = sha256_of({"workflow": workflow_id, "overwrite": overwrite})
    own = {Demand.ARTIFACT: plan.is_deployable}
    async with under(house, caller, ROW, workflow_id=workflow_id, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        job = house.jobs.open(
            job_id=hold.work.id,
            kind=hold.work.kind,
            steps=STEPS,
            workflow_id=workflow_id,
            operation_id=hold.setup.operation_id,
            interruptible=frozenset({"fetch"}),
        )
        house.jobs.run(job, plan.carry_out(hold, job), hold.hand_over())
        return job


async def deployable(hold: Hold) -> None:
    """Check what a preparation checks that may replace what is there, and keep nothing of it."""
    await _Plan(overwrite=True).is_deployable(hold)


@define(kw_only=True, eq=False)
class _Plan:
    """What was found deployable, and is then deployed. Mutable: filled by the checks, read by the worker."""

    overwrite: bool
    build: Resources | None = None
    generated: Content | None = None
    metadata: GeneratedMetadata | None = None
    live_revision: str | None = None
    identity: RuntimeIdentity | None = None

    async def is_deployable(self, hold: Hold) -> None:
        """Find everything that the deployment needs, ownership before freshness; `overwrite` bypasses neither."""
        house, setup = hold.house, hold.setup
        self.build = await selected_resources(house, setup)
        generated = await house.setup_files.generated_config(setup.workflow_id)
        if isinstance(generated, Absent):
            raise RefusalError(Refusal(Code.GENERATED_CONFIG_MISSING))
        if isinstance(generated, Unreadable):
            raise RefusalError(Refusal(Code.GENERATED_CONFIG_REVIEW_REQUIRED, detail=generated.fault))
        metadata = await house.setup_files.generated_metadata(setup.workflow_id)
        self.metadata = metadata.record if isinstance(metadata, Present) else None
        self.generated = generated
        self.live_revision = revision_of(await house.config.config())
        facts = GeneratedFacts(
            metadata=self.metadata, generated_sha256=generated.revision, live_revision=self.live_revision
        )
        if refusal := deploy_refusal(setup, facts):
            raise await self._explained(house, refusal, generated)
        self.identity = await house.installation.runtime_identity()
        if self.identity is None:
            raise RefusalError(Refusal(Code.RUNTIME_IDENTITY_MISSING))
        if not self.overwrite:
            await self._nothing_is_replaced(house, generated)

    async def _explained(self, house: House, refusal: Refusal, generated: Content) -> RefusalError:
        """Show what stands against a generated config that is too old: it was reviewed against another live one."""
        if refusal.code is not Code.STALE_GENERATED_CONFIG or self.metadata is None:
            return RefusalError(refusal)
        reviewed = self.metadata.base_config_revision.expected_revision
        return await stale(house, refusal, document(generated) or {}, base_revision=reviewed)

    async def _nothing_is_replaced(self, house: House, generated: Content) -> None:
        marker = await house.records.marker.read()
        if not isinstance(marker, Present):
            state = await install_state(house)
            applied = self.live_revision == generated.revision and state is InstallState.STANDARD_CONFIG_ONLY
            if state is not InstallState.NONE and not applied:
                raise RefusalError(Refusal(Code.EXISTING_INSTALL_CONFLICT, detail=state))
        elif marker.record.config_sha256 != generated.revision:
            raise RefusalError(Refusal(Code.WORKSPACE_CONFLICT))

    async def carry_out(self, hold: Hold, job: Job) -> None:
        """Do it. The worker carries the workflow it was accepted for, and reads it again before each durable step."""
        if self.build is None or self.generated is None or self.metadata is None or self.identity is None:
            raise LookupError("a plan is checked before it is carried out")
        house, engine = hold.house, hold.house.engine
        deployment = Deployment(manifest=self.build.manifest, stack=self.build.stack)
        job.report(Progress(step="engine"))
        status = await engine.status()
        if not status.ready:
            raise RefusalError(Refusal(status.code or Code.INTERNAL_ERROR, detail=status.detail))
        job.report(Progress(step="config"))
        await standing.still_accepted(house, hold.workflow_id)
        require(await house.installation.workspace())
        await self._write_config(hold, self.generated)
        job.report(Progress(step="stack"))
        await standing.still_accepted(house, hold.workflow_id)
        require_done(await engine.write_stack(deployment))
        job.report(Progress(step="fetch", percent=0))
        require_done(await engine.fetch(deployment, job.report))
        job.report(Progress(step="permissions"))
        verdict = await house.installation.not_writable()
        if verdict is not None:
            raise RefusalError(Refusal(verdict.code, detail=verdict.detail))
        job.report(Progress(step="marker"))
        await self._mark(hold, self.metadata, self.generated, self.identity, deployment)

    async def _write_config(self, hold: Hold, generated: Content) -> None:
        house, workflow_id = hold.house, hold.setup.workflow_id
        secrets = secrets_in(await house.setup_files.generated_credentials(workflow_id))

        async def found_stale() -> None:
            raise await self._explained(house, Refusal(Code.STALE_GENERATED_CONFIG), generated)

        order = Order(
            path=WritePath.SETUP_DEPLOY,
            data=generated.data,
            secrets=secrets,
            base_revision=self.live_revision,
            backup=self.live_revision is not None,
            workflow_id=workflow_id,
        )
        await commit_config(house, order, when_stale=found_stale)

    async def _mark(
        self,
        hold: Hold,
        metadata: GeneratedMetadata,
        generated: Content,
        identity: RuntimeIdentity,
        deployment: Deployment,
    ) -> None:
        house = hold.house
        marker = DeploymentMarker(
            release=deployment.manifest.system_tag,
            config_sha256=generated.revision,
            owner=OWNER,
            workflow_id=hold.setup.workflow_id,
            preview_id=metadata.preview_id,
            images=house.engine.images(deployment),
            engine=house.engine.kind,
            workspace=".",
            puid=identity.puid,
            pgid=identity.pgid,
            permissions_verified=True,
            prepared_at=house.clock.now(),
        )
        await standing.still_accepted(house, hold.workflow_id)
        async with house.records.marker.hold() as held:
            require(await held.commit(marker))
        # Claimed once it is there: until then it names its workflow itself, and a claim on a path where the marker of
        # an older install still lies would make that one our question.
        facts = MarkerFacts(now=house.clock.now(), workflow_id=hold.setup.workflow_id, deployment_marker=MARKER_PATH)
        await house.records.setup.decide(CLAIM_MARKER, facts, hold.caller)
