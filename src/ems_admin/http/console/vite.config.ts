import { defineConfig } from "vite";

/** Built into `dist/`, which the server hands out at `/`. The content policy is `default-src 'self'`, so nothing may be inlined. */
export default defineConfig({
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // The wheel carries what a browser needs and no more.
    sourcemap: false,
    reportCompressedSize: true,
    // On a busy machine the bundler remarks on its own slowness, to a person who only wants to see the demo.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8090" } },
});
