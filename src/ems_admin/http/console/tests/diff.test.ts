import { expect, test } from "vitest";
import { countChanges, diffLines } from "../src/setup/diff";

const TEXT = `--- live
+++ new
@@ -1,4 +1,5 @@
 {
-  "deadband": 20,
+  "deadband": 30,
+  "dry_run": false,
   "loop": 5
 }
`;

test("every line keeps its kind, its words and its numbers", () => {
  expect(diffLines(TEXT).map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ["place", "Line 1", null, null],
    ["same", "{", 1, 1],
    ["removed", '  "deadband": 20,', 2, null],
    ["added", '  "deadband": 30,', null, 2],
    ["added", '  "dry_run": false,', null, 3],
    ["same", '  "loop": 5', 3, 4],
    ["same", "}", 4, 5],
  ]);
});

test("the changes are counted without the names of the files", () => {
  expect(countChanges(diffLines(TEXT))).toEqual({ added: 2, removed: 1 });
});

test("a second place begins its own numbers", () => {
  const lines = diffLines("@@ -1 +1 @@\n-a\n+b\n@@ -40,2 +40,2 @@\n c\n-d\n+e\n");
  expect(lines.at(-1)).toEqual({ kind: "added", text: "e", before: null, after: 41 });
});

test("a line that itself begins with signs is kept whole", () => {
  expect(diffLines("@@ -0,0 +1 @@\n+++ not a file\n").at(-1)?.text).toBe("++ not a file");
});

test("the note about a missing last newline is no line", () => {
  expect(diffLines("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n")).toHaveLength(3);
});

test("no difference is no line", () => {
  expect(diffLines("")).toEqual([]);
});
