import { defineConfig } from "vite";

// The server of `permutree serve --bind 127.0.0.1:8080` answers while the page is worked on with `npm run dev`.
export default defineConfig({
  base: "./",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: { outDir: "../crates/permutree-server/page", emptyOutDir: true, target: "es2022", modulePreload: false },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/openapi.json": "http://127.0.0.1:8080" } },
});
