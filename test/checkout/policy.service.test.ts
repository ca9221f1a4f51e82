/** A checkout policy signed with a passkey; the signature is verified without the service's code. */
import { createHash, createPublicKey, verify } from "node:crypto";
import canonicalize from "canonicalize";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { countPolicyUse } from "../../src/checkout/policy/use-policy.ts";
import type { Deviations } from "../support/authenticator.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { type AccountOwner, openAccountOwner } from "./account-owner.ts";

const TERMS = {
  currency: "GBP",
  perOrderMaxMinor: 5_000,
  dailyMaxMinor: 8_000,
  monthlyMaxMinor: 20_000,
  allowedCountries: ["IE", "GB"],
  expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
};
const ERROR = "... on Error { code message } ... on InvalidRequestError { field }";
const POLICY =
  "id policyId version isInForce document policySha256 signature terms { perOrderMax { amount currency } newMerchant allowedMerchantIds cardIds } dayUsed { amount amountMinor currency } revokedAt";

let stack: Stack;
let owner: AccountOwner;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  owner = await openAccountOwner(stack);
});

const start = async (terms: object = {}, by = owner) =>
  (
    await by.visitor.graphql(
      `mutation ($input: StartCheckoutPolicyInput!) { startCheckoutPolicy(input: $input) {
        ... on StartCheckoutPolicySuccess { attemptId document options } ${ERROR} } }`,
      { input: { ...TERMS, ...terms } },
    )
  ).startCheckoutPolicy;
const create = async (attemptId: string, response: unknown, by = owner) =>
  (
    await by.visitor.graphql(
      `mutation ($input: CreateCheckoutPolicyInput!) { createCheckoutPolicy(input: $input) {
        ... on CreateCheckoutPolicySuccess { policy { ${POLICY} } } ${ERROR} } }`,
      { input: { attemptId, response } },
    )
  ).createCheckoutPolicy;
async function sign(terms: object = {}, deviations: Deviations = {}) {
  const { attemptId, options } = await start(terms);
  return await create(attemptId, owner.device.get(options, deviations));
}
const readPolicyInForce = async () =>
  (await stack.graphql(owner.token, `{ viewer { checkoutPolicy { ${POLICY} } } }`)).json.data.viewer.checkoutPolicy;

it("takes effect after the passkey signs the displayed document, with a signature that verifies independently", async () => {
  const { attemptId, options, document } = await start();
  expect(document).toMatchObject({
    version: 1,
    currency: "GBP",
    allowed_merchants: null,
    allowed_countries: ["GB", "IE"],
  });
  expect(document).toMatchObject({ new_merchant: "require_approval", ship_to_other: "require_approval" });
  const digest = createHash("sha256")
    .update(canonicalize(document) ?? "")
    .digest();
  expect(options).toMatchObject({ challenge: digest.toString("base64url"), userVerification: "required" });
  const { policy } = await create(attemptId, owner.device.get(options));
  expect(policy).toMatchObject({ version: 1, isInForce: true, document, policySha256: digest.toString("hex") });
  expect(policy.terms).toEqual({
    perOrderMax: { amount: "50.00", currency: "GBP" },
    ...{ newMerchant: "REQUIRE_APPROVAL", allowedMerchantIds: null, cardIds: [] },
  });
  expect(await readPolicyInForce()).toEqual(policy);
  const bytes = (name: string) => Buffer.from(policy.signature[name], "base64url");
  const clientData = bytes("client_data_json");
  expect(JSON.parse(clientData.toString()).challenge).toBe(digest.toString("base64url"));
  const signed = Buffer.concat([bytes("authenticator_data"), createHash("sha256").update(clientData).digest()]);
  const key = owner.device.credentials[0]?.privateKey;
  if (!key) throw new Error("The device has no passkey.");
  expect(verify("sha256", signed, createPublicKey(key), bytes("signature"))).toBe(true);
});

it("has the members of the published JSON Schema, and no others", async () => {
  const response = await fetch(`${stack.baseUrl}/schemas/checkout-policy.json`);
  expect(response.headers.get("content-type")).toMatch(/^application\/schema\+json/);
  const { document } = await start();
  const schema = (await response.json()) as { required: string[]; additionalProperties: boolean };
  expect(schema).toMatchObject({ additionalProperties: false, properties: { currency: { type: "string" } } });
  expect(Object.keys(document).toSorted()).toEqual(schema.required.toSorted());
});

