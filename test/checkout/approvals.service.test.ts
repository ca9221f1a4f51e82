// @module-tag postgresql
/** Purchase approvals: authorization to poll, decide and consume one, each at most once. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consumeApproval, reissueApprovalToken, requestApproval } from "../../src/checkout/approvals/approvals.ts";
import type { Deviations } from "../support/authenticator.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { type AccountOwner, openAccountOwner } from "./account-owner.ts";

const SHOWN = { merchant: "Harbour Outfitters", amount_minor: 2_895, currency: "GBP", lines: [{ title: "Socks" }] };
const ERROR = "... on Error { code message }";

let stack: Stack;
let owner: AccountOwner;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  owner = await openAccountOwner(stack);
});

const deps = () => stack.service.deps;
const prisma = () => deps().db.prisma;

/** Adds an order that awaits approval, as a dispatch stores it. */
async function createPendingApproval(by = owner) {
  const dispatchSha256 = new Uint8Array(randomBytes(32));
  const { accountId, tokenId: requesterId } = by;
  const orderId = `ord_${randomUUID()}`;
  const pending = await prisma().$transaction(async (tx) => {
    const order = { id: orderId, accountId, credentialId: requesterId, dispatchSha256, request: {} };
    await tx.checkoutOrder.create({ data: { ...order, kind: "purchase", status: "approval_required" } });
    const names = { orderId, accountId, requesterId, dispatchSha256 };
    return await requestApproval(tx, deps(), { ...names, reason: "above_order_limit", document: SHOWN });
  });
  return { ...pending, orderId, dispatchSha256, accountId, requesterId };
}
type PendingApproval = Awaited<ReturnType<typeof createPendingApproval>>;

