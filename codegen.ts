/** `npm run codegen`: writes the SDL from the schema, and typed documents from what the REST routes ask of it. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { preset } from "@graphql-codegen/client-preset";
// The command line around these two is ten times as large, and only reads files.
import { codegen } from "@graphql-codegen/core";
import { buildSchema, parse } from "graphql";
import { printSdl } from "./schema/schema.ts";

const ROOT = import.meta.dirname;
export const SDL_FILE = join(ROOT, "schema/schema.graphql");
const DOCUMENTS_FOLDER = join(ROOT, "rest-compat/documents");

const CONFIG = {
  importExtension: ".ts" as const,
  enumsAsTypes: true,
  useTypeImports: true,
  strictScalars: true,
  scalars: {
    AtomicAmount: "string",
    DateTime: "string",
    JSON: "unknown",
    NetworkName: "string",
    Url: "string",
    Usd: "string",
  },
};

/** Every generated file, by its path, as it should be. */
export async function generateFiles(): Promise<Map<string, string>> {
  const sdl = printSdl();
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: `${join(ROOT, "rest-compat/generated")}/`,
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: await readDocuments(),
    config: CONFIG,
    presetConfig: { fragmentMasking: false },
    plugins: [],
    pluginMap: {},
  });
  const files = await Promise.all(sections.map(async (section) => [section.filename, await codegen(section)] as const));
  return new Map([[SDL_FILE, sdl], ...files]);
}

async function readDocuments() {
  const names = (await readdir(DOCUMENTS_FOLDER)).filter((name) => name.endsWith(".graphql")).sort();
  return await Promise.all(
    names.map(async (name) => {
      const location = join(DOCUMENTS_FOLDER, name);
      const rawSDL = (await readFile(location, "utf8")).trimEnd();
      return { location, rawSDL, document: parse(rawSDL) };
    }),
  );
}

if (import.meta.main) {
  for (const [file, content] of await generateFiles()) await writeFile(file, content);
}
