/** Every route refuses parameters and body members that it does not name, and does nothing. */
import fastify from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { FILE_ROUTES } from "../../rest-compat/file-routes.ts";
import { readBody } from "../../rest-compat/input.ts";
import { toJsonSchema } from "../../rest-compat/json-schema.ts";
import { registerRestRoutes } from "../../rest-compat/register.ts";
import { OPENAI_ROUTES } from "../../rest-compat/routes/openai.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { createUnknownMemberHandler } from "../../rest-compat/unknown-members.ts";
import { buildRestSchema } from "../../schema/schema.ts";
import { signLoginToken } from "../../src/accounts/login-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const NAME = "zzUnknown";

let stack: Stack;
let account: TestAccount;
let credentials: { account: Record<string, string>; login_token: Record<string, string>; none: Record<string, string> };

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  const login = await signLoginToken(stack.service.deps, account.accountId, { lifetimeSeconds: 600 });
  const own = { "x-service-token": account.token };
  credentials = { account: own, login_token: { authorization: `Bearer ${login.token}` }, none: own };
});

type Credential = keyof typeof credentials;

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns the paths of all objects in a JSON Schema, and whether each accepts any member. */
function listObjects(schema: Schema, path: readonly string[] = []): { path: readonly string[]; isFreeForm: boolean }[] {
  const isFreeForm = schema.additionalProperties !== false;
  const own = schema.type === "object" ? [{ path, isFreeForm }] : [];
  if (schema.type === "object" && isFreeForm) return own;
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => listObjects(inner, [...path, name])),
    ...(schema.items ? listObjects(schema.items, [...path, "[]"]) : []),
    ...(schema.anyOf ?? []).flatMap((inner) => listObjects(inner, path)),
  ];
}

