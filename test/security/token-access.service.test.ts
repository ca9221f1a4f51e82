/** Any kind of token with any resources and scopes over HTTP: queries, mutations, event streams and REST writes follow the access table. */
import fc from "fast-check";
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from "graphql";
import { beforeAll, expect, it } from "vitest";
import { toJsonSchema } from "../../rest-compat/json-schema.ts";
import { scopesOf } from "../../rest-compat/route-access.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { FIELD_ACCESS } from "../../schema/access/access-table.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import { hashToken, mintToken } from "../../src/accounts/secret-token.ts";
import { SCOPES, type Scope } from "../../src/accounts/viewer.ts";
import { isContractRoute } from "../../src/platform/http/contract-routes.ts";
import { RESOURCE_PATHS } from "../../src/platform/http/resources.ts";
import { newId } from "../../src/platform/ids.ts";
import { createToken } from "../payments/purchase-token.ts";
import { createClient } from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

const schema = buildPublicSchema();
/** They change what later requests of the same token may do. */
const EXCLUDED = ["Mutation.stopEverything", "Mutation.revokeApiToken", "Mutation.revokeOtherSessions"];
/** Scopes that an application has only after its review. */
const REVIEWED: readonly string[] = ["cards:read", "orders:write", "trade:execute", "email:send"];

const KINDS = [
  "access token of an application with enforced scopes",
  "access token with the waiver of today",
  "access token with the waiver of earlier applications",
  "access token of an application without a review",
  "API token",
  "API token of an account with strict scopes",
  "purchase token",
] as const;
type Kind = (typeof KINDS)[number];

let stack: Stack;
beforeAll(async () => {
  stack = await sharedStack();
});

/** Issues a token of a new account. */
async function issue(kind: Kind, scopes: readonly Scope[], resources: readonly string[]): Promise<string> {
  const { prisma } = stack.service.deps.db;
  const isApiToken = kind.startsWith("API token");
  const { accountId, token } = await stack.account(isApiToken ? { token: { scopes } } : {});
  if (kind === "purchase token") {
    return (await createToken(stack, token, { merchantUrl: "https://merchant.example/" })).token;
  }
  if (isApiToken) {
    const strictScopes = kind === "API token of an account with strict scopes";
    await prisma.account.update({ where: { id: accountId }, data: { strictScopes } });
    return token;
  }
  const client = await createClient(stack, {
    strictScopes: kind === "access token of an application with enforced scopes",
    waiverOnRoutesOnly: kind === "access token with the waiver of today",
  });
  const where = { id: client.clientId };
  if (kind === "access token of an application without a review") {
    const data = { registration: "dynamic", status: "pending_approval", strictScopes: true };
    await prisma.oAuthClient.update({ where, data });
  }
  const grantId = newId("grt");
  const granted = { id: grantId, accountId, clientId: where.id, scopes: [...scopes], strictScopes: false };
  await prisma.oAuthGrant.create({ data: { ...granted, slot: `${accountId}:${where.id}`, networks: [] } });
  await prisma.budget.create({ data: { id: grantId, accountId, day: new Date(), month: new Date() } });
  const secret = mintToken("satchel_at_");
  await prisma.oAuthToken.create({
    data: {
      ...{ id: newId("oat"), kind: "access", tokenHash: hashToken(secret), grantId, clientId: where.id },
      ...{ familyId: newId("fam"), scopes: [...scopes], resources: [...resources], successorIds: [] },
      expiresAt: new Date(Date.now() + 600_000),
    },
  });
  return secret;
}

interface Target {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  /** Whether the request is for an event stream. */
  readonly isStream: boolean;
  readonly caller: string;
  readonly scopes: readonly Scope[];
  readonly isAlwaysEnforced: boolean;
}

/** An argument that passes the parser. False and 0 turn nothing on. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    return `{ ${given.map((field) => `${field.name}: ${literal(field.type)}`).join(", ")} }`;
  }
  return { Int: "1", Float: "1", Boolean: "false", JSON: "{}" }[type.name] ?? '"x"';
}

function listFields(): Target[] {
  return [...FIELD_ACCESS].flatMap(([coordinate, { caller, scopes, isAlwaysEnforced = false }]) => {
    const [type = "", name = ""] = coordinate.split(".");
    const object = schema.getType(type);
    const field = isObjectType(object) ? object.getFields()[name] : undefined;
    if (!field || EXCLUDED.includes(coordinate) || caller === "anyone") return [];
    const given = field.args
      .filter(isRequiredArgument)
      .map((argument) => `${argument.name}: ${literal(argument.type)}`);
    const error = type === "Mutation" ? " ... on Error { code message }" : "";
    const selection = `${name}${given.length > 0 ? `(${given.join(", ")})` : ""}${
      isLeafType(getNamedType(field.type)) ? "" : ` { __typename${error} }`
    }`;
    const query = type === "Viewer" ? `{ viewer { ${selection} } }` : `${type.toLowerCase()} { ${selection} }`;
    const rule = { caller, scopes, isAlwaysEnforced };
    return [
      {
        name: coordinate,
        method: "POST",
        path: "/graphql",
        body: { query },
        isStream: type === "Subscription",
        ...rule,
      },
    ];
  });
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Returns a value with the required members of a JSON Schema. */
function createValue({ type, enum: values, properties = {}, required = [], items, anyOf }: Schema): unknown {
  if (values) return values[0];
  if (anyOf?.[0]) return createValue(anyOf[0]);
  if (type === "object") {
    return Object.fromEntries(required.map((name) => [name, createValue(properties[name] ?? {})]));
  }
  if (type === "array") return items ? [createValue(items)] : [];
  return { number: 1, integer: 1, boolean: false }[type ?? ""] ?? "https://a.example/";
}

