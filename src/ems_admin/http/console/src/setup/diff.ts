/** A unified diff as lines to draw. */

export type DiffLineKind = "added" | "removed" | "same" | "place";

export interface DiffLine {
  kind: DiffLineKind;
  text: string;
  /** Line numbers before and after, null where the line is not there. */
  before: number | null;
  after: number | null;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

export function diffLines(text: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let inside = false;
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const place = PLACE.exec(line);
    if (place) {
      before = Number(place[1]);
      after = Number(place[2]);
      inside = true;
      lines.push({ kind: "place", text: `Line ${Math.max(1, after)}`, before: null, after: null });
    } else if (!inside || line.startsWith("\\")) {
      // File names, and the note about a missing last newline, tell an operator nothing.
      continue;
    } else if (line.startsWith("+")) {
      lines.push({ kind: "added", text: line.slice(1), before: null, after: after++ });
    } else if (line.startsWith("-")) {
      lines.push({ kind: "removed", text: line.slice(1), before: before++, after: null });
    } else {
      lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
    }
  }
  return lines;
}

export function countChanges(lines: readonly DiffLine[]): { added: number; removed: number } {
  return {
    added: lines.filter((line) => line.kind === "added").length,
    removed: lines.filter((line) => line.kind === "removed").length,
  };
}
