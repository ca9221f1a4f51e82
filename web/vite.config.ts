/** How the pages are bundled: hashed files under `/assets`, and one `index.html` for every page. */
import tailwindcss from "@tailwindcss/vite";
import type { UserConfig } from "vite";

export default {
  root: import.meta.dirname,
  publicDir: false,
  logLevel: "warn",
  plugins: [tailwindcss()],
  build: {
    target: "baseline-widely-available",
    // The content security policy lets no inline data be a script or a style.
    assetsInlineLimit: 0,
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // Libraries mark what React Server Components may not run; there are none here.
      onLog: (level, log, print) => log.code !== "MODULE_LEVEL_DIRECTIVE" && print(level, log),
    },
  },
} satisfies UserConfig;
