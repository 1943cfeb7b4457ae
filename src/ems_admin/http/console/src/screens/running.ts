/** What the deployment means for the person at home. */

import type { DeploymentState } from "../generated/machines";
import type { ConsoleModel } from "../server/shapes";
import { never } from "../setup/steps";
import type { Tone } from "../parts/Note";
import type { Mood } from "../parts/HousePicture";

export interface Running {
  tone: Tone;
  mood: Mood;
  word: string;
  headline: string;
  sentence: string;
}

export function runningWords(state: DeploymentState, healthy: boolean | null): Running {
  switch (state) {
    case "none":
      return {
        tone: "plain",
        mood: "resting",
        word: "Not set up",
        headline: "No EMS is running yet",
        sentence: "Guided Setup takes you from here to a running energy management in five short steps.",
      };
    case "preparing":
      return {
        tone: "working",
        mood: "working",
        word: "Preparing",
        headline: "Your EMS is being prepared",
        sentence: "Everything it needs is being put in place. You can leave this page; the work goes on.",
      };
    case "prepared":
      return {
        tone: "plain",
        mood: "resting",
        word: "Prepared",
        headline: "Ready to start",
        sentence: "Everything is in place. One step of Guided Setup is left: starting the EMS.",
      };
    case "starting":
      return {
        tone: "working",
        mood: "working",
        word: "Starting",
        headline: "Your EMS is starting",
        sentence: "It is being started and checked. You can leave this page; the work goes on.",
      };
    case "running":
      return runningAs(healthy);
    case "failed":
      return {
        tone: "trouble",
        mood: "troubled",
        word: "Needs attention",
        headline: "The last attempt did not succeed",
        sentence: "Nothing is lost. Guided Setup shows what happened and how to go on.",
      };
    default:
      return never(state);
  }
}

function runningAs(healthy: boolean | null): Running {
  if (healthy === true) {
    return { tone: "good", mood: "running", word: "Healthy", headline: "Your EMS is running", sentence: "It answers its health check and does its work." };
  }
  if (healthy === false) {
    return {
      tone: "trouble",
      mood: "troubled",
      word: "Unhealthy",
      headline: "Your EMS runs, but is not healthy",
      sentence: "It has been started, but does not pass its health check.",
    };
  }
  return {
    tone: "attention",
    mood: "running",
    word: "Running",
    headline: "Your EMS is running",
    sentence: "Whether it is healthy could not be asked just now.",
  };
}

/** Healthy when every service says so; null when one could not be asked. */
export function healthOf(model: ConsoleModel): boolean | null {
  const words = model.deployment.services.map((service) => service.health ?? null);
  if (words.some((word) => word === "unhealthy")) return false;
  return words.length > 0 && words.every((word) => word === "healthy") ? true : null;
}

/** Since when it runs: the oldest service, else the last health check that passed. */
export function runningSince(model: ConsoleModel): string | null {
  const times = model.deployment.services.map((service) => service.started_at).filter((time) => time !== null);
  return times.sort()[0] ?? model.known_good?.healthcheck_at ?? null;
}