it.each<[string, Deviations]>([
  ["another challenge", { challenge: "AAAA" }],
  ["another origin", { origin: "https://evil.example" }],
  ["no user verification", { userVerified: false }],
  ["a frame in another site's page", { crossOrigin: true }],
  ["the origin of a page around the frame", { topOrigin: "https://evil.example" }],
  ["another account", { userHandle: "AAAAAAAAAAAAAAAAAAAAAA" }],
])("rejects a passkey response with %s", async (_what, deviations) => {
  expect(await sign({}, deviations)).toMatchObject({ code: "PASSKEY_REFUSED" });
  expect(await readPolicyInForce()).toBeNull();
});

it("rejects another account's passkey or session, an agent and a repeated response", async () => {
  const other = await openAccountOwner(stack);
  const { attemptId, options } = await start();
  const otherResponse = other.device.get(options);
  expect(await create(attemptId, owner.device.get(options), other)).toMatchObject({ code: "PASSKEY_REFUSED" });
  expect(await create(attemptId, otherResponse)).toMatchObject({ code: "PASSKEY_REFUSED" });
  expect(await create(attemptId, owner.device.get(options))).toMatchObject({ code: "PASSKEY_REFUSED" });
  const secondAttempt = await start();
  const response = owner.device.get(secondAttempt.options);
  const results = await Promise.all([
    create(secondAttempt.attemptId, response),
    create(secondAttempt.attemptId, response),
  ]);
  expect(results.filter(({ policy }) => policy)).toHaveLength(1);
  const START =
    "mutation ($input: StartCheckoutPolicyInput!) { startCheckoutPolicy(input: $input) { ... on Error { code } } }";
  const rejected = await stack.graphql(owner.token, START, { input: TERMS });
  expect(rejected.json.data.startCheckoutPolicy).toEqual({ code: "FORBIDDEN" });
});

it("replaces the previous policy, carries its use over and covers nothing after revocation", async () => {
  const first = (await sign()).policy;
  const { prisma } = stack.service.deps.db;
  const used = { policyId: first.policyId, amountMinor: 3_000 };
  expect(await countPolicyUse(prisma, used)).not.toBeNull();
  const second = (await sign({ dailyMaxMinor: 6_000 })).policy;
  expect(second).toMatchObject({ version: 2, isInForce: true, dayUsed: { amount: "30.00", amountMinor: 3_000 } });
  expect(await countPolicyUse(prisma, used)).toBeNull();
  expect(await countPolicyUse(prisma, { ...used, policyId: second.policyId, amountMinor: 3_001 })).toBeNull();
  expect(await countPolicyUse(prisma, { ...used, policyId: second.policyId })).not.toBeNull();
  const REVOKE = `mutation ($input: RevokeCheckoutPolicyInput!) { revokeCheckoutPolicy(input: $input) {
    ... on RevokeCheckoutPolicySuccess { policy { isInForce revokedAt } } ${ERROR} } }`;
  const other = await openAccountOwner(stack);
  const input = { id: second.id };
  expect((await other.visitor.graphql(REVOKE, { input })).revokeCheckoutPolicy).toMatchObject({ code: "NOT_FOUND" });
  const { revokeCheckoutPolicy } = await owner.visitor.graphql(REVOKE, { input });
  expect(revokeCheckoutPolicy.policy).toEqual({ isInForce: false, revokedAt: expect.any(String) });
  expect(await readPolicyInForce()).toBeNull();
  expect(await countPolicyUse(prisma, { policyId: second.policyId, amountMinor: 0 })).toBeNull();
});

it("accepts the first of two signed attempts and rejects the other", async () => {
  const [one, two] = [await start(), await start()];
  expect(await create(one.attemptId, owner.device.get(one.options))).toHaveProperty("policy");
  expect(await create(two.attemptId, owner.device.get(two.options))).toMatchObject({ code: "INVALID_REQUEST" });
});

it.each([
  [{ perOrderMaxMinor: 0 }, "perOrderMaxMinor"],
  [{ dailyMaxMinor: 4_999 }, "dailyMaxMinor"],
  [{ monthlyMaxMinor: 7_999 }, "monthlyMaxMinor"],
  [{ allowedMerchantIds: ["Harbour"] }, "allowedMerchantIds[0]"],
  [{ blockedMerchantIds: ["card_1"] }, "blockedMerchantIds[0]"],
  [{ cardIds: ["card_1"] }, "cardIds"],
  [{ expiresAt: "2026-01-01T00:00:00Z" }, "expiresAt"],
  [{ expiresAt: "2999-01-01T00:00:00Z" }, "expiresAt"],
])("rejects %j and names the field", async (terms, field) => {
  expect(await start(terms)).toMatchObject({ code: "INVALID_REQUEST", field });
});
