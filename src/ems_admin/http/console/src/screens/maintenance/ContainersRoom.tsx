/** The services of this machine: how each is doing, what it wrote, and stopping or starting it. */

import { useEffect, useState } from "preact/hooks";
import type { Container, ContainerAct, ServiceHealth } from "../../server/maintenance_shapes";
import { EngineUnreachable } from "../../panels/EngineUnreachable";
import { JobProgress } from "../../panels/JobProgress";
import { RefusalNote } from "../../panels/RefusalNote";
import { isBusy } from "../../stores/acts";
import { model, newestJob, runningJob } from "../../stores/console";
import { containers, control, unseen, watchContainers } from "../../stores/containers";
import { jobTitle } from "../../setup/jobs";
import { never } from "../../setup/steps";
import { Button } from "../../parts/Button";
import { Icon, type IconName } from "../../parts/Icon";
import { Note, Pill, type Tone } from "../../parts/Note";
import { RoomHead } from "../../parts/RoomHead";
import { clockTime } from "../../parts/time";
import { Waiting } from "../../parts/Waiting";
import { address, further } from "../../tab/route";
import { AskFirst } from "./AskFirst";
import { ServiceLog } from "./ServiceLog";

export function ContainersRoom() {
  useEffect(watchContainers, []);
  const seen = containers.value;
  const job = newestJob(["container_action"]);
  const engine = model.value?.engine;
  return (
    <>
      <RoomHead title="Services" lead="Every part that runs here for your EMS." />
      {engine && <EngineUnreachable engine={engine} />}
      {unseen.value && engine?.code === null && <Note tone="attention" title={unseen.value} urgent />}
      <RefusalNote corner="containers" />
      {job && job.status !== "succeeded" && <JobProgress job={job} corner="containers" title={jobTitle(job.kind)} />}
      {seen === null && !unseen.value && <Waiting what="the services" />}
      {seen?.length === 0 && (
        <div class="empty">
          <h3>No services yet</h3>
          <p class="soft">Nothing has been started on this machine. Guided setup gets you there.</p>
        </div>
      )}
      <ul class="stack" aria-label="Services">
        {seen?.map((container) => (
          <li key={container.service}>
            <ServiceCard container={container} reading={further.value === container.service} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ServiceCard({ container, reading }: { container: Container; reading: boolean }) {
  const { service, state, started_at: since } = container;
  const words = standing(container);
  return (
    <article class="service-card card card-flat" aria-label={service}>
      <header class="device-head">
        <span class="device-sign">
          <Icon name={container.protected ? "lock" : "box"} size="large" />
        </span>
        <div class="device-name">
          <h3>{SERVICE_NAMES[service] ?? service}</h3>
          <p class="hint">
            {state === "running" && since ? `Since ${clockTime(since)}` : words.sentence}
            {container.image && <span class="service-image"> · {container.image}</span>}
          </p>
        </div>
        <Pill tone={words.tone}>{words.word}</Pill>
      </header>
      <div class="row">
        {container.ours && !container.protected && <Acts container={container} />}
        <a class="button button-quiet" href={address("maintenance", "containers", reading ? undefined : service)}>
          <Icon name="file" />
          <span>{reading ? "Close the log" : "Log"}</span>
          <span class="for-ears"> of {service}</span>
        </a>
      </div>
      {!container.ours && !container.protected && <p class="hint">It bears the name of a service, but was not started from here; it is left alone.</p>}
      {container.protected && <p class="hint">This is EMS Admin itself; it cannot be stopped from its own page.</p>}
      {reading && <ServiceLog service={service} />}
    </article>
  );
}

const SERVICE_NAMES: Readonly<Record<string, string>> = { ems: "EMS", "ems-admin": "EMS Admin", admin: "EMS Admin" };

interface Standing {
  tone: Tone;
  word: string;
  sentence: string;
}

function standing({ state, health }: Container): Standing {
  switch (state) {
    case "running":
      return running(health);
    case "starting":
    case "restarting":
      return { tone: "working", word: "starting", sentence: "It is starting" };
    case "stopped":
      return { tone: "attention", word: "stopped", sentence: "It was stopped, and stays so until it is started" };
    case "exited":
      return { tone: "trouble", word: "ended", sentence: "It has ended by itself" };
    case "absent":
      return { tone: "plain", word: "not there", sentence: "It has not been started here" };
    case "unknown":
      return { tone: "plain", word: "unknown", sentence: "It could not be asked" };
    default:
      return never(state);
  }
}

function running(health: ServiceHealth): Standing {
  switch (health) {
    case "healthy":
      return { tone: "good", word: "healthy", sentence: "It is well" };
    case "starting":
      return { tone: "working", word: "starting", sentence: "It is starting" };
    case "unhealthy":
      return { tone: "trouble", word: "not well", sentence: "It says that it is not well" };
    case "unknown":
      return { tone: "plain", word: "running", sentence: "It runs" };
    default:
      return never(health);
  }
}

interface Question {
  act: ContainerAct;
  label: string;
  icon: IconName;
  sentence: string;
}

const STOP: Question = { act: "stop", label: "Stop", icon: "stop", sentence: "While it is stopped, nothing in your home is managed by it. It stays stopped until you start it." };
const RESTART: Question = { act: "restart", label: "Restart", icon: "restart", sentence: "It is stopped and started again. That takes some seconds, in which nothing in your home is managed by it." };

function Acts({ container }: { container: Container }) {
  const { service, state } = container;
  const [asked, setAsked] = useState<Question | null>(null);
  const runs = state === "running" || state === "starting" || state === "restarting";
  const reason = runningJob.value ? "Wait until the work that is under way has ended." : null;
  return (
    <>
      {!runs && (
        <Button kind="primary" icon="play" reason={reason} busy={isBusy(`start-${service}`)} label={`Start ${service}`} onClick={() => void control(service, "start")}>
          Start
        </Button>
      )}
      {runs &&
        [RESTART, STOP].map((question) => (
          <Button
            key={question.act}
            icon={question.icon}
            reason={reason}
            reasonIsShown={question.act === "stop"}
            busy={isBusy(`${question.act}-${service}`)}
            label={`${question.label} ${service}`}
            onClick={() => setAsked(question)}
          >
            {question.label}
          </Button>
        ))}
      {asked && (
        <AskFirst
          title={`${asked.label} ${service}?`}
          yes={asked.label}
          no="Leave it running"
          danger={asked.act === "stop"}
          busy={isBusy(`${asked.act}-${service}`)}
          onClose={() => setAsked(null)}
          onYes={() => void control(service, asked.act).finally(() => setAsked(null))}
        >
          <p>{asked.sentence}</p>
        </AskFirst>
      )}
    </>
  );
}
