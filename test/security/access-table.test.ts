/** The access table: every field with every credential and scope, and with none. Nothing behind the gate can run. */
import {
  execute,
  type GraphQLField,
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
  parse,
  subscribe,
} from "graphql";
import { expect, it } from "vitest";
import { type Access, FIELD_ACCESS, NODE_ACCESS } from "../../schema/access/access-table.ts";
import { buildSchema } from "../../schema/schema.ts";
import { type AccountViewer, SCOPES, type Scope, type Viewer } from "../../src/accounts/viewer.ts";
import { ForbiddenError, UnauthorizedError } from "../../src/platform/errors.ts";

const schema = buildSchema();
const ACCOUNT = "00000000-0000-4000-8000-000000000001";

const viewer = (overrides: Partial<AccountViewer>): AccountViewer => ({
  ...{ kind: "account", accountId: ACCOUNT, credentialId: "tok_1", credentialKind: "api_token", budgetId: "tok_1" },
  ...{ budgetIds: ["tok_1"], scopes: SCOPES, strictScopes: true, x402Enabled: true, frozenBy: null },
  rules: { networks: [], allowedHosts: [], allowedPayees: [], merchantUrl: null },
  ...{ creditMicroUsd: 0n, expiresAtMs: null, isAdministrator: false, authenticatedAtMs: Date.now() },
  ...overrides,
});

const VIEWERS: Readonly<Record<string, Viewer | null>> = {
  "no credential": null,
  "a purchase token": viewer({ credentialKind: "purchase_token", scopes: ["payments:sign"] }),
  "no scope": viewer({ scopes: [] }),
  ...Object.fromEntries(SCOPES.map((scope) => [`only ${scope}`, viewer({ scopes: [scope] })])),
  ...Object.fromEntries(
    SCOPES.map((scope) => [`all but ${scope}`, viewer({ scopes: SCOPES.filter((other) => other !== scope) })]),
  ),
  "a token without strict scopes": viewer({ scopes: [], strictScopes: false }),
  "a token with every scope": viewer({}),
  "a session": viewer({ credentialKind: "session" }),
  "an administrator": viewer({ credentialKind: "session", isAdministrator: true }),
  "the operator": { kind: "operator", expiresAtMs: null },
};

/** States the table's meaning independently of the gate. Null: the resolver decides about the operator. */
function mayUse({ caller, scopes, isAlwaysEnforced }: Access, one: Viewer | null): boolean | null {
  if (caller === "anyone") return true;
  if (!one) return false;
  if (one.kind === "operator") return caller === "operator" || caller === "administrator" ? true : null;
  if (caller === "operator" || (caller === "administrator" && !one.isAdministrator)) return false;
  if (one.credentialKind === "purchase_token" && caller !== "payer") return false;
  if (caller === "manager" && !one.scopes.includes("account:manage")) return false;
  if (caller === "owner" && one.credentialKind !== "session") return false;
  return (!one.strictScopes && !isAlwaysEnforced) || scopes.every((scope) => one.scopes.includes(scope));
}

/** An argument that passes the parser. The gate precedes the validation of its value. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? "";
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const given = type.isOneOf ? fields.slice(0, 1) : fields.filter(isRequiredInputField);
    return `{ ${given.map((field) => `${field.name}: ${literal(field.type)}`).join(", ")} }`;
  }
  return { Int: "1", Float: "1", Boolean: "true", JSON: "{}" }[type.name] ?? '"x"';
}

function selectionOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter(isRequiredArgument).map((argument) => `${argument.name}: ${literal(argument.type)}`);
  const list = given.length > 0 ? `(${given.join(", ")})` : "";
  return `${name}${list}${isLeafType(getNamedType(type)) ? "" : " { __typename }"}`;
}

class Reached extends Error {}
const deps = new Proxy(
  {},
  {
    get(_target, name) {
      if (name === "securityLog") return () => {};
      throw new Reached();
    },
  },
);

/** Returns whether the operation was refused for its credential. */
async function isRefused(operation: string, field: string, one: Viewer | null, isTrusted = false): Promise<boolean> {
  const contextValue = {
    ...{
      deps,
      viewer: one,
      requestId: "req_1",
      startedAt: new Date(),
      idempotencyKey: null,
      ip: null,
      userAgent: null,
    },
    ...{
      browserSecret: null,
      knownBrowser: null,
      addHeader: null,
      disconnected: null,
      exchange: null,
      counted: null,
      isTrusted,
    },
  };
  const request = { schema, document: parse(operation), contextValue };
  const result = operation.startsWith("subscription") ? await subscribe(request) : await execute(request);
  if (Symbol.asyncIterator in result) return false;
  const { data, errors = [] } = result;
  const causes = errors.map(({ originalError }) => originalError);
  const value = data?.[field] as { readonly __typename?: string } | null | undefined;
  return (
    causes.some((cause) => cause instanceof UnauthorizedError || cause instanceof ForbiddenError) ||
    value?.__typename === "UnauthorizedError" ||
    value?.__typename === "ForbiddenError"
  );
}

function operationOf(coordinate: string): { operation: string; field: string } {
  const [type = "", name = ""] = coordinate.split(".");
  const object = schema.getType(type);
  const field = isObjectType(object) ? object.getFields()[name] : undefined;
  if (!field) throw new Error(`No field ${coordinate}`);
  const selection = selectionOf(field);
  if (type === "Viewer") return { operation: `query { viewer { ${selection} } }`, field: "viewer" };
  return { operation: `${type.toLowerCase()} { ${selection} }`, field: name };
}

