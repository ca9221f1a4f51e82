/**
 * `npm run codegen`: generates the SDL, the typed GraphQL documents of the REST routes, tools and web pages. It also generates
 * the pages of access, tools, hosts, error codes, settings, start checks, retention, logs and personal data, and `.env.example`.
 */
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { preset } from "@graphql-codegen/client-preset";
// The graphql-codegen CLI is ten times as large, and only adds reading and writing files.
import { codegen } from "@graphql-codegen/core";
import { buildSchema, type GraphQLSchema, isEnumType, parse } from "graphql";
import { toolsPage } from "./mcp/tools-page.ts";
import { accessPage } from "./rest-compat/access-page.ts";
import { errorPage } from "./rest-compat/error-page.ts";
import { buildSchema as buildCompleteSchema, buildPublicSchema, buildRestSchema, printSdl } from "./schema/schema.ts";
import { WIRE_ENUM } from "./schema/wire-enum.ts";
import { retentionPage } from "./src/app/retention-page.ts";
import { startChecksPage } from "./src/app/start-checks-page.ts";
import { personalDataPage } from "./src/personal-data/plan-page.ts";
import { envExample, settingsPage } from "./src/platform/config/settings-page.ts";
import { logsPage } from "./src/platform/observability/logs-page.ts";
import { connectionGuide, hostPages } from "./web/pages/connect/guide.ts";

const ROOT = import.meta.dirname;
export const SDL_FILE = join(ROOT, "schema/schema.graphql");
const ACCESS_PAGE_FILE = join(ROOT, "docs/access.md");
const TOOLS_PAGE_FILE = join(ROOT, "docs/mcp-tools.md");
const ERROR_PAGE_FILE = join(ROOT, "docs/errors.md");
const SETTINGS_PAGE_FILE = join(ROOT, "docs/settings.md");
const START_CHECKS_PAGE_FILE = join(ROOT, "docs/start-checks.md");
const RETENTION_PAGE_FILE = join(ROOT, "docs/retention.md");
const LOGS_PAGE_FILE = join(ROOT, "docs/logs.md");
const PERSONAL_DATA_PAGE_FILE = join(ROOT, "docs/personal-data.md");
const CONNECTION_GUIDE_FILE = join(ROOT, "docs/connect-an-agent.md");
const ENV_EXAMPLE_FILE = join(ROOT, ".env.example");

const CONFIG = {
  importExtension: ".ts" as const,
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    AtomicAmount: "string",
    CountryCode: "string",
    CurrencyCode: "string",
    DateTime: "string",
    Decimal: "string",
    JSON: "unknown",
    MinorAmount: "number",
    NetworkName: "string",
    Url: "string",
    Usd: "string",
  },
};

/** The schema's clients, each with its schema, documents and type options. */
const CLIENTS = [
  {
    folder: "rest-compat",
    schema: buildCompleteSchema(),
    documents: "rest-compat/documents/*.graphql",
    config: { ...CONFIG, enumValues: wireValues(buildCompleteSchema()) },
  },
  {
    folder: "mcp",
    schema: buildCompleteSchema(),
    documents: "mcp/{tools,resources}/*.graphql",
    config: { ...CONFIG, enumValues: wireValues(buildCompleteSchema()) },
  },
  {
    folder: "web",
    schema: buildPublicSchema(),
    documents: "web/**/*.graphql",
    // urql requests `__typename` everywhere, and result unions are distinguished by it.
    config: { ...CONFIG, nonOptionalTypename: true, skipTypeNameForRoot: true, dedupeFragments: true },
  },
];

/** Returns the content of every generated file, by its path. */
export async function generateFiles(): Promise<Map<string, string>> {
  const files = new Map([
    [SDL_FILE, printSdl()],
    [ACCESS_PAGE_FILE, accessPage(buildPublicSchema())],
    [TOOLS_PAGE_FILE, toolsPage(buildRestSchema())],
    [ERROR_PAGE_FILE, errorPage()],
    [SETTINGS_PAGE_FILE, settingsPage()],
    [ENV_EXAMPLE_FILE, envExample()],
    [START_CHECKS_PAGE_FILE, startChecksPage()],
    [RETENTION_PAGE_FILE, retentionPage()],
    [LOGS_PAGE_FILE, logsPage()],
    [PERSONAL_DATA_PAGE_FILE, personalDataPage()],
    [CONNECTION_GUIDE_FILE, connectionGuide()],
    ...[...hostPages()].map(([path, text]) => [join(ROOT, "docs", path), text] as const),
  ]);
  for (const { folder, schema, documents, config } of CLIENTS) {
    const sdl = printSdl(schema);
    const sections = await preset.buildGeneratesSection({
      baseOutputDir: `${join(ROOT, folder, "generated")}/`,
      schema: parse(sdl),
      schemaAst: buildSchema(sdl),
      documents: await readDocuments(documents),
      config,
      presetConfig: { fragmentMasking: false },
      plugins: [],
      pluginMap: {},
    });
    for (const section of sections) files.set(section.filename, await codegen(section));
  }
  return files;
}

/** Returns the value that TypeScript code sees for each name of each enum. */
function wireValues(schema: GraphQLSchema): Record<string, Record<string, string>> {
  const enums = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type));
  return Object.fromEntries(
    enums
      .filter(({ extensions }) => extensions[WIRE_ENUM])
      .map((type) => [type.name, Object.fromEntries(type.getValues().map(({ name, value }) => [name, String(value)]))]),
  );
}

async function readDocuments(pattern: string) {
  const names: string[] = [];
  for await (const name of glob(pattern, { cwd: ROOT })) names.push(name);
  names.sort();
  return await Promise.all(
    names.map(async (name) => {
      const location = join(ROOT, name);
      const rawSDL = (await readFile(location, "utf8")).trimEnd();
      return { location, rawSDL, document: parse(rawSDL) };
    }),
  );
}

if (import.meta.main) {
  for (const [file, content] of await generateFiles()) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
