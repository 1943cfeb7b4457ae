/** Diagnostics: one press, and every part is asked how it is. */

import type { Diagnosis, DiagnosticCheck } from "../../server/maintenance_shapes";
import { JobProgress } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { never } from "../../setup/steps";
import { isBusy } from "../../stores/acts";
import { diagnose, diagnosing, diagnosis } from "../../stores/diagnostics";
import { Button } from "../../parts/Button";
import { HousePicture } from "../../parts/HousePicture";
import { Icon, type IconName } from "../../parts/Icon";
import { Note, type Tone } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";

export function DiagnosticsRoom() {
  const job = diagnosing.value;
  const running = job?.status === "running";
  const found = diagnosis.value;
  return (
    <>
      <RoomHead
        title="Diagnostics"
        lead="Every part of your EMS is asked how it is. Nothing is changed by it."
        actions={
          found && (
            <Button icon="pulse" busy={running || isBusy("diagnose")} onClick={() => void diagnose()}>
              Ask again
            </Button>
          )
        }
      />
      <RefusalNote corner="diagnostics" />
      {!job && <Beginning />}
      {job && job.status !== "succeeded" && <JobProgress job={job} corner="diagnostics" title="Asking every part" />}
      {job?.status === "failed" && (
        <div>
          <Button busy={isBusy("diagnose")} onClick={() => void diagnose()}>
            Try again
          </Button>
        </div>
      )}
      {found && <Found at={found.at} found={found.found} />}
    </>
  );
}

function Beginning() {
  return (
    <div class="empty">
      <HousePicture mood="resting" />
      <p class="soft">Configuration, services, devices, disk and clock: each is looked at once, which takes a few seconds.</p>
      <Button kind="primary" icon="pulse" busy={isBusy("diagnose")} onClick={() => void diagnose()}>
        Run diagnostics
      </Button>
    </div>
  );
}

type Status = DiagnosticCheck["status"];

const SIGNS: Record<Status, { icon: IconName; word: string; tone: Tone }> = {
  ok: { icon: "tick", word: "well", tone: "good" },
  warning: { icon: "warning", word: "to be looked at", tone: "attention" },
  failed: { icon: "cross", word: "not well", tone: "trouble" },
  unavailable: { icon: "dash", word: "could not be asked", tone: "plain" },
};

/** What needs somebody comes first. */
const URGENCY: readonly Status[] = ["failed", "warning", "unavailable", "ok"];

export function Found({ at, found: { checks, summary } }: { at: string; found: Diagnosis }) {
  const sorted = [...checks].sort((one, other) => URGENCY.indexOf(one.status) - URGENCY.indexOf(other.status));
  return (
    <section class="stack-wide" aria-label="What was found">
      <Note tone={SIGNS[summary.status].tone} title={titleOf(summary)}>
        <p class="hint">Asked {clockTime(at)}</p>
      </Note>
      <ul class="diagnosis card card-flat" aria-label="Checks">
        {sorted.map((check) => (
          <li key={check.key} class={`diagnosed diagnosed-${check.status}`}>
            <span class="check-sign">
              <Icon name={SIGNS[check.status].icon} />
            </span>
            <span>
              <strong>{checkName(check.key)}</strong>
              <span class="for-ears">: {SIGNS[check.status].word}.</span> <span class="soft">{check.message}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function titleOf({ status, ok, warning, failed, unavailable }: Diagnosis["summary"]): string {
  const all = ok + warning + failed + unavailable;
  switch (status) {
    case "ok":
      return `All ${all} parts are well`;
    case "warning":
      return warning === 1 ? "One part should be looked at" : `${warning} parts should be looked at`;
    case "failed":
      return failed === 1 ? "One part is not well" : `${failed} parts are not well`;
    case "unavailable":
      return unavailable === 1 ? "One part could not be asked" : `${unavailable} parts could not be asked`;
    default:
      return never(status);
  }
}

/** Where a key alone would not be said at home. */
const NAMES: Readonly<Record<string, string>> = {
  ems: "EMS",
  admin: "EMS Admin",
  config: "Configuration",
  references: "Brokers",
  credentials: "Passwords",
  config_commit: "Last change",
  container_conflict: "Names of services",
  known_good_image: "Way back",
  directories: "Folders",
};

function checkName(key: string): string {
  if (NAMES[key]) return NAMES[key];
  const words = key.replaceAll(/[_:.]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
