/** A refusal as a sentence, with what can be done about it. */

import type { NextAction } from "../server/shapes";
import { dismissRefusal, isBusy, refusals, type Corner } from "../stores/acts";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { wayOf } from "./next_actions";
import { RUNNING_CODES, RunningOperation } from "./RunningOperation";

export function RefusalNote({ corner, except }: { corner: Corner; except?: ReadonlySet<string> }) {
  const refusal = refusals.value[corner];
  if (!refusal || except?.has(refusal.error)) return null;
  if (RUNNING_CODES.has(refusal.error)) return <RunningOperation refusal={refusal} corner={corner} />;
  return (
    <Note tone="attention" urgent onDismiss={() => dismissRefusal(corner)}>
      <p>{refusal.message}</p>
      <NextActions actions={refusal.next_actions} corner={corner} />
    </Note>
  );
}

/** Only what this console can do becomes a button. */
export function NextActions({ actions, corner, first }: { actions: readonly NextAction[]; corner: Corner; first?: boolean }) {
  const ways = actions.flatMap((action) => {
    const way = wayOf(action, corner);
    return way ? [{ action, way }] : [];
  });
  if (ways.length === 0) return null;
  return (
    <ul class="row" aria-label="What you can do">
      {ways.map(({ action, way }, index) => (
        <li key={action.action}>
          <Button kind={first && index === 0 ? "primary" : "plain"} busy={isBusy(`continue-${action.path}`)} onClick={way}>
            {action.label}
          </Button>
        </li>
      ))}
    </ul>
  );
}
