/** Times as people say them. The server speaks UTC, the operator's clock does not. */

const DAY = 86_400_000;

export function clockTime(iso: string | null | undefined, now = new Date()): string {
  const time = parsed(iso);
  if (!time) return "unknown";
  const hours = time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (time.toDateString() === now.toDateString()) return hours;
  if (time.toDateString() === new Date(now.getTime() - DAY).toDateString()) return `yesterday, ${hours}`;
  return `${time.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" })}, ${hours}`;
}

export function day(iso: string | null | undefined): string {
  return parsed(iso)?.toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" }) ?? "unknown";
}

export function duration(from: string, to: string | null, now = new Date()): string {
  const start = parsed(from);
  if (!start) return "";
  const seconds = Math.max(0, Math.round(((parsed(to) ?? now).getTime() - start.getTime()) / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function parsed(iso: string | null | undefined): Date | null {
  if (!iso) return null;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? null : time;
}
