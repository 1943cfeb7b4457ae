/** Guided upgrade: a newer build is chosen, verified, planned, and takes the place of the one that runs. */

import { useEffect, useRef } from "preact/hooks";
import { Note } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";
import { Waiting } from "../../parts/Waiting";
import { model, transition, type LiveTransition, type Looked } from "../../stores/console";
import { inPlaceOf, plan } from "../../stores/upgrade_plan";
import { accompanied } from "../../stores/upgrade_run";
import { beginAnew } from "../../stores/upgrade_target";
import { never } from "../../setup/steps";
import { phaseOf, placeOf, type Phase } from "../../upgrade/phase";
import { AdminAlone } from "./AdminAlone";
import { AdminUpdateCard } from "./AdminUpdateCard";
import { ChooseBuild } from "./ChooseBuild";
import { CleanupFirst, SetupFirst, Undecided } from "./InTheWay";
import { Done, Failed } from "./Outcome";
import { PlanView } from "./PlanView";
import { UnderWay } from "./UnderWay";
import { Way } from "./Way";

export function UpgradeRoom() {
  const now = model.value;
  const body = useRef<HTMLDivElement>(null);
  const phase = now ? phaseIn(now) : null;
  const done = now ? justDone() : null;
  const place = phase ? placeOf(phase, { plan: plan.value !== null, result: done !== null }) : "build";
  useFocusOnChange(body, place);
  if (!now || !phase) return <Waiting what="the upgrade" />;
  return (
    <div class="stack-wide">
      <RoomHead title="Guided upgrade" lead="To a newer build, with every step shown before it is taken and a way back." />
      <Way here={place} />
      <div ref={body} class="stack-wide">
        <Body phase={phase} now={now} done={done} />
      </div>
    </div>
  );
}

function phaseIn({ lifecycle, upgrade }: Looked): Phase {
  const anew = inPlaceOf.value !== null && inPlaceOf.value === upgrade.operation_id;
  return phaseOf({ owner: lifecycle.owner, state: lifecycle.state, upgrade: upgrade.state, anew });
}

/** Whoever listens is told that the page has moved on. */
function useFocusOnChange(body: { current: HTMLElement | null }, place: string) {
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      body.current?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
      window.scrollTo({ top: 0 });
    }
    first.current = false;
  }, [place]);
}

/** The upgrade that this tab went along with to its good end, until its operator has seen it. */
function justDone(): LiveTransition | null {
  const operation = transition.value;
  if (operation?.mode !== "guided_upgrade" || operation.stage !== "completed") return null;
  return accompanied.value?.operation_id === operation.operation_id ? operation : null;
}

function Body({ phase, now, done }: { phase: Phase; now: Looked; done: LiveTransition | null }) {
  const operation = transition.value;
  const installed = now.known_good?.system_tag ?? now.instance.system_tag;
  switch (phase) {
    case "setup_first":
      return <SetupFirst />;
    case "cleanup_first":
      return <CleanupFirst setup={now.setup} />;
    case "undecided":
      return <Undecided now={now} />;
    case "admin_alone":
      return <AdminAlone operation={operation} />;
    case "under_way":
      return operation && <UnderWay operation={operation} upgrade={now.upgrade} installed={installed} />;
    case "failed":
      return operation && <Failed now={now} operation={operation} />;
    case "choice":
      if (done !== null) return <Done now={now} operation={done} onLeave={() => ((accompanied.value = null), beginAnew())} />;
      return <Choice installed={installed} />;
    default:
      return never(phase);
  }
}

function Choice({ installed }: { installed: string | null }) {
  if (plan.value) return <PlanView plan={plan.value} installed={installed} />;
  return (
    <>
      <LastTime />
      <ChooseBuild installed={installed} />
      <AdminUpdateCard />
    </>
  );
}

const LAST_TIME: Readonly<Record<string, (tag: string) => string>> = {
  guided_upgrade: (tag) => `The upgrade to ${tag} was completed`,
  align_existing_install: (tag) => `EMS Admin was brought to ${tag}`,
};

/** How the last one ended, as it is on record: the same after a reload and with another EMS Admin. */
function LastTime() {
  const operation = transition.value;
  if (operation?.stage !== "completed") return null;
  const told = LAST_TIME[operation.mode];
  return told ? (
    <Note tone="good" title={told(operation.system_tag)}>
      <p class="hint">{clockTime(operation.updated_at)}</p>
    </Note>
  ) : null;
}
