/** Restrictions of credentials, on the complete service. No chain is reachable: credit pays, and no payment settles. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { revokeApiToken } from "../../src/accounts/api-tokens.ts";
import { authenticate } from "../../src/accounts/authenticate.ts";
import { pay } from "../../src/payments/pay.ts";
import { parsePaymentRequired } from "../../src/payments/x402/requirements.ts";
import { UnauthorizedError } from "../../src/platform/errors.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createOffer, SELLER } from "./seller.ts";

let stack: OwnStack;
beforeAll(async () => {
  const env = {
    RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1",
    UPTO_SPENDERS: "0x3333333333333333333333333333333333333333",
  };
  stack = await startStack({ env });
});
afterAll(() => stack.stop());

it.each([
  ["without an expiry", null],
  ["with an expiry in the future", new Date(Date.now() + 3_600_000)],
])("a token %s reserves nothing after it is revoked during its request", async (_which, expiresAt) => {
  const { deps } = stack.service;
  const { token, tokenId, accountId } = await stack.account({ token: { expiresAt } });
  const viewer = await authenticate(deps, token);
  const order = {
    url: "http://shop.test/",
    required: parsePaymentRequired({ body: createOffer() }),
    maxValueAtomic: null,
  };
  await pay(deps, viewer, { ...order, idempotencyKey: null });
  await revokeApiToken(deps, viewer, tokenId);
  await expect(pay(deps, viewer, { ...order, idempotencyKey: null })).rejects.toThrow(UnauthorizedError);
  expect(await deps.db.prisma.transaction.count({ where: { accountId, type: "x402" } })).toBe(1);
});

it("signs no permit for a token with allowed payees, as the settling party chooses a permit's recipient", async () => {
  const { token } = await stack.account({ token: { allowedPayees: [SELLER] } });
  const sign = (changes: object) => {
    const body = { paymentRequirements: createOffer(changes), requestData: { url: "http://shop.test/" } };
    return stack.rest(token, "POST", "/api/sign-payment", body);
  };
  expect((await sign({})).status).toBe(200);
  const rejected = await sign({ scheme: "upto" });
  expect(rejected.status).toBe(402);
  expect(rejected.json).toMatchObject({
    error: "no_acceptable_requirement",
    considered: [{ refusal: "payee_not_allowed" }],
  });
});

it("rejects a look-up of 1,000 objects in one request", async () => {
  const { token } = await stack.account();
  const nodes = async (count: number) => {
    const ids = Array.from({ length: count }, (_, i) => Buffer.from(`Transaction:tx_${i}`).toString("base64"));
    return (await stack.graphql(token, "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids })).json;
  };
  expect((await nodes(50)).data.nodes).toHaveLength(50);
  expect((await nodes(1_000)).errors[0].extensions.code).toBe("OPERATION_LIMIT_EXCEEDED");
});
