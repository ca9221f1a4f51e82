/** Invariant: while an account or the service is frozen, no operation changes anything unless `freeze-gate.ts` lists it. */
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType, isUnionType } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALLOWED_TO_ADMINISTRATORS, ALLOWED_WHILE_FROZEN } from "../../../schema/freeze-gate.ts";
import { buildPublicSchema } from "../../../schema/schema.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";

let stack: OwnStack;
let account: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia"] });
  account = await stack.account();
  other = await stack.account();
});
afterAll(() => stack?.stop());

const SAMPLES: Readonly<Record<string, unknown>> = {
  Boolean: true,
  CountryCode: "GB",
  CurrencyCode: "GBP",
  DateTime: "2030-01-01T00:00:00Z",
  Decimal: "1",
  Int: 1,
  JSON: {},
  NetworkName: "base-sepolia",
  Url: "https://seller.example/",
  Usd: "1",
};

/** Returns a value that the type's coercion accepts; of an input object only the required fields. */
function sampleOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType);
  if (isListType(type)) return [sampleOf(type.ofType)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (!isInputObjectType(type)) return SAMPLES[type.name] ?? "sample";
  const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || type.isOneOf);
  const fields = type.isOneOf ? required.slice(0, 1) : required;
  return Object.fromEntries(fields.map((field) => [field.name, sampleOf(field.type)]));
}

const MUTATIONS = Object.values(buildPublicSchema().getMutationType()?.getFields() ?? {});

function operationOf({ name, args, type }: (typeof MUTATIONS)[number]) {
  const used = args.filter((arg) => isNonNullType(arg.type));
  const declared = used.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
  const passed = used.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const isUnion = isUnionType(isNonNullType(type) ? type.ofType : type);
  const fields = isUnion ? "{ __typename ... on Error { code message } }" : "{ __typename }";
  const head = declared === "" ? name : `M(${declared})`;
  return {
    query: `mutation ${head} { ${name}${passed === "" ? "" : `(${passed})`} ${fields} }`,
    variables: Object.fromEntries(used.map((arg) => [arg.name, sampleOf(arg.type)])),
  };
}

/** Returns the code of the operation's error; null if it has none. */
async function codeOf(token: string, mutation: (typeof MUTATIONS)[number]): Promise<string | null> {
  const { query, variables } = operationOf(mutation);
  const { json } = await stack.graphql(token, query, variables);
  return json.errors?.[0]?.extensions?.code ?? json.data?.[mutation.name]?.code ?? null;
}

const stop = (token: string) =>
  stack.graphql(
    token,
    "mutation { stopEverything(input: {}) { ... on StopEverythingSuccess { account { frozenBy } } } }",
  );
const freezeService = (name: "freezeService" | "unfreezeService") =>
  stack.graphql(ADMIN_TOKEN, `mutation { ${name}(input: { reason: "Test" }) { __typename ... on Error { message } } }`);

it("lists only mutations that exist", () => {
  const names = MUTATIONS.map(({ name }) => name);
  expect([...ALLOWED_WHILE_FROZEN, ...ALLOWED_TO_ADMINISTRATORS].filter((name) => !names.includes(name))).toEqual([]);
});

const REFUSED = MUTATIONS.filter(({ name }) => !ALLOWED_WHILE_FROZEN.includes(name));

const PROXY = "/api/x402/fetch?url=https%3A%2F%2Fseller.example%2F";
const ROUTES = [
  ["POST", PROXY, undefined],
  ["POST", "/api/sign-payment", { paymentRequirements: {}, requestData: { url: "https://a.example/", method: "GET" } }],
  ["POST", "/v1/chat/completions", { model: "any", messages: [{ role: "user", content: "Hello" }] }],
] as const;

it("refuses every other mutation, and the routes that pay, of an account that its owner stopped", async () => {
  const before: string[] = [];
  for (const mutation of REFUSED)
    if ((await codeOf(account.token, mutation)) === "account_frozen") before.push(mutation.name);
  expect(before).toEqual([]);
  expect((await stop(account.token)).json.data.stopEverything.account.frozenBy).toBe("OWNER");

  const answers: [string, string | null][] = [];
  for (const mutation of REFUSED) answers.push([mutation.name, await codeOf(account.token, mutation)]);
  expect(answers).toEqual(REFUSED.map(({ name }) => [name, "account_frozen"]));
  for (const [method, path, body] of ROUTES) {
    const { status, json } = await stack.rest(account.token, method, path, body);
    expect([path, status, json.error.code ?? json.error]).toEqual([path, 403, "account_frozen"]);
  }
  expect(await codeOf(other.token, MUTATIONS.find(({ name }) => name === "createApiToken") as never)).not.toBe(
    "account_frozen",
  );
});

it("still reads everything, and revokes credentials", async () => {
  const query = `{ viewer { account { frozenAt frozenBy freezeReason inFlight { kind outlook } }
    transactions(first: 1) { edges { node { id } } } wallet { evmAddress } } }`;
  const { json } = await stack.graphql(account.token, query);
  expect(json.errors).toBeUndefined();
  expect(json.data.viewer.account).toMatchObject({ frozenBy: "OWNER", freezeReason: null, inFlight: [] });
  expect((await stack.rest(account.token, "GET", "/api/wallet/balance")).status).not.toBe(403);
  const revoke = "mutation ($id: ID!) { revokeApiToken(input: { id: $id }) { __typename } }";
  const { data, errors } = (await stack.graphql(account.token, revoke, { id: account.tokenId })).json;
  expect([errors, data?.revokeApiToken.__typename]).toEqual([undefined, "RevokeApiTokenSuccess"]);
});

it("refuses every other mutation of all accounts while the service is frozen, with 503 and Retry-After", async () => {
  expect((await freezeService("freezeService")).json.data.freezeService.__typename).toBe("FreezeServiceSuccess");
  const codes: [string, string | null][] = [];
  for (const mutation of REFUSED) codes.push([mutation.name, await codeOf(other.token, mutation)]);
  expect(codes).toEqual(REFUSED.map(({ name }) => [name, "service_frozen"]));
  for (const [method, path, body] of ROUTES) {
    const { status, headers } = await stack.rest(other.token, method, path, body);
    expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "60"]);
  }
  expect((await stack.graphql(other.token, "{ viewer { account { email } } }")).json.errors).toBeUndefined();

  expect((await freezeService("unfreezeService")).json.data.unfreezeService.__typename).toBe("UnfreezeServiceSuccess");
  const { status } = await stack.rest(other.token, ...ROUTES[0]);
  expect(status).not.toBe(503);
  const acts = await stack.service.deps.db.prisma.administratorAct.findMany({ orderBy: { createdAt: "asc" } });
  expect(acts.map(({ action, reason }) => [action, reason])).toEqual([
    ["service.freeze", "Test"],
    ["service.unfreeze", "Test"],
  ]);
});
