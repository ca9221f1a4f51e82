/** The OpenAPI document as tools read it: two validators, its examples, and two generated clients that compile. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import openapiTS, { astToString } from "openapi-typescript";
import { generate } from "orval";
import ts from "typescript";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { readErrorMeanings } from "../../rest-compat/error-meanings.ts";
import { buildOpenApiDocument } from "../../rest-compat/openapi.ts";
import { buildSchema } from "../../schema/schema.ts";

const document = buildOpenApiDocument("https://satchel.example", readErrorMeanings(buildSchema()));
const source = JSON.stringify(document);
/** Inside the project: the compiler finds its libraries there. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(import.meta.dirname, "../../node_modules/.openapi-"));
  writeFileSync(join(folder, "openapi.json"), source);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is valid for two validators", async () => {
  expect(await new Validator().validate(JSON.parse(source))).toMatchObject({ valid: true });
  // The metadata documents are constant: no request for them is rejected.
  const config = await createConfig({ extends: ["recommended-strict"], rules: { "operation-4xx-response": "off" } });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
});

it("has examples that fit their schemas", () => {
  const ajv = new Ajv2020.default({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi.json");
  const problems: string[] = [];
  let count = 0;
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== "object" || node === null) return;
    if ("schema" in node && "example" in node) {
      count += 1;
      const validate = ajv.compile({ $ref: `openapi.json#${pointer}/schema` });
      if (!validate(node.example)) problems.push(`${pointer}: ${ajv.errorsText(validate.errors)}`);
      return;
    }
    for (const [name, inner] of Object.entries(node)) {
      visit(inner, `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`);
    }
  };
  visit(document, "");
  expect(problems).toEqual([]);
  expect(count).toBeGreaterThan(40);
});

it("has no keyword without effect or of another type", () => {
  const problems: string[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== "object" || node === null) return;
    const schema = node as { type?: unknown; enum?: unknown[]; format?: string; pattern?: string; anyOf?: object[] };
    const isText = schema.type === "string" || (Array.isArray(schema.type) && schema.type.includes("string"));
    if (schema.enum && schema.type === "boolean") problems.push(`${pointer}: enumeration of a boolean`);
    if (typeof schema.pattern === "string" && !isText) problems.push(`${pointer}: pattern of another type`);
    if (schema.anyOf?.some((choice) => Object.keys(choice).length === 0))
      problems.push(`${pointer}: any value in anyOf`);
    for (const [name, inner] of Object.entries(node)) visit(inner, `${pointer}/${name}`);
  };
  visit(document, "");
  const statuses = Object.values(document["paths"] as Record<string, Record<string, { responses: object }>>)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses }) => Object.keys(responses));
  expect(problems).toEqual([]);
  expect([...new Set(statuses)].filter((status) => !/^(?:[2-5]\d\d|default)$/.test(status))).toEqual([]);
});

it("generates clients that compile", async () => {
  writeFileSync(join(folder, "types.ts"), astToString(await openapiTS(source)));
  vi.spyOn(console, "log").mockImplementation(() => {});
  await generate(
    {
      input: { target: join(folder, "openapi.json") },
      output: { target: join(folder, "client.ts"), client: "fetch", mode: "single" },
    },
    folder,
  );
  writeFileSync(join(folder, "use.ts"), USE);
  const program = ts.createProgram(
    ["types.ts", "client.ts", "use.ts"].map((name) => join(folder, name)),
    {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      lib: ["lib.es2024.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
      types: [],
    },
  );
  const diagnostics = ts.getPreEmitDiagnostics(program);
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

/** What an application does with the generated code: parameters and statuses have their types. */
const USE = `
import { agentEmailInbox, createChatCompletion } from "./client.ts";
import type { paths } from "./types.ts";

type Inbox = paths["/api/agent/email/inbox"]["get"];
export const unread: NonNullable<Inbox["parameters"]["query"]>["unread"] = true;

export async function listUnread(): Promise<string[]> {
  const { status, data } = await agentEmailInbox({ unread: true });
  return status === 200 ? data.messages.map(({ subject }) => subject) : [data.error];
}

export async function chat(): Promise<number> {
  const { status } = await createChatCompletion({ model: "openai/gpt-4o-mini", messages: [{ role: "user", content: "Hi" }] });
  const refused: 415 | null = status === 415 ? status : null;
  return refused ?? status;
}
`;
