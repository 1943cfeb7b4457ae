/** Where the operator is. The address bar holds it, so that the back button works. */

import { computed, signal } from "@preact/signals";

export const PLACES = ["home", "setup", "maintenance", "recovery", "state"] as const;
export type Place = (typeof PLACES)[number];

const hash = signal(window.location.hash);
window.addEventListener("hashchange", () => {
  hash.value = window.location.hash;
});

/** `#/state/cleanup` is the place `state` with the detail `cleanup`. */
const parts = computed(() => hash.value.replace(/^#\/?/, "").split("/"));

export const place = computed<Place>(() => PLACES.find((name) => name === parts.value[0]) ?? "home");
export const detail = computed(() => parts.value[1] ?? null);

export function address(to: Place, inside?: string): string {
  return to === "home" ? "#/" : `#/${to}${inside ? `/${inside}` : ""}`;
}

export function go(to: Place, inside?: string): void {
  window.location.hash = address(to, inside);
  // The event comes later; whoever asks in between must not be told the old place.
  hash.value = window.location.hash;
}
