/** Relay: its compiler generates the operations of `screens.ts`, which then run against the service. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  ConnectionHandler,
  commitMutation,
  Environment,
  fetchQuery,
  type GraphQLTaggedNode,
  type MutationParameters,
  Network,
  type OperationType,
  RecordSource,
  Store,
} from "relay-runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFrontend, type Data, WEBHOOK_URL } from "../fixture.ts";

const ROOT = join(import.meta.dirname, "../../..");
const ENV = { ...process.env, NODE_ENV: "development" };

let folder: string;
let environment: Environment;
let operations: Record<string, GraphQLTaggedNode>;

beforeAll(async () => {
  const { url, headers } = await createFrontend();
  folder = await mkdtemp(join(tmpdir(), "satchel-relay-"));
  operations = await compileScreens();
  const fetchResult = async ({ text }: { text?: string | null }, variables: object) => {
    const body = JSON.stringify({ query: text, variables });
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    return await response.json();
  };
  environment = new Environment({ network: Network.create(fetchResult), store: new Store(new RecordSource()) });
});
afterAll(() => rm(folder, { recursive: true }));

/** Compiles in a folder of its own, since the compiler reads all files below its root. Returns the operations by name. */
async function compileScreens() {
  const src = join(folder, "src");
  await mkdir(src);
  await copyFile(join(import.meta.dirname, "screens.ts"), join(src, "screens.ts"));
  await copyFile(join(ROOT, "schema/schema.graphql"), join(folder, "schema.graphql"));
  const config = {
    src: "./src",
    schema: "./schema.graphql",
    language: "typescript",
    artifactDirectory: "./src/generated",
    eagerEsModules: true,
  };
  await mkdir(join(src, "generated"));
  await writeFile(join(folder, "relay.config.json"), JSON.stringify(config));
  await promisify(execFile)(join(ROOT, "node_modules/.bin/relay-compiler"), [], { cwd: folder, env: ENV });
  const load = async (name: string) => {
    const module = await import(/* @vite-ignore */ join(src, "generated", `${name}.graphql.ts`));
    return [name, module.default] as const;
  };
  const names = ["Overview", "Tokens", "Webhooks"].map((screen) => `screens${screen}Query`);
  const mutations = ["SetX402", "CreateWebhook", "DeleteWebhook"].map((change) => `screens${change}Mutation`);
  return Object.fromEntries(await Promise.all([...names, ...mutations].map(load)));
}

const operation = (name: string) => operations[name] as GraphQLTaggedNode;
const query = (name: string, variables = {}) =>
  fetchQuery<OperationType>(environment, operation(name), variables).toPromise() as Promise<Record<string, Data>>;
const mutate = (name: string, variables: Record<string, unknown>) =>
  new Promise<Record<string, Data>>((resolve, reject) => {
    commitMutation<MutationParameters>(environment, {
      mutation: operation(name),
      variables,
      onCompleted: (response) => resolve(response as Record<string, Data>),
      onError: reject,
    });
  });
const findRecord = (id: string) => environment.getStore().getSource().get(id);

it("applies a mutation to the objects that other queries have read", async () => {
  const { viewer } = await query("screensOverviewQuery");
  expect(viewer.account.x402Enabled).toBe(true);
  const { setX402Enabled } = await mutate("screensSetX402Mutation", { input: { enabled: false } });
  expect(findRecord(setX402Enabled.account.id)?.["x402Enabled"] ?? setX402Enabled.account.x402Enabled).toBe(false);
});

it("reads a list page by page", async () => {
  const first = await query("screensTokensQuery", { first: 2 });
  const { endCursor, hasNextPage } = first["viewer"].apiTokens.pageInfo;
  expect(hasNextPage).toBe(true);
  const next = await query("screensTokensQuery", { first: 2, after: endCursor });
  // Relay appends the page to the list.
  expect(next["viewer"].apiTokens.edges).toHaveLength(3);
});

it("appends a created object to its list, and deletes its record", async () => {
  const { viewer } = await query("screensWebhooksQuery");
  const connection = ConnectionHandler.getConnectionID(viewer.id, "screens_webhooks");
  const created = await mutate("screensCreateWebhookMutation", {
    input: { url: WEBHOOK_URL },
    connections: [connection],
  });
  const { id } = created["createWebhook"].webhook;
  expect(findRecord(connection)?.["edges"]).toMatchObject({ __refs: [expect.any(String)] });
  await mutate("screensDeleteWebhookMutation", { input: { id } });
  expect(findRecord(id)).toBeNull();
});
