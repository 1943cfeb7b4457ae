/** A list of things that must be so, each with what is known about it. "Not known" is its own answer. */

import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";

export type Verdict = "yes" | "no" | "unknown" | "waiting";

export interface Check {
  key: string;
  label: string;
  verdict: Verdict;
  detail?: ComponentChildren;
}

const SPOKEN: Record<Verdict, string> = { yes: "passed", no: "failed", unknown: "not known", waiting: "not yet" };

export function verdictOf(value: boolean | null | undefined): Verdict {
  if (value === true) return "yes";
  return value === false ? "no" : "unknown";
}

export function Checks({ title, checks, columns }: { title: string; checks: readonly Check[]; columns?: boolean }) {
  return (
    <ul class={columns ? "checks checks-columns" : "checks"} aria-label={title}>
      {checks.map((check) => (
        <li key={check.key} class={`check check-${check.verdict}`}>
          <span class="check-sign">
            <Sign verdict={check.verdict} />
          </span>
          <span class="check-words">
            <span>{check.label}</span>
            <span class="for-ears">: {SPOKEN[check.verdict]}</span>
            {check.detail && <span class="check-detail">{check.detail}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Sign({ verdict }: { verdict: Verdict }) {
  if (verdict === "yes") return <Icon name="tick" />;
  if (verdict === "no") return <Icon name="cross" />;
  return <Icon name="dash" />;
}
