// @module-tag postgresql
/** Purchases that wait for their person: who may poll, decide and use an approval, and that each happens once. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import canonicalize from "canonicalize";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consumeApproval, reissueApprovalToken, requestApproval } from "../../src/checkout/approvals/approvals.ts";
import type { Deviations } from "../support/authenticator.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { openPerson, type Person } from "./person.ts";

const SHOWN = { merchant: "Harbour Outfitters", amount_minor: 2_895, currency: "GBP", lines: [{ title: "Socks" }] };
const ERROR = "... on Error { code message }";

let stack: Stack;
let person: Person;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  person = await openPerson(stack);
});

const deps = () => stack.service.deps;
const prisma = () => deps().db.prisma;

/** An order that waits for its person, as a dispatch writes it. */
async function ask(by = person) {
  const dispatchSha256 = new Uint8Array(randomBytes(32));
  const { accountId, tokenId: credentialId } = by;
  const orderId = `ord_${randomUUID()}`;
  const asked = await prisma().$transaction(async (tx) => {
    const order = { id: orderId, accountId, credentialId, dispatchSha256, request: {} };
    await tx.checkoutOrder.create({ data: { ...order, kind: "purchase", status: "approval_required" } });
    const names = { orderId, accountId, credentialId, dispatchSha256 };
    return await requestApproval(tx, deps(), { ...names, reason: "above_order_limit", document: SHOWN });
  });
  return { ...asked, orderId, dispatchSha256, accountId, credentialId };
}
type Asked = Awaited<ReturnType<typeof ask>>;

