/** Where the operator is. The address bar holds it, so that the back button works. */

import { computed, signal } from "@preact/signals";

export const PLACES = ["home", "setup", "maintenance", "recovery", "state"] as const;
export type Place = (typeof PLACES)[number];

const hash = signal(window.location.hash);
window.addEventListener("hashchange", () => {
  hash.value = window.location.hash;
});

/** `#/maintenance/config/history` is the place `maintenance`, its detail `config`, and further inside it `history`. */
const parts = computed(() => hash.value.replace(/^#\/?/, "").split("/"));

export const place = computed<Place>(() => PLACES.find((name) => name === parts.value[0]) ?? "home");
export const detail = computed(() => parts.value[1] ?? null);
export const further = computed(() => (parts.value[2] ? decodeURIComponent(parts.value[2]) : null));

/** Ask before something that takes a while; the function answers later whether the operator is still in the same place. */
export function staysHere(): () => boolean {
  const here = hash.value;
  return () => hash.value === here;
}

export function address(to: Place, inside?: string, deeper?: string): string {
  if (to === "home") return "#/";
  return `#/${[to, inside, deeper && encodeURIComponent(deeper)].filter(Boolean).join("/")}`;
}

export function go(to: Place, inside?: string, deeper?: string): void {
  window.location.hash = address(to, inside, deeper);
  // The event comes later; whoever asks in between must not be told the old place.
  hash.value = window.location.hash;
}
