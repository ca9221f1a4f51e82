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
  },
} satisfies UserConfig;
