/** Recovery: quiet while nothing is stuck; otherwise what it can do, each act in a sentence. */

import type { WorkflowLifecycleState } from "../generated/machines";
import { needsDecision } from "../screens/owner";
import { model, offer } from "../stores/console";
import { isBusy } from "../stores/acts";
import { askRecovery, readRecovery, recovered, recoveryPreview } from "../stores/recovery";
import type { Recovered } from "../server/lifecycle_shapes";
import { RELEASE_REASONS, SAFE_ACTIONS } from "../operation/words";
import { jobTitle } from "../setup/jobs";
import { Button } from "../parts/Button";
import { Listed } from "../parts/EndsAndKeeps";
import { Note } from "../parts/Note";
import { clockTime } from "../parts/time";
import { useRead } from "../screens/useRead";

export function RecoveryCard() {
  const lifecycle = model.value?.lifecycle;
  const stuck = lifecycle?.recoverable === true;
  useRead(readRecovery, stuck, lifecycle?.fingerprint);
  if (!lifecycle) return null;
  return (
    <section class="card" aria-labelledby="recovery-card">
      <h2 id="recovery-card">Recovery</h2>
      {recovered.value && <Done result={recovered.value} />}
      {lifecycle.state === "operation_running" ? (
        <p class="soft">
          {lifecycle.operation ? `${jobTitle(lifecycle.operation.kind)}, since ${clockTime(lifecycle.operation.started_at)}.` : "An operation is at a step that may not be cut off."}{" "}
          Recovery waits until it has ended.
        </p>
      ) : stuck ? (
        <Ways state={lifecycle.state} />
      ) : (
        <p class="soft">Nothing is stuck. If something ever cannot be ended in the usual way, the way out appears here.</p>
      )}
    </section>
  );
}

/** Beside an operation that can simply be gone on with, recovery does not push itself forward. */
function Ways({ state }: { state: WorkflowLifecycleState }) {
  const shown = recoveryPreview.value;
  if (!shown) return <div class="bone" aria-busy={isBusy("recovery-preview")} />;
  const { safe, release } = shown;
  if (safe.actions.length === 0 && release.files.length === 0) {
    return (
      <>
        <p class="soft">Nothing can be recovered as it stands.</p>
        <Button icon="restart" busy={isBusy("recovery-preview")} onClick={() => void readRecovery()}>
          Look again
        </Button>
      </>
    );
  }
  return (
    <>
      {safe.actions.length > 0 && (
        <div class="stack">
          <Listed title="Safe recovery" items={safe.actions.map((action) => SAFE_ACTIONS[action] ?? action)} />
          <Button kind={needsDecision(state) ? "primary" : "plain"} reason={closed("recover_safe", safe.available)} onClick={() => askRecovery("safe")}>
            Recover safely
          </Button>
        </div>
      )}
      {release.files.length > 0 && (
        <div class="stack">
          <Listed
            title="Set stale records aside"
            items={release.files.map((file) => `${file.name}: ${RELEASE_REASONS[file.reason] ?? file.reason}`)}
          />
          <p class="soft">Only for what nothing else can end. A copy of every record is kept on the machine.</p>
          <Button reason={closed("recover_release", release.available)} onClick={() => askRecovery("release_stale_state")}>Set aside …</Button>
        </div>
      )}
    </>
  );
}

/** Why one of the two ways is closed, or null. */
function closed(key: string, available: boolean): string | null {
  return available ? null : (offer(key)?.reason?.message ?? "It is not possible at this moment.");
}

function Done({ result }: { result: Recovered }) {
  const released = (result.released ?? []).map((file) => (typeof file === "string" ? file : file.name));
  const done = (result.actions ?? []).map((action) => SAFE_ACTIONS[action as keyof typeof SAFE_ACTIONS] ?? action);
  const items = [...done, ...released.map((name) => `${name} was set aside.`)];
  return (
    <Note tone="good" title="Recovery is done" onDismiss={() => (recovered.value = null)}>
      {items.length > 0 ? (
        <ul class="bullets">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ) : (
        <p>Nothing was left to do.</p>
      )}
      {result.backup && (
        <p>
          The copies lie in <code>{result.backup}</code>.
        </p>
      )}
    </Note>
  );
}
