/** While EMS Admin is being replaced: how far that is, from whichever Admin answers, and the last known when none does. */

import type { ReplacementRunState } from "../generated/machines";
import { RefusalNote } from "../panels/RefusalNote";
import { endAsked } from "../panels/EndSetup";
import { model, runningJob, transition } from "../stores/console";
import { watched } from "../stores/replacement";
import { reachable, signedIn } from "../stores/session";
import { checkedWords, stepWords, WALK } from "../operation/replacing";
import { waysOut } from "../operation/ways_out";
import { Button } from "../parts/Button";
import { Fact } from "../parts/Fact";
import { Icon } from "../parts/Icon";
import { Pill } from "../parts/Note";
import { clockTime } from "../parts/time";
import { address } from "../tab/route";

/** `inside`: a part of a screen that has its own title, not a page. */
export function Reconnect({ inside }: { inside?: boolean }) {
  const now = watched.value;
  const job = runningJob.value;
  const step = now?.replacement?.step ?? null;
  const Title = inside ? "h4" : "h1";
  return (
    <section class="card reconnect" aria-labelledby="reconnect" aria-busy="true">
      <header class="job-head">
        <Title id="reconnect">EMS Admin is being replaced</Title>
        <Answering />
      </header>
      <p class="soft">
        {now ? `EMS Admin ${now.system_tag} takes over. ` : ""}Your EMS keeps running. This page goes on by itself; you may be asked to sign
        in once more.
      </p>
      <Walk step={step} />
      <dl class="facts">
        <Fact name="Step" value={now ? stepWords(step, now.replacement?.code != null) : (job?.steps.find((one) => one.status === "running")?.label ?? "About to begin")} />
        <Fact name="Since" value={now?.replacement?.step_at ? clockTime(now.replacement.step_at) : "not known yet"} />
        <Fact name="Entries of the updater" value={String(now?.replacement?.entries ?? "not known yet")} />
        {now?.replacement?.verified_at && <Fact name="Checked" value={checkedWords(now.replacement.verified_at)} />}
        {now?.replacement?.attempt != null && <Fact name="Attempt" value={String(now.replacement.attempt)} />}
      </dl>
      <RefusalNote corner={inside ? "upgrade" : "setup"} />
      <WayOut />
    </section>
  );
}

function Answering() {
  if (reachable.value && signedIn.value) return <Pill tone="working">EMS Admin answers</Pill>;
  return <Pill tone="attention">{reachable.value ? "Sign in to see more" : "The last that was known"}</Pill>;
}

/** The updater's walk. Where it turned back, the words below say so. */
function Walk({ step }: { step: ReplacementRunState | null }) {
  const reached = step === null ? -1 : WALK.indexOf(step);
  return (
    <ol class="job-steps" aria-label="Steps of the replacement">
      {WALK.map((name, index) => (
        <li key={name} class={`job-step job-step-${index < reached ? "done" : index === reached ? "running" : "pending"}`} aria-current={index === reached ? "step" : undefined}>
          <span class="job-sign">{index === reached ? <span class="spinner" aria-hidden="true" /> : <Icon name={index < reached ? "tick" : "dash"} />}</span>
          <span class="job-words">{stepWords(name)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Only what the server offers while it waits: an updater that has not begun can still be called off. */
function WayOut() {
  const live = transition.value;
  const owner = model.value?.lifecycle.owner;
  if (!live || !owner || !reachable.value || !signedIn.value) return null;
  const ways = waysOut(owner, live);
  if (ways.discardSetup) {
    return (
      <div class="row">
        <Button onClick={() => (endAsked.value = "discard")}>Discard setup</Button>
      </div>
    );
  }
  return ways.cancel ? (
    <p>
      <a href={address("recovery")}>See what can be done about it</a>
    </p>
  ) : null;
}
