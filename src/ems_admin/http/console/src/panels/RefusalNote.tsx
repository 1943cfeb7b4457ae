/** A refusal as a sentence, with what can be done about it. */

import type { NextAction } from "../server/shapes";
import { dismissRefusal, isBusy, refusals, type Corner } from "../stores/acts";
import { Button } from "../parts/Button";
import { Note } from "../parts/Note";
import { wayOf } from "./next_actions";

export function RefusalNote({ corner, except }: { corner: Corner; except?: ReadonlySet<string> }) {
  const refusal = refusals.value[corner];
  if (!refusal || except?.has(refusal.error)) return null;
  return (
    <Note tone="attention" urgent onDismiss={() => dismissRefusal(corner)}>
      <p>{refusal.message}</p>
      <NextActions actions={refusal.next_actions} corner={corner} />
    </Note>
  );
}

export function NextActions({ actions, corner, first }: { actions: readonly NextAction[]; corner: Corner; first?: boolean }) {
  if (actions.length === 0) return null;
  return (
    <ul class="row" aria-label="What you can do">
      {actions.map((action, index) => {
        const way = wayOf(action, corner);
        return (
          <li key={action.action}>
            {way ? (
              <Button kind={first && index === 0 ? "primary" : "plain"} busy={isBusy(`continue-${action.path}`)} onClick={way}>
                {action.label}
              </Button>
            ) : (
              <span class="hint">{action.label}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
