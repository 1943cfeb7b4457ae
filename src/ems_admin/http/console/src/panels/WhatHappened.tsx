/** Why an operation failed, as it is stored with it: the same after a reload, a new sign-in and another EMS Admin. */

import type { LiveTransition } from "../stores/console";
import { stepWords } from "../operation/replacing";
import { Fact } from "../parts/Fact";
import { clockTime } from "../parts/time";

export function WhatHappened({ operation }: { operation: LiveTransition }) {
  const walk = operation.replacement ?? null;
  const replaced = operation.failed_stage === "admin_reconnect_pending" ? walk : null;
  const ended = replaced?.successor ?? null;
  return (
    <>
      {operation.failure && <p>{operation.failure.message}</p>}
      {operation.error_message && !ended && <p class="hint">{operation.error_message}</p>}
      <dl class="facts">
        {operation.error_code && <Fact name="Code" value={operation.error_code} />}
        {operation.failed_stage && <Fact name="Failed at" value={operation.failed_stage.replaceAll("_", " ")} />}
        {replaced && <Fact name="EMS Admin" value={stepWords(replaced.step, replaced.code != null)} />}
        <Fact name="When" value={clockTime(replaced?.step_at ?? operation.updated_at)} />
        {ended?.exit_code != null && <Fact name="Exit code of the new EMS Admin" value={String(ended.exit_code)} />}
        {replaced?.updater && <Fact name="Exit code of the updater" value={exitWords(replaced.updater)} />}
        <Fact name="Operation" value={operation.operation_id} />
      </dl>
      {ended && <LastWords whose="new EMS Admin" lines={ended.log} />}
      {replaced?.updater && <LastWords whose="updater" lines={replaced.updater.log} />}
    </>
  );
}

function exitWords({ code, oom }: { code: number; oom: boolean }): string {
  return oom ? `${code}, out of memory` : String(code);
}

function LastWords({ whose, lines }: { whose: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details class="log" open>
      <summary>Last words of the {whose}</summary>
      <pre tabIndex={0} aria-label={`Last words of the ${whose}`}>
        {lines.join("\n")}
      </pre>
    </details>
  );
}
