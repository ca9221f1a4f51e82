/** All problems of an input are reported at once, in one shape, each with its path. */
import fc from "fast-check";
import {
  type GraphQLInputField,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ZodType } from "zod";
import { buildSchema } from "../../schema/schema.ts";
import { createMailbox } from "../mail/fixtures.ts";
import { signInAdministrator, type TestAdministrator } from "../support/administrator.ts";
import { ADMIN_TOKEN, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
/** May use every field but the operator's. */
let administrator: TestAdministrator;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  administrator = await signInAdministrator(stack, (await stack.account()).accountId);
});
afterAll(() => administrator?.resign());

const post = (query: string, variables: object = {}, accept = "application/graphql-response+json") =>
  stack.graphql(account.token, query, variables, { accept });
const RESULT = `{ __typename ... on CreateApiTokenSuccess { token { id expiresAt } }
  ... on Error { code message } ... on InvalidRequestError { field problems { path message } } }`;
const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) ${RESULT} }`;

/** An invalid value, with the path of its problem below the field. */
type Invalid = readonly [value: unknown, ...path: string[]];
const INVALID: Readonly<Record<string, readonly Invalid[]>> = {
  name: [[""], ["x".repeat(101)], ["a\0b"]],
  perTransactionLimitUsd: [["-1"], ["1e3"], ["0.0000001"]],
  dailyLimitUsd: [["x"]],
  monthlyLimitUsd: [["1000000001"]],
  networks: [[[]], [["base", "nowhere"], "1"], ["nowhere"]],
  allowedHosts: [[["https://a.example/"]]],
  allowedPayees: [[["0x1"]]],
  expiresAt: [["2027-02-30T00:00:00Z"], ["2020-01-01T00:00:00Z"]],
};
const VALID = { name: "Valid", perTransactionLimitUsd: "0.01", dailyLimitUsd: "0.01", monthlyLimitUsd: "0.01" };

/** Writes a value as a literal of GraphQL. */
const toLiteral = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(toLiteral).join(", ")}]`
    : typeof value === "object" && value !== null
      ? `{ ${Object.entries(value)
          .map(([name, member]) => `${name}: ${toLiteral(member)}`)
          .join(", ")} }`
      : JSON.stringify(value);

