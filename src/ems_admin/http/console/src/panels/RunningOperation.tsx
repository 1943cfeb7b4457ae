/** Refused because something runs: what it is, since when, how far, what ends it; to wait for, or to leave. */

import type { Refusal } from "../server/shapes";
import { dismissRefusal, type Corner } from "../stores/acts";
import { model } from "../stores/console";
import { jobTitle } from "../setup/jobs";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { clockTime } from "../parts/time";
import { go, place } from "../tab/route";

export const RUNNING_CODES: ReadonlySet<string> = new Set([
  "setup_operation_in_progress",
  "work_in_progress",
  "workflow_operation_in_progress",
  "mutation_in_progress",
  "transition_worker_active",
  "replacement_active",
]);

export function RunningOperation({ refusal, corner }: { refusal: Refusal; corner: Corner }) {
  const running = model.value?.lifecycle.operation ?? null;
  const kind = running?.kind ?? (typeof refusal.operation === "string" ? refusal.operation : null);
  const close = () => dismissRefusal(corner);
  return (
    <Note
      tone="working"
      title={running ? "Something is running" : "It has ended meanwhile"}
      urgent
      actions={
        <>
          <Button kind="primary" onClick={close}>
            {running ? "Wait here" : "Try again"}
          </Button>
          {running && place.value !== "home" && <Button onClick={() => (close(), go("home"))}>Leave</Button>}
        </>
      }
    >
      <p>{refusal.message}</p>
      {running && (
        <dl class="facts">
          <div>
            <dt>What</dt>
            <dd>{jobTitle(kind ?? "")}</dd>
          </div>
          <div>
            <dt>Since</dt>
            <dd>{clockTime(running.started_at)}</dd>
          </div>
          {running.stage && (
            <div>
              <dt>Step</dt>
              <dd>{running.stage.replaceAll("_", " ")}</dd>
            </div>
          )}
          <div>
            <dt>Ends</dt>
            <dd>by itself; it goes on when you leave</dd>
          </div>
        </dl>
      )}
    </Note>
  );
}
