/**
 * `npm run lean`: deletes unused files of installed packages. Runs after each install. An install without development
 * dependencies has no compiler, so type declarations are deleted too.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const PACKAGES = "node_modules";

/** Paths within `node_modules`. */
const UNUSED = [
  // The package's install script moved its binary to `node/bin`.
  /^node\/node_modules$/,
  /s\.map$/,
  // Binaries for the Bare runtime.
  /\.bare$/,
  // Prisma's engines for other databases, small bundles and CommonJS; Prisma Studio.
  /^@?prisma\/.*query_compiler_(?!.*postgresql)[^/]*$/,
  /^@?prisma\/.*query_compiler_small_[^/]*$/,
  /^@prisma\/client\/runtime\/query_compiler_[^/]*wasm-base64\.js$/,
  /^prisma\/build\/studio\.\w+$/,
  // Duplicates as CommonJS, as source or for bundlers.
  /^gpt-tokenizer\/(cjs|data|src)$/,
  /^(effect|openai|zod)\/src$/,
  /^@graphql-yoga\/render-graphiql\/cjs$/,
  /^@opentelemetry\/[^/]+\/build\/(esm|esnext)$/,
  /^effect\/dist\/esm$/,
  /^@apollo\/client\/__cjs$/,
  // Relay's compiler for other platforms; it names them like Node, except for two.
  new RegExp(`^relay-compiler/(?!${compilerFolder()}(/|$))(linux|macos|win)-`),
  // Other builds of the phone numbers, and their metadata.
  /^libphonenumber-js\/(build|bundle|es6-modern|source|max|mobile|metadata\.(full|max|mobile)\.json(\.js)?)$/,
  // Bundles for browsers and AMD, and sources of bundles.
  /^luxon\/(src|build\/(amd|cjs-browser|global))$/,
  /^ical\.js\/(lib|dist\/ical\.(es5\.cjs|es5\.min\.cjs|min\.js))$/,
  /^css-tree\/dist$/,
  /^yaml\/browser$/,
  /^dayjs\/esm$/,
  /^culori\/bundled$/,
  /^hash-wasm\/(src|dist\/index\.(esm|esm\.min|umd\.min)\.js)$/,
  // C sources of an addon that is built or prebuilt.
  /^secp256k1\/src$/,
  // Parameters for blob transactions.
  /^(viem|ox)\/trusted-setups$/,
  // Polyfills that IMask's bundle for browsers contains.
  /^core-js-pure$/,
  // Documentation and tests of packages.
  /^(?!.*(licen[cs]e|notice|copying)[^/]*$).*\.(md|markdown)$/i,
  /^(@[^/]+\/[^/]+|[^@/][^/]*)\/tests?$/,
  // Types of the conformance suite's client of GitHub.
  /^@octokit\/(openapi-types|[^/]+\/dist-types)$/,
  // Tailwind's fallback for systems without a native engine.
  /^@tailwindcss\/oxide-wasm32-wasi$/,
];

function compilerFolder(): string {
  const names: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos", win32: "win" };
  return `${names[process.platform] ?? process.platform}-${process.arch}`;
}

const UNUSED_AT_RUN_TIME = [
  // Node does not run TypeScript from `node_modules`.
  /\.[mc]?tsx?$/,
  // Installed as a peer dependency of packages with types.
  /^typescript$/,
  // CommonJS builds that only the sandbox's packages load.
  /^(viem|ox)\/_cjs$/,
  // Pages of Playwright's recorder, trace viewer and reports.
  /^playwright-core\/lib\/vite$/,
];

const hasDevDependencies = existsSync(join(PACKAGES, "vitest"));
const unused = hasDevDependencies ? UNUSED : [...UNUSED, ...UNUSED_AT_RUN_TIME];
// As a dependency, Satchel has its packages in a parent folder that belongs to another project.
if (existsSync(PACKAGES)) deleteUnused("");

function deleteUnused(folder: string): void {
  for (const entry of readdirSync(join(PACKAGES, folder), { withFileTypes: true })) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (path.startsWith(".")) continue;
    if (unused.some((pattern) => pattern.test(path))) rmSync(join(PACKAGES, path), { recursive: true });
    else if (entry.isDirectory()) deleteUnused(path);
  }
}