const poll = (token: string, by = person) => stack.rest(by.token, "GET", `/api/autofill/approvals/${token}`);
const mutate = async (name: string, input: object, fields: string, by = person) => {
  const pascal = name[0]?.toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${fields} } ${ERROR} } }`;
  return (await by.visitor.graphql(query, { input }))[name];
};
const start = (id: string, by = person) =>
  mutate("startPurchaseApproval", { id }, "options approval { document documentSha256 status reasonText }", by);
const approveWith = (id: string, response: unknown, by = person) =>
  mutate("approvePurchase", { id, response }, "approval { status signature }", by);
async function approve({ approvalId }: Asked, deviations: Deviations = {}) {
  const { options } = await start(approvalId);
  return await approveWith(approvalId, person.device.get(options, deviations));
}
const deny = ({ approvalId }: Asked, by = person) =>
  mutate("denyPurchase", { id: approvalId }, "approval { status }", by);
const consume = (asked: Asked, change: object = {}) => consumeApproval(prisma(), { ...asked, ...change });
const orderOf = ({ orderId }: Asked) => prisma().checkoutOrder.findUniqueOrThrow({ where: { id: orderId } });
const statusOf = async ({ token }: Asked) => (await poll(token)).json.status;

it("waits, is approved with the passkey over exactly what was shown, and is used once", async () => {
  const asked = await ask();
  expect(asked.url).toBe(`${deps().site.browserUrl()}/approve/${asked.approvalId}`);
  expect((await poll(asked.token)).json).toEqual({
    status: "pending",
    approval_url: asked.url,
    expires_in: expect.any(Number),
    interval: 3,
    decided_at: null,
    dispatch_sha256: Buffer.from(asked.dispatchSha256).toString("hex"),
    reason: "above_order_limit",
  });
  expect(await consume(asked)).toBeNull();
  const { options, approval } = await start(asked.approvalId);
  const digest = createHash("sha256")
    .update(canonicalize(approval.document) ?? "")
    .digest();
  expect(approval).toMatchObject({ status: "PENDING", documentSha256: digest.toString("hex") });
  expect(approval.document).toMatchObject({ ...SHOWN, approval_id: asked.approvalId, order_id: asked.orderId });
  expect(options).toMatchObject({ challenge: digest.toString("base64url"), userVerification: "required" });
  const { updatedAt } = await orderOf(asked);
  const { approval: approved } = await approveWith(asked.approvalId, person.device.get(options));
  expect(approved).toMatchObject({ status: "APPROVED", signature: { type: "webauthn" } });
  expect((await orderOf(asked)).updatedAt.getTime()).toBeGreaterThan(updatedAt.getTime());
  expect((await poll(asked.token)).json).toMatchObject({ status: "approved", decided_at: expect.any(String) });
  expect(await consume(asked, { dispatchSha256: new Uint8Array(32) })).toBeNull();
  expect(await consume(asked, { credentialId: "tok_other" })).toBeNull();
  expect(await consume(asked, { token: `${asked.token.slice(0, -1)}-` })).toBeNull();
  const used = await Promise.all(Array.from({ length: 10 }, () => consume(asked)));
  expect(used.filter((one) => one !== null)).toHaveLength(1);
  expect(await statusOf(asked)).toBe("consumed");
  expect(await deny(asked)).toMatchObject({ code: "invalid_transition" });
});

it("refused, its order ends, and nothing can be bought with it", async () => {
  const asked = await ask();
  expect(await deny(asked)).toEqual({ approval: { status: "DENIED" } });
  expect(await orderOf(asked)).toMatchObject({ status: "payment_gate_hit", retryable: false, retryAction: "none" });
  expect(await statusOf(asked)).toBe("denied");
  expect(await consume(asked)).toBeNull();
  expect(await start(asked.approvalId)).toMatchObject({ code: "invalid_transition" });
});

it("too late, it is expired and its order times out; so is an approval that nobody used", async () => {
  const [waiting, approved] = [await ask(), await ask()];
  await approve(approved);
  const ids = [waiting.approvalId, approved.approvalId];
  const { options } = await start(waiting.approvalId);
  await prisma().checkoutApproval.updateMany({
    where: { id: { in: ids } },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  expect(await Promise.all([waiting, approved].map(statusOf))).toEqual(["expired", "expired"]);
  expect(await approveWith(waiting.approvalId, person.device.get(options))).toMatchObject({
    code: "invalid_transition",
  });
  expect(await consume(approved)).toBeNull();
  for (const asked of [waiting, approved]) {
    await expect
      .poll(() => orderOf(asked))
      .toMatchObject({
        status: "timeout",
        retryable: true,
        retryAction: "re_preview",
        errorCode: "approval_expired",
      });
  }
});

it("decided at once by both, it is either approved or refused", async () => {
  const asked = await ask();
  const { options } = await start(asked.approvalId);
  const answers = await Promise.all([approveWith(asked.approvalId, person.device.get(options)), deny(asked)]);
  expect(answers.filter(({ approval }) => approval)).toHaveLength(1);
  const isDenied = (await statusOf(asked)) === "denied";
  expect((await orderOf(asked)).status).toBe(isDenied ? "payment_gate_hit" : "approval_required");
});

describe("nobody else", () => {
  it.each<[string, Deviations]>([
    ["another challenge", { challenge: "AAAA" }],
    ["another origin", { origin: "https://evil.example" }],
    ["a person who was not verified", { userVerified: false }],
  ])("%s approves nothing", async (_what, deviations) => {
    const asked = await ask();
    expect(await approve(asked, deviations)).toMatchObject({ code: "passkey_refused" });
    expect(await statusOf(asked)).toBe("pending");
  });

  it("a signature under one purchase approves no other", async () => {
    const [one, two] = [await ask(), await ask()];
    const { options } = await start(one.approvalId);
    expect(await approveWith(two.approvalId, person.device.get(options))).toMatchObject({ code: "passkey_refused" });
  });

  it("sees, decides or polls it: not another person, not the agent, not another of its tokens", async () => {
    const asked = await ask();
    const other = await openPerson(stack);
    expect(await start(asked.approvalId, other)).toMatchObject({ code: "not_found" });
    expect(await deny(asked, other)).toMatchObject({ code: "not_found" });
    const { options } = await start(asked.approvalId);
    expect(await approveWith(asked.approvalId, other.device.get(options))).toMatchObject({ code: "passkey_refused" });
    expect((await poll(asked.token, other)).status).toBe(404);
    expect((await poll(`satchel_ap_${"0".repeat(49)}`)).status).toBe(404);
    const APPROVE = "mutation ($input: DenyPurchaseInput!) { denyPurchase(input: $input) { ... on Error { code } } }";
    const refused = await stack.graphql(person.token, APPROVE, { input: { id: asked.approvalId } });
    expect(refused.json.data.denyPurchase).toEqual({ code: "forbidden" });
    await prisma().checkoutApproval.update({ where: { id: asked.approvalId }, data: { credentialId: "tok_other" } });
    expect((await poll(asked.token)).status).toBe(404);
  });
});

it("a token is stored as its hash, and a new one takes its place for the caller that asks again", async () => {
  const asked = await ask();
  const rows = await prisma().checkoutApproval.findMany({ where: { id: asked.approvalId } });
  expect(JSON.stringify(rows)).not.toContain(asked.token);
  const { orderId, credentialId } = asked;
  expect(await reissueApprovalToken(prisma(), deps().site, { orderId, credentialId: "tok_other" })).toBeNull();
  const again = await reissueApprovalToken(prisma(), deps().site, { orderId, credentialId });
  expect(again).toMatchObject({ approvalId: asked.approvalId, url: asked.url, reason: "above_order_limit" });
  expect((await poll(asked.token)).status).toBe(404);
  expect((await poll(again?.token ?? "")).json.status).toBe("pending");
});

it("those that wait are listed for their person", async () => {
  const [waiting, refused] = [await ask(), await ask()];
  await deny(refused);
  const list = async (isPending: boolean) => {
    const query =
      "query ($p: Boolean) { viewer { purchaseApprovals(isPending: $p) { edges { node { approvalId } } } } }";
    const { edges } = (await person.visitor.graphql(query, { p: isPending })).viewer.purchaseApprovals;
    return edges.map(({ node }: { node: { approvalId: string } }) => node.approvalId);
  };
  expect([await list(true), await list(false)]).toEqual([[waiting.approvalId], [refused.approvalId]]);
});
