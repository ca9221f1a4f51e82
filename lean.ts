/**
 * `npm run lean`: deletes files of the installed packages that nothing here reads. Runs after each install. An install without
 * development dependencies has no compiler either, and loses what only compilers and people read.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = "node_modules";

/** Paths within `node_modules`. */
const UNREAD = [
  // Its binary was moved to `node/bin` when it was installed.
  /^node\/node_modules$/,
  /s\.map$/,
  // Binaries of Bare, another runtime.
  /\.bare$/,
  // Prisma's engines for other databases, for small bundles and for CommonJS; its studio.
  /^@?prisma\/.*query_compiler_(?!.*postgresql)[^/]*$/,
  /^@?prisma\/.*query_compiler_small_[^/]*$/,
  /^@prisma\/client\/runtime\/query_compiler_[^/]*wasm-base64\.js$/,
  /^prisma\/build\/studio\.\w+$/,
  // Second copies, as CommonJS, as source or for bundlers.
  /^gpt-tokenizer\/(cjs|data|src)$/,
  /^@graphql-yoga\/render-graphiql\/cjs$/,
  /^@opentelemetry\/[^/]+\/build\/(esm|esnext)$/,
  /^effect\/dist\/esm$/,
  // For systems that Tailwind has no native engine for.
  /^@tailwindcss\/oxide-wasm32-wasi$/,
];

const UNREAD_AT_RUN_TIME = [
  // Node runs no TypeScript from `node_modules`.
  /\.[mc]?tsx?$/,
  // npm installs it as a peer of packages that declare types.
  /^typescript$/,
  /^(?!.*(licen[cs]e|notice|copying)[^/]*$).*\.(md|markdown)$/i,
  // Packages' own tests.
  /^(@[^/]+\/[^/]+|[^@/][^/]*)\/tests?$/,
  // Only the sandbox's packages load these as CommonJS.
  /^(viem|ox)\/_cjs$/,
  // Pages of Playwright's own tools: recorder, traces, reports.
  /^playwright-core\/lib\/vite$/,
];

const hasDevDependencies = existsSync(join(PACKAGES, "vitest"));
const unread = hasDevDependencies ? UNREAD : [...UNREAD, ...UNREAD_AT_RUN_TIME];
// They may be in a folder above, where they are another project's.
if (existsSync(PACKAGES)) deleteUnread("");

function deleteUnread(folder: string): void {
  for (const entry of readdirSync(join(PACKAGES, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path.startsWith(".")) continue;
    if (unread.some((pattern) => pattern.test(path))) rmSync(join(PACKAGES, path), { recursive: true });
    else if (entry.isDirectory()) deleteUnread(path);
  }
}
