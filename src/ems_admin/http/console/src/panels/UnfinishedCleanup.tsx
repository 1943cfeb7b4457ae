/** An ended Setup that still owns files: what is left, and whether trying again can help. */

import { useState } from "preact/hooks";
import type { CleanupState } from "../generated/machines";
import type { SetupWorkflow } from "../server/shapes";
import { isBusy } from "../stores/acts";
import { retryCleanup } from "../stores/cleanup";
import { actionAt } from "../stores/console";
import { never } from "../setup/steps";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { LeaveFiles } from "./LeaveFiles";

/** Whether the cleanup stands in the way of everything that would come next. */
export function cleanupIsUnfinished(state: CleanupState): boolean {
  switch (state) {
    case "pending":
    case "review_required":
      return true;
    case "not_required":
    case "complete":
      return false;
    default:
      return never(state);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  workflow_directory: "Working folder of the setup",
  generated_config: "Generated configuration",
  generated_metadata: "Notes of the generated configuration",
  legacy_generated_config: "Generated configuration of an older version",
  legacy_generated_metadata: "Notes of an older version",
  deployment_marker: "Marker of the prepared deployment",
};

const STATUSES: Readonly<Record<string, string>> = {
  removed: "removed",
  absent: "was not there",
  failed: "could not be removed",
  review_required: "kept, its owner could not be proven",
  disowned: "kept on your word",
};

/** Why a file was kept, where the server can say it more exactly than by its status. */
const KEPT_BECAUSE: Readonly<Record<string, string>> = {
  setup_artifact_owner_mismatch: "kept, it lies elsewhere than the setup put it",
  generated_config_review_required: "kept, nothing in it says whose it is",
};

export function UnfinishedCleanup({ workflow }: { workflow: SetupWorkflow }) {
  const review = workflow.cleanup.state === "review_required";
  const [leaving, setLeaving] = useState(false);
  return (
    <Note
      tone="attention"
      title={review ? "Some files need your decision" : "The last setup has not been cleared away"}
      actions={
        <>
          <Button kind="primary" busy={isBusy("cleanup")} onClick={() => void retryCleanup(workflow.workflow_id)}>
            {review ? "Recheck" : "Retry cleanup"}
          </Button>
          {actionAt("/api/setup/cleanup/disown")?.enabled && <Button onClick={() => setLeaving(true)}>Leave them as they are</Button>}
          {leaving && <LeaveFiles workflowId={workflow.workflow_id} onClose={() => setLeaving(false)} />}
        </>
      }
    >
      <p>
        {review
          ? "The setup has ended, but it could not be proven that these files are its own, so they were kept. Trying to remove them again would not help; after you have looked at them, recheck."
          : "The setup has ended, but not all of its files could be removed. A new one can begin as soon as they are gone."}
      </p>
      <ul class="facts">
        {workflow.cleanup.artifacts.map((artifact) => (
          <li key={artifact.kind}>
            <span>{KINDS[artifact.kind] ?? artifact.kind}</span>
            <span>{KEPT_BECAUSE[artifact.detail ?? ""] ?? STATUSES[artifact.status] ?? artifact.status}</span>
          </li>
        ))}
      </ul>
    </Note>
  );
}