const poll = (token: string, by = owner) => stack.rest(by.token, "GET", `/api/autofill/approvals/${token}`);
const mutate = async (name: string, input: object, fields: string, by = owner) => {
  const pascal = name[0]?.toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${fields} } ${ERROR} } }`;
  return (await by.visitor.graphql(query, { input }))[name];
};
const start = (id: string, by = owner) =>
  mutate("startPurchaseApproval", { id }, "options approval { document documentSha256 status reasonText }", by);
const approveWith = (id: string, response: unknown, by = owner) =>
  mutate("approvePurchase", { id, response }, "approval { status signature }", by);
async function approve({ approvalId }: PendingApproval, deviations: Deviations = {}) {
  const { options } = await start(approvalId);
  return await approveWith(approvalId, owner.device.get(options, deviations));
}
const deny = ({ approvalId }: PendingApproval, by = owner) =>
  mutate("denyPurchase", { id: approvalId }, "approval { status }", by);
const consume = (pending: PendingApproval, change: object = {}) => consumeApproval(prisma(), { ...pending, ...change });
const readOrder = ({ orderId }: PendingApproval) =>
  prisma().checkoutOrder.findUniqueOrThrow({ where: { id: orderId } });
const readStatus = async ({ token }: PendingApproval) => (await poll(token)).json.status;

it("approves the displayed document with a passkey and consumes the approval once", async () => {
  const pending = await createPendingApproval();
  expect(pending.url).toBe(`${deps().site.browserUrl()}/approve/${pending.approvalId}`);
  expect((await poll(pending.token)).json).toEqual({
    status: "pending",
    approval_url: pending.url,
    expires_in: expect.any(Number),
    interval: 3,
    decided_at: null,
    dispatch_sha256: Buffer.from(pending.dispatchSha256).toString("hex"),
    reason: "above_order_limit",
  });
  expect(await consume(pending)).toBeNull();
  const { options, approval } = await start(pending.approvalId);
  const digest = createHash("sha256")
    .update(canonicalize(approval.document) ?? "")
    .digest();
  expect(approval).toMatchObject({ status: "PENDING", documentSha256: digest.toString("hex") });
  expect(approval.document).toMatchObject({ ...SHOWN, approval_id: pending.approvalId, order_id: pending.orderId });
  expect(options).toMatchObject({ challenge: digest.toString("base64url"), userVerification: "required" });
  const { updatedAt } = await readOrder(pending);
  const { approval: approved } = await approveWith(pending.approvalId, owner.device.get(options));
  expect(approved).toMatchObject({ status: "APPROVED", signature: { type: "webauthn" } });
  expect((await readOrder(pending)).updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime());
  expect((await poll(pending.token)).json).toMatchObject({ status: "approved", decided_at: expect.any(String) });
  expect(await consume(pending, { dispatchSha256: new Uint8Array(32) })).toBeNull();
  expect(await consume(pending, { requesterId: "tok_other" })).toBeNull();
  expect(await consume(pending, { token: `${pending.token.slice(0, -1)}-` })).toBeNull();
  const used = await Promise.all(Array.from({ length: 10 }, () => consume(pending)));
  expect(used.filter((one) => one !== null)).toHaveLength(1);
  expect(await readStatus(pending)).toBe("consumed");
  expect(await deny(pending)).toMatchObject({ code: "INVALID_TRANSITION" });
});

it("ends the order and rejects use after a denial", async () => {
  const pending = await createPendingApproval();
  expect(await deny(pending)).toEqual({ approval: { status: "DENIED" } });
  expect(await readOrder(pending)).toMatchObject({ status: "payment_gate_hit", retryable: false, retryAction: "none" });
  expect(await readStatus(pending)).toBe("denied");
  expect(await consume(pending)).toBeNull();
  expect(await start(pending.approvalId)).toMatchObject({ code: "INVALID_TRANSITION" });
});

it("expires undecided and unused approvals and times out their orders", async () => {
  const [undecided, approved] = [await createPendingApproval(), await createPendingApproval()];
  await approve(approved);
  const ids = [undecided.approvalId, approved.approvalId];
  const { options } = await start(undecided.approvalId);
  await prisma().checkoutApproval.updateMany({
    where: { id: { in: ids } },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect(await Promise.all([undecided, approved].map(readStatus))).toEqual(["expired", "expired"]);
  expect(await approveWith(undecided.approvalId, owner.device.get(options))).toMatchObject({
    code: "INVALID_TRANSITION",
  });
  expect(await consume(approved)).toBeNull();
  for (const pending of [undecided, approved]) {
    await expect
      .poll(() => readOrder(pending))
      .toMatchObject({
        status: "timeout",
        retryable: true,
        retryAction: "re_preview",
        errorCode: "approval_expired",
      });
  }
});

it("records one decision when approval and denial arrive concurrently", async () => {
  const pending = await createPendingApproval();
  const { options } = await start(pending.approvalId);
  const results = await Promise.all([approveWith(pending.approvalId, owner.device.get(options)), deny(pending)]);
  expect(results.filter(({ approval }) => approval)).toHaveLength(1);
  const isDenied = (await readStatus(pending)) === "denied";
  expect((await readOrder(pending)).status).toBe(isDenied ? "payment_gate_hit" : "approval_required");
});

describe("authorization", () => {
  it.each<[string, Deviations]>([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "https://evil.example" }],
    ["no user verification", { userVerified: false }],
    ["a frame in another site's page", { crossOrigin: true }],
    ["the origin of a page around the frame", { topOrigin: "https://evil.example" }],
  ])("rejects a passkey response with %s", async (_what, deviations) => {
    const pending = await createPendingApproval();
    expect(await approve(pending, deviations)).toMatchObject({ code: "PASSKEY_REFUSED" });
    expect(await readStatus(pending)).toBe("pending");
  });

  it("rejects a signature over another purchase", async () => {
    const [one, two] = [await createPendingApproval(), await createPendingApproval()];
    const { options } = await start(one.approvalId);
    expect(await approveWith(two.approvalId, owner.device.get(options))).toMatchObject({ code: "PASSKEY_REFUSED" });
  });

  it("rejects another account, the agent and another token of the agent", async () => {
    const pending = await createPendingApproval();
    const other = await openAccountOwner(stack);
    expect(await start(pending.approvalId, other)).toMatchObject({ code: "NOT_FOUND" });
    expect(await deny(pending, other)).toMatchObject({ code: "NOT_FOUND" });
    const { options } = await start(pending.approvalId);
    expect(await approveWith(pending.approvalId, other.device.get(options))).toMatchObject({ code: "PASSKEY_REFUSED" });
    expect((await poll(pending.token, other)).status).toBe(404);
    expect((await poll(`satchel_ap_${"0".repeat(49)}`)).status).toBe(404);
    const APPROVE = "mutation ($input: DenyPurchaseInput!) { denyPurchase(input: $input) { ... on Error { code } } }";
    const rejected = await stack.graphql(owner.token, APPROVE, { input: { id: pending.approvalId } });
    expect(rejected.json.data.denyPurchase).toEqual({ code: "FORBIDDEN" });
    await prisma().checkoutApproval.update({ where: { id: pending.approvalId }, data: { requesterId: "tok_other" } });
    expect((await poll(pending.token)).status).toBe(404);
  });
});

it("stores the token as a hash and replaces it when the same caller requests a new one", async () => {
  const pending = await createPendingApproval();
  const rows = await prisma().checkoutApproval.findMany({ where: { id: pending.approvalId } });
  expect(JSON.stringify(rows)).not.toContain(pending.token);
  const { orderId, requesterId } = pending;
  expect(await reissueApprovalToken(prisma(), deps().site, { orderId, requesterId: "tok_other" })).toBeNull();
  const reissued = await reissueApprovalToken(prisma(), deps().site, { orderId, requesterId });
  expect(reissued).toMatchObject({ approvalId: pending.approvalId, url: pending.url, reason: "above_order_limit" });
  expect((await poll(pending.token)).status).toBe(404);
  expect((await poll(reissued?.token ?? "")).json.status).toBe("pending");
});

it("filters the account's approvals by their current status", async () => {
  const [undecidedApproval, rejected] = [await createPendingApproval(), await createPendingApproval()];
  await deny(rejected);
  const list = async (filter: object) => {
    const query =
      "query ($filter: PurchaseApprovalFilter) { viewer { purchaseApprovals(filter: $filter) { edges { node { approvalId } } } } }";
    const { edges } = (await owner.visitor.graphql(query, { filter })).viewer.purchaseApprovals;
    return edges.map(({ node }: { node: { approvalId: string } }) => node.approvalId);
  };
  const [waiting, denied] = [undecidedApproval.approvalId, rejected.approvalId];
  expect([await list({ statuses: ["PENDING"] }), await list({ statuses: ["DENIED"] })]).toEqual([[waiting], [denied]]);
  expect(await list({ statuses: ["PENDING", "DENIED"] })).toEqual([denied, waiting]);
  const expiresAt = new Date(Date.now() - 1);
  await prisma().checkoutApproval.update({ where: { id: waiting }, data: { expiresAt } });
  expect([await list({ statuses: ["PENDING"] }), await list({ statuses: ["EXPIRED"] })]).toEqual([[], [waiting]]);
});
