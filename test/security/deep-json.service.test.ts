/** JSON nested too deeply for recursive code: the service rejects it on input. */
import { beforeAll, expect, it } from "vitest";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createOffer } from "./seller.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
});

const nestArrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const MUTATION =
  'mutation ($body: JSON) { x402Fetch(input: { url: "http://127.0.0.1:1/", body: $body }) { ... on Error { code } } }';
const post = (body: string, token: string | null = account.token) =>
  stack.rest(token, "POST", "/graphql", `{"query":${JSON.stringify(MUTATION)},"variables":{"body":${body}}}`);
const postForm = (body: string) =>
  fetch(`${stack.baseUrl}/graphql`, {
    method: "POST",
    headers: { "apollo-require-preflight": "1" },
    body: new URLSearchParams({ query: MUTATION, variables: `{"body":${body}}` }),
  });

it.each([101, 5_000, 120_000])(
  "responds with 400 to variables %i levels deep, with and without a credential",
  async (depth) => {
    for (const token of [null, account.token]) {
      const { status, json } = await post(nestArrays(depth), token);
      expect(status).toBe(400);
      expect(json.errors[0].extensions).toMatchObject({ code: "OPERATION_LIMIT_EXCEEDED", limit: 100 });
    }
    expect((await postForm(nestArrays(depth))).status).toBe(400);
  },
);

it("accepts variables 100 levels deep", async () => {
  expect((await post(nestArrays(99))).json).toEqual({ data: { x402Fetch: { code: "TARGET_UNREACHABLE" } } });
});

it.each([
  ["beside the offers", { a: 1 }, {}],
  ["in an offer", {}, { extra: { a: 1 } }],
])("responds with 400 to REST requirements 200,000 levels deep, %s", async (_where, beside, changes) => {
  const body = {
    paymentRequirements: { ...createOffer(changes), ...beside },
    requestData: { url: "http://shop.test/" },
  };
  const text = JSON.stringify(body).replace('"a":1', `"a":${nestArrays(200_000)}`);
  const { status, json } = await stack.rest(account.token, "POST", "/api/sign-payment", text, {
    "idempotency-key": "deep",
  });
  expect(json).toMatchObject({ error: "invalid_request", field: "paymentRequirements" });
  expect(status).toBe(400);
});