describe("a field whose result union has InvalidRequestError", () => {
  const subset = fc.record(
    Object.fromEntries(Object.entries(INVALID).map(([name, values]) => [name, fc.constantFrom<Invalid>(...values)])),
    { requiredKeys: [] },
  );

  it("reports every subset of invalid fields exactly, from a variable, a literal and both", async () => {
    await fc.assert(
      fc.asyncProperty(subset, fc.constantFrom("variable", "literal", "members"), async (invalid, form) => {
        const faults = Object.entries(invalid as Readonly<Record<string, Invalid>>);
        const values = Object.fromEntries(faults.map(([name, [value]]) => [name, value]));
        const input: Record<string, unknown> = { ...VALID, ...values };
        const { limit, ...others } = { limit: input["perTransactionLimitUsd"], ...input };
        const { status, json } =
          form === "variable"
            ? await post(CREATE, { input })
            : form === "literal"
              ? await post(`mutation { createApiToken(input: ${toLiteral(input)}) ${RESULT} }`)
              : await post(
                  `mutation ($limit: Usd) { createApiToken(input: { ${toLiteral({
                    ...others,
                    perTransactionLimitUsd: 0,
                  })
                    .slice(1, -1)
                    .replace("perTransactionLimitUsd: 0", "perTransactionLimitUsd: $limit")} }) ${RESULT} }`,
                  { limit },
                );
        expect(status).toBe(200);
        expect(json.errors).toBeUndefined();
        const { createApiToken: result } = json.data;
        const expected = faults.map(([name, [value, ...path]]) => [
          "input",
          name,
          // A single value instead of a list is a list of one.
          ...(name === "networks" && value === "nowhere" ? ["0"] : path),
        ]);
        if (expected.length === 0) return expect(result.__typename).toBe("CreateApiTokenSuccess");
        expect(result).toMatchObject({ __typename: "InvalidRequestError", code: "INVALID_REQUEST" });
        const paths = result.problems.map(({ path }: { path: string[] }) => path);
        expect(paths.toSorted()).toEqual(expected.toSorted());
        expect(result.message).toBe(result.problems[0].message);
        expect(paths[0].slice(1).join(".")).toBe(result.field.replace(/\[(\d)\]/, ".$1"));
      }),
      { numRuns: 60 },
    );
  });

  it("names both faults of the input", async () => {
    const input = { ...VALID, name: "", perTransactionLimitUsd: "-1" };
    for (let run = 0; run < 3; run++) {
      const { json } = await post(CREATE, { input });
      expect(json).toEqual({
        data: {
          createApiToken: {
            __typename: "InvalidRequestError",
            code: "INVALID_REQUEST",
            field: "name",
            message: "name must have 1 to 100 characters.",
            problems: [
              { path: ["input", "name"], message: "name must have 1 to 100 characters." },
              {
                path: ["input", "perTransactionLimitUsd"],
                message: 'perTransactionLimitUsd must be a plain decimal number such as "12.50".',
              },
            ],
          },
        },
      });
    }
  });

  it("reports all problems that the operation itself finds", async () => {
    const own = await stack.account();
    await createMailbox(stack, own);
    const query = `mutation ($input: SendMailInput!) { sendMail(input: $input) { __typename ... on InvalidRequestError { message problems { path message } } } }`;
    const { json } = await stack.graphql(own.token, query, { input: { to: ["x"], subject: "a\nb", body: " " } });
    const { message, problems } = json.data.sendMail;
    expect(problems.map(({ path }: { path: string[] }) => path[1])).toEqual(["to", "subject", "body"]);
    expect(message).toBe(problems[0].message);
  });

  it("adds the argument to the path of a problem that the operation finds", async () => {
    const { json } =
      await post(`mutation { createWebhook(input: { url: "https://a.example/", description: "${"x".repeat(300)}" }) {
      __typename ... on InvalidRequestError { field problems { path } } } }`);
    expect(json.data.createWebhook).toMatchObject({
      field: "description",
      problems: [{ path: ["input", "description"] }],
    });
  });

  it("reports the index and path in a list of objects", async () => {
    const { json } =
      await post(`mutation { x402Fetch(input: { url: "nowhere", headers: [{ name: "a", value: "b" }, { name: "a b", value: "\\n" }] }) {
      __typename ... on InvalidRequestError { problems { path } } } }`);
    expect(json.data.x402Fetch).toMatchObject({
      problems: [
        { path: ["input", "url"] },
        { path: ["input", "headers", "1", "name"] },
        { path: ["input", "headers", "1", "value"] },
      ],
    });
  });

  it("names a malformed global id by its own field", async () => {
    const { json } =
      await post(`mutation { replayEventsSince(input: { webhookId: "x", since: "2026-04-31T00:00:00Z" }) {
      __typename ... on InvalidRequestError { problems { path message } } } }`);
    expect(json.data.replayEventsSince.problems).toEqual([
      { path: ["input", "webhookId"], message: "webhookId is not the id of a webhook." },
      { path: ["input", "since"], message: "since names a day that does not exist: 2026-04 has 30 days." },
    ]);
  });

  it("limits the number of problems of a long list", async () => {
    const { json, text } = await post(CREATE, { input: { ...VALID, networks: Array(20_000).fill("nowhere") } });
    expect(json.data.createApiToken.problems).toHaveLength(100);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe("every input of a field with such a union", () => {
  const VALUES: Readonly<Record<string, readonly [valid: unknown, invalid?: unknown]>> = {
    AtomicAmount: ["1", "1.5"],
    CountryCode: ["GB", "XX"],
    CurrencyCode: ["GBP", "XXQ"],
    DateTime: ["2027-01-01T00:00:00Z", "2027-02-30T00:00:00Z"],
    Decimal: ["1", "-1"],
    MinorAmount: [1, 0.5],
    NetworkName: ["base", "nowhere"],
    Url: ["https://a.example/", "nowhere"],
    Usd: ["1", "-1"],
    Boolean: [true],
    Float: [0.5],
    Int: [1],
    ID: [Buffer.from("Trade:x").toString("base64")],
    JSON: [{}],
    String: ["x"],
  };
  const root = buildSchema();
  const fields = [root.getQueryType(), root.getMutationType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {})
      .filter(({ args, extensions }) => args.length > 0 && extensions["returnsInputProblems"] === true)
      // Its texts have rules too, which the tests above cover.
      .filter(({ name }) => name !== "createApiToken")
      .map((field) => ({ field, operation: type === root.getQueryType() ? "query" : "mutation" })),
  );

  /** Returns a valid value of a type, with an invalid one at each path that `isInvalid` selects; adds these paths. */
  function build(
    { type, extensions }: Pick<GraphQLInputField, "type" | "extensions">,
    path: string[],
    isInvalid: () => boolean,
    invalid: string[][],
  ): unknown {
    if (isNonNullType(type)) return build({ type: type.ofType, extensions }, path, isInvalid, invalid);
    const { validate } = (extensions["pothosOptions"] ?? {}) as { validate?: ZodType };
    if (isListType(type)) {
      const item = build({ type: type.ofType, extensions: {} }, [...path, "0"], isInvalid, invalid);
      if (getNamedType(type).name === "ID" && validate?.safeParse([item]).success === false)
        invalid.push([...path, "0"]);
      return [item];
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields()).slice(type.isOneOf ? -1 : 0);
      return Object.fromEntries(
        fields.map((field) => [field.name, build(field, [...path, field.name], isInvalid, invalid)]),
      );
    }
    if (isEnumType(type)) return type.getValues()[0]?.name;
    const [valid, other] = VALUES[type.name] ?? [];
    if (valid === undefined) throw new Error(`The test has no value of ${type.name}.`);
    // The id of another type.
    if (type.name === "ID" && validate?.safeParse(valid).success === false) invalid.push(path);
    if (other === undefined || !isInvalid()) return valid;
    invalid.push(path);
    return other;
  }

  it.each(fields.map(({ field, operation }) => [field.name, field, operation] as const))(
    "%s",
    async (name, field, operation) => {
      const variables = field.args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
      const args = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
      const query = `${operation} (${variables}) { ${name}(${args}) { __typename ... on InvalidRequestError { problems { path } } } }`;
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.boolean()), async (choices) => {
          const invalid: string[][] = [];
          const isInvalid = () => choices.next().value === true;
          const values = Object.fromEntries(
            field.args.map((arg) => [arg.name, build(arg, [arg.name], isInvalid, invalid)]),
          );
          if (invalid.length === 0) return;
          const { status, json } =
            name === "createAccount"
              ? await stack.graphql(ADMIN_TOKEN, query, values)
              : await administrator.graphql(query, values);
          expect(status).toBe(200);
          expect(json.data?.[name].problems.map(({ path }: { path: string[] }) => path)).toEqual(invalid);
        }),
        { numRuns: 4 },
      );
    },
  );
});

