import { defineConfig } from "vitest/config";

/** The client's logic is tested without a browser; the screens are tested end to end against a real server. */
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