it("admits to each field the credentials that the table states, and no others", async () => {
  const differences: string[] = [];
  for (const [coordinate, access] of FIELD_ACCESS) {
    const { operation, field } = operationOf(coordinate);
    for (const [name, one] of Object.entries(VIEWERS)) {
      const expected = mayUse(access, one);
      if (expected === null) continue;
      if ((await isRefused(operation, field, one)) === expected) {
        differences.push(`${coordinate} with ${name}: ${expected ? "refused" : "admitted"}`);
      }
    }
  }
  expect(differences).toEqual([]);
});

it("adds one challenge for an operation, however many fields are refused", async () => {
  const challenges: string[] = [];
  const contextValue = {
    ...{ deps: { site: { baseUrl: () => "https://satchel.example" } }, viewer: VIEWERS["no scope"], path: "/graphql" },
    ...{ hasCredential: true, isTrusted: false, addHeader: (_name: string, value: string) => challenges.push(value) },
  };
  const fields = ["trade", "transaction", "gatewayCall"].map((name) => `${name}(id: "x") { __typename }`);
  const document = parse(`{ ${fields.join(" ")} }`);
  const { errors } = await execute({ schema, document, contextValue });
  expect(errors).toHaveLength(3);
  expect(challenges).toEqual([expect.stringContaining('error="insufficient_scope", scope="transactions:read"')]);
});

it("requires on REST routes the scopes that their contract knows", async () => {
  const one = viewer({ scopes: ["email:read"] });
  for (const name of ["sendMail", "replyToMail", "sendMailDraft"]) {
    const { operation, field } = operationOf(`Mutation.${name}`);
    expect([await isRefused(operation, field, one, true), await isRefused(operation, field, one)]).toEqual([
      false,
      true,
    ]);
  }
});

it("requires of an id what its type requires", async () => {
  const differences: string[] = [];
  for (const [type, access] of Object.entries(NODE_ACCESS)) {
    const id = Buffer.from(`${type}:x`).toString("base64");
    for (const [name, one] of Object.entries(VIEWERS)) {
      const expected = mayUse(access, one);
      if (expected === null) continue;
      const operations = {
        node: `query { node(id: "${id}") { id } }`,
        nodes: `query { nodes(ids: ["${id}"]) { id } }`,
      };
      for (const [field, operation] of Object.entries(operations)) {
        if ((await isRefused(operation, field, one)) === expected) {
          differences.push(`${field} of ${type} with ${name}: ${expected ? "refused" : "admitted"}`);
        }
      }
    }
  }
  expect(differences).toEqual([]);
});

it("requires of a field that leads to another object what that object requires", async () => {
  const differences: string[] = [];
  const edges = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) &&
    (type.name in NODE_ACCESS || /(?:Update|EventData)$/.test(type.name)) &&
    type.name !== "Viewer"
      ? Object.values(type.getFields()).map((field) => ({ type, field }))
      : [],
  );
  for (const { type, field } of edges) {
    const target = getNamedType(field.type).name.replace(/Connection$/, "");
    const access = NODE_ACCESS[target as keyof typeof NODE_ACCESS];
    if (!access) continue;
    for (const [name, one] of Object.entries(VIEWERS)) {
      const expected = mayUse(access, one);
      if (expected === null) continue;
      let isAdmitted = true;
      try {
        const path = { prev: undefined, key: field.name, typename: type.name };
        const info = { returnType: field.type, parentType: type, fieldName: field.name, path };
        await field.resolve?.({}, {}, { deps, viewer: one } as never, info as never);
      } catch (error) {
        isAdmitted = !(error instanceof UnauthorizedError || error instanceof ForbiddenError);
      }
      if (isAdmitted !== expected)
        differences.push(`${type.name}.${field.name} with ${name}: ${expected ? "refused" : "admitted"}`);
    }
  }
  expect(differences).toEqual([]);
});

it("names a scope for every field that reads or changes what an account owns", () => {
  const unscoped = [...FIELD_ACCESS].filter(([, { caller, scopes }]) => caller === "account" && scopes.length === 0);
  expect(unscoped.map(([field]) => field).toSorted()).toMatchInlineSnapshot(`
    [
      "Mutation.answerOrderQuestion",
      "Mutation.cancelAccountRecovery",
      "Query.allModels",
      "Query.approvalOfToken",
      "Query.cartQuote",
      "Query.checkoutReliabilityWindowDays",
      "Query.event",
      "Query.merchant",
      "Query.merchants",
      "Query.model",
      "Query.models",
      "Query.paidTools",
      "Query.productLookup",
      "Query.productSearch",
      "Query.tradeQuote",
      "Query.viewer",
      "Query.x402Requirements",
      "Subscription.accountEventOccurred",
      "Viewer.agentId",
      "Viewer.apiToken",
      "Viewer.events",
      "Viewer.grant",
      "Viewer.id",
      "Viewer.isAdministrator",
      "Viewer.session",
      "Viewer.sub",
    ]
  `);
  const known = new Set<Scope>(
    [...FIELD_ACCESS.values(), ...Object.values(NODE_ACCESS)].flatMap(({ scopes }) => scopes),
  );
  expect(SCOPES.filter((scope) => !known.has(scope))).toEqual([]);
});
