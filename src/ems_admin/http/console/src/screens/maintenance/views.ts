/** The views of the configuration, each with an address of its own, so that the back button goes through them. */

import { go } from "../../tab/route";

export const VIEWS = ["form", "json", "history", "review", "migration"] as const;
export type View = (typeof VIEWS)[number];

export function viewNamed(name: string | null): View {
  return VIEWS.find((view) => view === name) ?? "form";
}

export function openView(view: View): void {
  go("maintenance", "config", view === "form" ? undefined : view);
  window.scrollTo({ top: 0 });
}
