/** The services of the EMS, each with its state and health. */

import type { Service } from "../server/shapes";
import { Pill, type Tone } from "./Note";
import { clockTime } from "./time";
import { reachedFrom } from "../tab/reach";

export function ServiceList({ services }: { services: readonly Service[] }) {
  return (
    <section class="card card-flat" aria-label="Services">
      <h3>Services</h3>
      <ul class="services">
        {services.map((service) => (
          <li key={service.service}>
            <span class="service-name">{service.service}</span>
            <Pill tone={toneOf(service)}>{service.health ?? service.state}</Pill>
            <span class="hint">{wordsOf(service)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function toneOf(service: Service): Tone {
  if (service.health === "healthy") return "good";
  if (service.health === "unhealthy" || service.state === "exited") return "trouble";
  return service.state === "starting" ? "working" : "plain";
}

function wordsOf(service: Service): string {
  const where = service.url ? ` · ${reachedFrom(service.url)}` : "";
  return service.started_at ? `${service.state} since ${clockTime(service.started_at)}${where}` : `${service.state}${where}`;
}