describe("a field without such a union", () => {
  const FILTER =
    "query ($from: DateTime!, $to: DateTime) { viewer { sub transactions(filter: { createdAfter: $from, createdBefore: $to }) { edges { cursor } } } }";

  it("rejects the request with all problems of its variables, with their positions", async () => {
    for (let run = 0; run < 3; run++) {
      const { status, json } = await post(FILTER, { from: "2026-04-31T00:00:00Z", to: "2025-02-29T00:00:00Z" });
      expect(status).toBe(400);
      expect(json).toEqual({
        errors: [
          {
            message: expect.stringMatching(/^Variable "\$from" got an invalid value; DateTime names a day/),
            locations: [
              { line: 1, column: 8 },
              { line: 1, column: 26 },
            ],
            extensions: {
              code: "BAD_USER_INPUT",
              problems: [
                { path: ["from"], message: "from names a day that does not exist: 2026-04 has 30 days." },
                { path: ["to"], message: "to names a day that does not exist: 2025-02 has 28 days." },
              ],
            },
          },
        ],
      });
    }
  });

  it("rejects a document with all problems of its literals, with their positions", async () => {
    const { status, json } = await post(
      '{ viewer { transactions(filter: { createdAfter: "2026-04-31T00:00:00Z" }) { edges { cursor } } wallet { balance(network: "nowhere") { address } } } }',
    );
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      {
        message: expect.stringContaining("filter.createdAfter names a day that does not exist"),
        locations: [
          { line: 1, column: 49 },
          { line: 1, column: 122 },
        ],
        extensions: {
          code: "BAD_USER_INPUT",
          problems: [
            {
              path: ["filter", "createdAfter"],
              message: "filter.createdAfter names a day that does not exist: 2026-04 has 30 days.",
            },
            { path: ["network"], message: expect.stringContaining("network must be one of ") },
          ],
        },
      },
    ]);
  });

  it("rejects the default value of a variable", async () => {
    const { json } = await post(
      'query ($at: DateTime = "2026-04-31T00:00:00Z") { viewer { transactions(filter: { createdAfter: $at }) { edges { cursor } } } }',
    );
    expect(json.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT", problems: [{ path: ["at"] }] } }]);
  });

  it("receives a default value and a literal as the scalar's type on every run", async () => {
    const query = `query ($at: DateTime = "2020-01-01T00:00:00Z") { viewer { transactions(filter: { createdAfter: $at, createdBefore: "2021-01-01T00:00:00Z" }) { edges { cursor } } } }`;
    for (let run = 0; run < 3; run++)
      expect((await post(query)).json).toEqual({ data: { viewer: { transactions: { edges: [] } } } });
  });
});

