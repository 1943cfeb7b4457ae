/** An upgrade that rested for longer than it may: it is planned anew for the same build, or given up. */

import type { UpgradeOptions } from "../../server/upgrade_view";
import { Ways } from "../../panels/UnfinishedOperation";
import { RefusalNote } from "../../panels/RefusalNote";
import { Button } from "../../parts/Button";
import { Note } from "../../parts/Note";
import type { LiveTransition } from "../../stores/console";
import { planInPlaceOf } from "../../stores/upgrade_plan";

/** Whether its age closes every way on; a step that was claimed is finished however old it is. */
export function hasExpired(operation: LiveTransition): boolean {
  const reached = operation.stage === "failed_recoverable" ? operation.failed_stage : operation.stage;
  const claimed = operation.stage !== "failed_recoverable" && (reached === "ems_operation_running" || reached === "healthcheck_pending");
  return operation.expiry === "expired" && operation.worker_active !== true && !claimed;
}

export function Expired({ operation, options }: { operation: LiveTransition; options: UpgradeOptions | null }) {
  return (
    <Note
      tone="attention"
      title="This upgrade has expired"
      actions={
        <>
          <Button kind="primary" onClick={() => planInPlaceOf(operation, options)}>
            Plan it anew
          </Button>
          <Ways owner="guided_upgrade" operation={{ ...operation, next_actions: ends(operation) }} corner="upgrade" />
        </>
      }
    >
      <p>It was begun too long ago to be carried on as it is. A new plan for the same build takes its place; nothing of your EMS was lost.</p>
      <RefusalNote corner="upgrade" />
    </Note>
  );
}

/** Only what ends it is left of the ways on. */
function ends(operation: LiveTransition): NonNullable<LiveTransition["next_actions"]> {
  return (operation.next_actions ?? []).filter((action) => action.path.endsWith("/cancel"));
}