/** Returns a body whose only content is an unknown member at `path`. */
function createBody([first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return { [NAME]: "secret-value" };
  return first === "[]" ? [createBody(rest)] : { [first]: createBody(rest) };
}

const formatPath = (path: readonly string[], index: string) =>
  path.reduce((text, part) => (part === "[]" ? text + index : text === "" ? part : `${text}.${part}`), "");

const BODIES = ROUTES.filter(({ dialect }) => dialect === "native").flatMap((route) => {
  const objects = route.body ? listObjects(toJsonSchema(route.body, "input") as Schema) : [];
  const closed = objects.filter(({ isFreeForm }) => !isFreeForm).map(({ path }) => path);
  return (route.method === "DELETE" ? [[]] : closed).map(
    (path) => [`${route.method} ${route.path}`, formatPath([...path, NAME], "[0]"), route, path] as const,
  );
});

const request = (credential: Credential, method: string, path: string, body?: unknown) =>
  stack.rest(null, method, path.replaceAll(/\{\w+\}/g, "qst_1_none"), body, credentials[credential]);

it.each(BODIES)("%s refuses %s in its body", async (_name, field, route, path) => {
  const { authentication = "account", method } = route;
  const { status, json } = await request(authentication, method, route.path, createBody(path));
  expect([status, json.error, json.field]).toEqual([400, "invalid_request", field]);
  expect(json.message).toMatch(/^Unknown member \S+zzUnknown\. |^Unknown member zzUnknown\. /);
  expect(JSON.stringify(json)).not.toContain("secret-value");
});

it.each([...ROUTES, ...FILE_ROUTES].map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s refuses an unknown parameter, also an empty one",
  async (_name, route) => {
    const credential = "authentication" in route ? (route.authentication ?? "account") : "account";
    for (const query of [`${NAME}=1`, `${NAME}=`]) {
      const { status, json } = await request(credential, route.method, `${route.path}?${query}`);
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", NAME]);
      expect(json.message).toMatch(/^Unknown parameter zzUnknown\. /);
    }
  },
);

it("free-form objects are exactly those that docs/calling.md lists", () => {
  const bodies = [
    ...ROUTES.map(({ method, path, body }) => ({ name: `${method} ${path}`, body })),
    ...OPENAI_ROUTES.map(({ method, path, body }) => ({ name: `${method} ${path}`, body: body?.schema ?? null })),
  ];
  const freeForm = bodies.flatMap(({ name, body }) =>
    (body ? listObjects(toJsonSchema(body, "input") as Schema) : [])
      .filter(({ isFreeForm }) => isFreeForm)
      .map(({ path }) => `${name}: ${formatPath(path, "[]")}`),
  );
  expect(freeForm).toEqual([
    "POST /api/sign-payment: paymentRequirements",
    "POST /api/x402/fetch: ",
    // Their members are checked with an error code of their own.
    ...["dry-run", "shopify/quote", "dispatch"].flatMap((route) => [
      `POST /api/autofill/${route}: ship_to`,
      `POST /api/autofill/${route}: constraints`,
    ]),
    "POST /v1/chat/completions: ",
  ]);
});

it.each([
  ["ship_to", { shipTo: {} }, "invalid_request", "shipTo", "Did you mean ship_to?"],
  ["a cap", { constraint: {} }, "invalid_request", "constraint", "Did you mean constraints?"],
  ["an address's member", { ship_to: { postcode: "N1" } }, "ship_to_invalid", "ship_to.postcode", "postal_code"],
  ["an address's member", { ship_to: { firstName: "A" } }, "ship_to_invalid", "ship_to.firstName", "first_name?"],
  [
    "a cap's name",
    { constraints: { max_total: 1 } },
    "constraints_invalid",
    "constraints.max_total",
    "max_total_minor",
  ],
])("a quote names the nearest member: %s", async (_name, members, error, field, advice) => {
  const body = { merchant_id: "mer_1_none", items: [{ sku: "SOCKS" }], ...members };
  const { status, json } = await request("account", "POST", "/api/autofill/shopify/quote", body);
  expect([status, json.error, json.field]).toEqual([400, error, field]);
  expect(json.message).toContain(advice);
});

it("writes nothing for a request that is otherwise valid", async () => {
  const { prisma } = stack.service.deps.db;
  const { accountId } = account;
  const seller = String(stack.sandbox?.shopUrl);
  const paymentRequirements = await (await fetch(`${seller}/v1/weather`)).json();
  const countRows = async () =>
    await Promise.all([
      prisma.transaction.count({ where: { accountId } }),
      prisma.purchaseToken.count({ where: { accountId } }),
      prisma.webhookEndpoint.count({ where: { accountId } }),
    ]);
  const valid: [Credential, string, object][] = [
    ["account", "/api/sign-payment", { paymentRequirements, requestData: { url: `${seller}/v1/weather` } }],
    ["login_token", "/api/purchase-token/create", { merchant_url: seller, network: "base-sepolia", max_amount_usd: 1 }],
    ["account", "/api/webhooks", { url: `${seller}/hooks` }],
  ];
  const before = await countRows();
  for (const [credential, path, body] of valid) {
    const refused = await request(credential, "POST", path, { ...body, [NAME]: 1 });
    expect([refused.status, refused.json.field]).toEqual([400, NAME]);
  }
  expect(await countRows()).toEqual(before);
  for (const [credential, path, body] of valid)
    expect((await request(credential, "POST", path, body)).status, path).toBe(200);
  expect(await countRows()).toEqual(before.map((count) => count + 1));
});

describe("UNKNOWN_MEMBERS", () => {
  const lines: object[] = [];
  const logger = { warn: (line: object) => void lines.push(line) } as never;

  it("log: ignores the member, and logs each name once without its value", () => {
    lines.length = 0;
    const route = ROUTES.find(({ path }) => path === "/api/autofill/shopify/quote");
    const onUnknown = createUnknownMemberHandler("log", "POST /quote", logger);
    const body = {
      merchant_id: "mer_1",
      items: [
        { sku: "A", price: 1 },
        { sku: "B", price: 2 },
      ],
      shipTo: "N1",
    };
    const read = () => readBody(route?.body ?? null, body, onUnknown);
    expect(read()).toEqual({ merchant_id: "mer_1", items: [{ sku: "A" }, { sku: "B" }] });
    read();
    expect(lines).toEqual([
      { route: "POST /quote", member: "shipTo" },
      { route: "POST /quote", member: "items[].price" },
    ]);
  });

  it("log: bounds the number of names, which callers choose", () => {
    lines.length = 0;
    const onUnknown = createUnknownMemberHandler("log", "GET /", logger);
    const names = Array.from({ length: 1_000 }, (_, i) => [`n${i}`, 1]);
    readBody(null, Object.fromEntries(names), onUnknown);
    expect(lines).toHaveLength(100);
  });

  it.each([
    ["log", 200],
    ["refuse", 400],
  ] as const)("%s applies to the routes", async (unknownMembers, status) => {
    const app = fastify();
    const context = { viewer: {}, deps: stack.service.deps };
    registerRestRoutes(app, {
      ...{ schema: buildRestSchema(), createContext: async () => context, countRequest: async () => {} },
      ...{ unknownMembers, site: stack.service.deps.site },
    });
    expect((await app.inject({ url: `/api/trade/tokens?${NAME}=1` })).statusCode).toBe(status);
    // The proxy refuses them with either value.
    const proxied = await app.inject({ method: "POST", url: `/api/x402/fetch?url=http://a.example&${NAME}=1` });
    expect(proxied.json()).toMatchObject({ error: "invalid_request", field: NAME });
    await app.close();
  });
});