describe("faults of the program", () => {
  it("are errors of the request: unknown and missing fields, and values of a wrong type, each with its path", async () => {
    const input = { perTransactionLimitUsd: "-1", dailyLimitUsd: 5, unknown: "secret-1", scopes: [1] };
    const { status, json, text } = await post(CREATE, { input });
    expect(status).toBe(400);
    expect(json).not.toHaveProperty("data");
    expect(json.errors).toHaveLength(1);
    const { code, problems } = json.errors[0].extensions;
    expect(code).toBe("BAD_USER_INPUT");
    expect(problems.map(({ path }: { path: string[] }) => path.join("."))).toEqual([
      "input.name",
      "input.perTransactionLimitUsd",
      "input.dailyLimitUsd",
      "input.scopes.0",
      "input.unknown",
    ]);
    expect(text).not.toContain("secret-1");
  });

  it("include a missing variable, and one that another field uses", async () => {
    const { json } = await post(
      "query ($a: ID!, $b: Int!) { node(id: $a) { id } merchants(first: $b) { edges { cursor } } }",
      { b: 3_000_000_000 },
    );
    expect(json.errors[0].extensions.problems).toEqual([
      { path: ["a"], message: "The variable is required." },
      { path: ["b"], message: "Int cannot represent non 32-bit signed integer value." },
    ]);
    const shared = await post(
      `mutation ($network: NetworkName!) { createApiToken(input: { name: "x", networks: [$network] }) { __typename ... on CreateApiTokenSuccess { token { id } } }
        revokeOtherSessions { __typename } }`,
      { network: "nowhere" },
    );
    expect(shared.json.data.createApiToken.__typename).toBe("InvalidRequestError");
  });
});

it("the caller's permission is checked before the arguments", async () => {
  const quote = '{ tradeQuote(sellToken: "USDC", buyToken: "", sellAmount: "-1") { __typename } }';
  const codeFor = async (token: string | null) => (await stack.graphql(token, quote)).json;
  expect((await codeFor(null)).errors[0].extensions.code).toBe("unauthorized");
  expect((await codeFor(account.token)).data.tradeQuote.__typename).toBe("InvalidRequestError");
});

describe("REST", () => {
  it.each(["2027-02-30T00:00:00Z", "2026-04-31", "2025-02-29", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z"])(
    "rejects the time %s with the parameter's name",
    async (since) => {
      const { status, json } = await stack.rest(account.token, "GET", `/api/events?since=${since}`);
      expect([status, json.error, json.field]).toEqual([400, "invalid_request", "since"]);
    },
  );

  it.each([
    ["/api/webhooks", { url: "nowhere" }, "url must be an absolute URL such as https://app.example/webhooks.", "url"],
    [
      "/api/sign-payment",
      { paymentRequirements: { x402Version: 1, accepts: [] }, requestData: { url: "nowhere" } },
      "requestData.url must be a URL.",
      "requestData.url",
    ],
  ])("%s names an invalid URL in the words of the route", async (path, body, message, field) => {
    const { status, json } = await stack.rest(account.token, "POST", path, body);
    expect([status, json.error, json.message, json.field]).toEqual([400, "invalid_request", message, field]);
  });

  it("rejects the URL of the proxy, and a scheme that is not allowed with its own code", async () => {
    const invalid = await stack.rest(account.token, "POST", "/api/x402/fetch?url=nowhere", {});
    expect([invalid.status, invalid.json.message, invalid.json.field]).toEqual([
      400,
      "url must be an absolute http or https URL.",
      "url",
    ]);
    const scheme = await stack.rest(account.token, "POST", "/api/webhooks", { url: "ftp://app.example/" });
    expect(scheme.json.error).toBe("url_not_allowed");
  });
});