/** The routes that write and accept a body of placeholders, so that the request reaches the gate. */
function listWrites(): Target[] {
  return ROUTES.filter(
    ({ method, dialect, authentication }) => method !== "GET" && dialect === "native" && !authentication,
  )
    .map((route) => ({
      route,
      body: route.body ? createValue(toJsonSchema(route.body, "input") as Schema) : undefined,
    }))
    .filter(({ route, body }) => route.body === null || route.body.safeParse(body).success)
    .map(({ route, body }) => ({
      ...{
        name: `${route.method} ${route.path}`,
        method: route.method,
        path: route.path.replaceAll(/\{\w+\}/g, "x_1_y"),
      },
      ...{ body: body as object | undefined, isStream: false },
      ...{ caller: scopesOf(route).includes("account:manage") ? "manager" : "account" },
      ...{ scopes: scopesOf(route), isAlwaysEnforced: false },
    }));
}

const FIELDS = listFields();
const WRITES = listWrites();

/** States the meaning of the table independently of the service. */
function mayUse(kind: Kind, scopes: readonly Scope[], target: Target): boolean {
  if (["owner", "administrator", "operator"].includes(target.caller)) return false;
  if (kind === "purchase token") return target.caller === "payer";
  const isUnreviewed = kind === "access token of an application without a review";
  const held = isUnreviewed ? scopes.filter((scope) => !REVIEWED.includes(scope)) : scopes;
  const required = [...target.scopes];
  // The routes of the contract require less of reviewed applications.
  if (isUnreviewed && /email\/(?:send|reply)$/.test(target.path)) required.push("email:send");
  if (target.caller === "manager" && !held.includes("account:manage")) return false;
  const isWaived =
    kind === "API token" ||
    kind === "access token with the waiver of earlier applications" ||
    (kind === "access token with the waiver of today" && isContractRoute(target));
  return (isWaived && !target.isAlwaysEnforced) || required.every((scope) => held.includes(scope));
}

interface Outcome {
  readonly status: number;
  readonly codes: readonly string[];
  readonly challenge: string;
}

/** @param isOpen whether an event stream is expected to remain open */
async function send(token: string, { method, path, body, isStream }: Target, isOpen: boolean): Promise<Outcome> {
  const response = await fetch(stack.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(isStream ? { accept: "text/event-stream" } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = isStream ? await readFirstEvent(response, isOpen) : await response.text();
  const codes = [...text.matchAll(/"(?:code|error)":"(\w+)"/g)].map(([, code]) => (code ?? "").toLowerCase());
  return { status: response.status, codes, challenge: response.headers.get("www-authenticate") ?? "" };
}

/** Returns the first event. A stream that is expected to be open is read only until the service has served another request. */
async function readFirstEvent({ body }: Response, isOpen: boolean): Promise<string> {
  let text = "";
  const reader = body?.getReader();
  const read = async () => {
    while (!/^data:/m.test(text)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return;
      text += Buffer.from(value ?? []).toString();
    }
  };
  const isServed = async () => void (await fetch(`${stack.baseUrl}/.well-known/oauth-authorization-server`));
  await (isOpen ? Promise.race([read(), isServed()]) : read());
  await reader?.cancel();
  return text;
}

it("admits to fields, streams and REST writes what the access table states", async () => {
  expect(FIELDS.length).toBeGreaterThan(150);
  expect(WRITES.map(({ name }) => name).length).toBeGreaterThan(6);
  const property = fc.asyncProperty(
    fc.constantFrom(...KINDS),
    fc.subarray([...SCOPES]),
    fc.subarray([...RESOURCE_PATHS], { maxLength: 2 }),
    fc.subarray(FIELDS, { minLength: 8, maxLength: 8 }),
    fc.subarray(WRITES, { minLength: 2, maxLength: 2 }),
    async (kind, some, resources, fields, writes) => {
      const isAccessToken = kind.startsWith("access token");
      // Applications cannot have the scope to manage the account.
      const scopes = isAccessToken ? some.filter((scope) => scope !== "account:manage") : some;
      const token = await issue(kind, scopes, resources);
      for (const target of [...fields, ...writes]) {
        const resource = target.path.startsWith("/api") ? "/api" : "/graphql";
        const isCovered =
          !isAccessToken || resources.length === 0 || resources.some((path) => path === "/" || path === resource);
        const isAdmitted = isCovered && mayUse(kind, scopes, target);
        const { status, codes, challenge } = await send(token, target, isAdmitted);
        const isRefused = codes.some((code) => code === "unauthorized" || code === "forbidden");
        const isInvalid = status === 401 && challenge.includes("invalid_token");
        // Behind the gate, the service may forbid an act for a reason of its own. A stream has no challenge.
        const isGated = target.isStream ? isRefused : status === 401 || challenge.includes("insufficient_scope");
        const [expected, actual] = !isCovered
          ? [true, target.isStream ? isRefused : isInvalid]
          : isAdmitted
            ? [false, isGated]
            : [true, isRefused];
        const context = { target: target.name, kind, scopes, resources, status, codes, challenge };
        expect({ ...context, isRefused: actual }).toEqual({ ...context, isRefused: expected });
      }
    },
  );
  await fc.assert(property, { numRuns: 40, endOnFailure: true });
});
