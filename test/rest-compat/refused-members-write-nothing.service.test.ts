/** No table changes for requests with unknown members, on every route that writes. The stack has no other activity. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { toJsonSchema } from "../../rest-compat/json-schema.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const NAME = "zzUnknown";

let stack: OwnStack;
let account: TestAccount;
let login: string;

beforeAll(async () => {
  stack = await startStack({ env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  account = await stack.account();
  ({ token: login } = await signLoginToken(stack.service.deps, account.accountId, { lifetimeSeconds: 600 }));
});
afterAll(() => stack.stop());

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns a value with the required members of a JSON Schema. */
function createValue({ type, enum: values, properties = {}, required = [], items, anyOf }: Schema): unknown {
  if (values) return values[0];
  if (anyOf?.[0]) return createValue(anyOf[0]);
  if (type === "object") return Object.fromEntries(required.map((name) => [name, createValue(properties[name] ?? {})]));
  if (type === "array") return items ? [createValue(items)] : [];
  return { number: 1, integer: 1, boolean: false }[type ?? ""] ?? "https://a.example/";
}

const WRITES = ROUTES.filter(({ method }) => method !== "GET");

/** Returns the digest of each table's rows. */
async function digestTables(): Promise<Record<string, string>> {
  const { db } = stack.service.deps;
  const { rows: tables } = (await db.executeSql(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    [],
  )) as { rows: { name: string }[] };
  const digests = tables.map(
    ({ name }) => `(SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') FROM "${name}" t) AS "${name}"`,
  );
  const { rows } = (await db.executeSql(`SELECT ${digests.join(", ")}`, [])) as { rows: Record<string, string>[] };
  return rows[0] ?? {};
}

async function send(route: (typeof WRITES)[number], isUnknown: boolean) {
  const token = route.authentication === "login_token" ? null : account.token;
  const headers: Record<string, string> = token === null ? { authorization: `Bearer ${login}` } : {};
  const path = route.path.replaceAll(/\{\w+\}/g, "qst_1_none");
  const query = route.dialect === "proxy" ? "?url=https://a.example/" : "?";
  const value = route.body ? (createValue(toJsonSchema(route.body, "input") as Schema) as object) : {};
  const body = route.dialect === "native" ? { ...value, ...(isUnknown ? { [NAME]: 1 } : {}) } : undefined;
  const parameter = isUnknown && route.dialect === "proxy" ? `&${NAME}=1` : "";
  return await stack.rest(token, route.method, path + query + parameter, body, headers);
}

it("responds with 400 and changes no table", async () => {
  expect(WRITES.length).toBeGreaterThan(10);
  // The first request records the use of the token.
  await stack.rest(account.token, "GET", "/api/transactions");
  const before = await digestTables();
  expect(Object.keys(before).length).toBeGreaterThan(50);
  for (const route of WRITES) {
    const { status, json } = await send(route, true);
    expect([route.path, status, json.field]).toEqual([route.path, 400, NAME]);
    expect(await digestTables(), `${route.method} ${route.path}`).toEqual(before);
  }
});

it("changes a table for the same request without the member", async () => {
  const webhooks = WRITES.find(({ method, path }) => method === "POST" && path === "/api/webhooks");
  if (!webhooks) throw new Error("There is no route for webhooks.");
  const before = await digestTables();
  expect((await send(webhooks, false)).status).toBe(200);
  expect(await digestTables()).not.toEqual(before);
});
