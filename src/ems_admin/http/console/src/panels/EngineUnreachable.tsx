/** What runs the EMS cannot be asked: why, and what to do about it. Nothing is concluded from it. */

import type { EngineState } from "../server/shapes";
import { Note } from "../parts/Note";

interface Advice {
  title: string;
  words: string;
  steps: readonly string[];
}

const ADVICE: Readonly<Record<string, Advice>> = {
  docker_socket_not_mounted: {
    title: "EMS Admin has no way to Docker",
    words: "The socket of Docker is not mounted into the container of EMS Admin.",
    steps: [
      "See that Docker runs, and where its socket is: usually /var/run/docker.sock.",
      "Mount it under volumes in docker-compose.admin.yml, or name it as EMS_ADMIN_DOCKER_SOCKET in .env.admin.",
      "Start EMS Admin anew with docker compose up -d.",
    ],
  },
  docker_permission_denied: {
    title: "Docker does not let EMS Admin in",
    words: "The socket is there, but the user of EMS Admin may not use it.",
    steps: [
      "Ask for the group of the socket: stat -c %g /var/run/docker.sock.",
      "Write that number as EMS_ADMIN_DOCKER_GID into .env.admin.",
      "Start EMS Admin anew with docker compose up -d.",
    ],
  },
  docker_daemon_unreachable: {
    title: "Docker does not answer",
    words: "It may be starting, or have stopped. What runs may well go on running; nobody can say from here.",
    steps: ["Wait a minute: this page goes on by itself when Docker is back.", "Otherwise start it on the machine: sudo systemctl start docker."],
  },
  service_manager_unreachable: {
    title: "The service manager of this machine does not answer",
    words: "Services can neither be started nor asked how they are.",
    steps: ["See on the machine whether systemctl --user answers.", "This page goes on by itself when it does."],
  },
};

export function EngineUnreachable({ engine }: { engine: EngineState }) {
  if (engine.code === null) return null;
  const advice = ADVICE[engine.code];
  return (
    <Note tone="trouble" title={advice?.title ?? "What runs the EMS cannot be asked"}>
      {advice && <p>{advice.words}</p>}
      {advice && (
        <ol class="advice">
          {advice.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <p class="hint">Code: {engine.code}</p>
    </Note>
  );
}
