// @module-tag postgresql
/** The worker protocol over HTTP: allowed calls by state, and one worker per order under concurrency. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sealDeliveryAddress } from "../../../src/checkout/orders/delivery-address.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { addMerchant, addOrder, addSealedCard, CARD_NUMBER, readOrder } from "./order-rows.ts";
import { createWorkerClient, type Job, WORKER_TOKEN } from "./worker-client.ts";

const OLD_WORKER_TOKEN = "the-former-token-of-the-workers-0123456";

let stack: OwnStack;
let account: TestAccount;
let worker: ReturnType<typeof createWorkerClient>;
let merchantId: string;
let cardId: string;

beforeAll(async () => {
  stack = await startStack({ env: { WORKER_TOKEN: `${WORKER_TOKEN},${OLD_WORKER_TOKEN}` } });
  account = await stack.account();
  worker = createWorkerClient(stack);
  merchantId = await addMerchant(db());
  cardId = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
});
afterAll(() => stack?.stop());
beforeEach(async () => {
  // Orders of earlier tests are removed.
  await db().prisma.checkoutOrder.deleteMany({ where: { status: "pending" } });
});

const db = () => stack.service.deps.db;
const add = (data: Parameters<typeof addOrder>[2] = {}) =>
  addOrder(db(), account.accountId, { merchantId, cardId, ...data });
const read = (id: string) => readOrder(db(), id);

async function claimOrder(data: Parameters<typeof addOrder>[2] = {}): Promise<Job> {
  await add(data);
  return await worker.claimNext();
}

const CONFIRMATION = { orderNumber: "H-1042", amountChargedMinor: 2_895, currency: "GBP" };
const LOST = { status: 409, error: "lease_lost" };
const readError = ({ status, json }: { status: number; json: { error?: string } }) => ({ status, error: json.error });

describe("a claim", () => {
  it("accepts each of the configured worker tokens", async () => {
    await add();
    expect(await createWorkerClient(stack, OLD_WORKER_TOKEN).claimNext()).toMatchObject({ kind: "purchase" });
  });

  it("requires the worker token", async () => {
    const { id } = await add();
    for (const token of ["wrong", "", account.token]) {
      expect((await createWorkerClient(stack, token).claim()).status).toBe(401);
    }
    expect((await stack.rest(account.token, "POST", "/internal/worker/claim", {})).status).toBe(401);
    expect((await read(id)).status).toBe("pending");
  });

  it("returns the oldest pending order with its complete job, or none", async () => {
    expect((await worker.claim()).json).toEqual({ job: null });
    const id = newId("ord");
    const shipTo = {
      ...{ firstName: "Ada", lastName: "Lovelace", company: null, address1: "12 St James's Square", address2: null },
      ...{ city: "London", provinceCode: null, postalCode: "SW1Y 4JH", countryCode: "GB", phone: null },
    };
    const sealed = await sealDeliveryAddress(stack.service.deps.keks, { id, accountId: account.accountId }, shipTo);
    await add({ id, ...sealed, createdAt: new Date(Date.now() - 5_000) });
    await add();
    const job = await worker.claimNext();
    expect(job).toMatchObject({
      orderId: id,
      kind: "purchase",
      amountMinor: 2895,
      currency: "GBP",
      deliverTo: shipTo,
      merchant: { id: merchantId, rail: "worker" },
      recipe: null,
      needsSecurityCode: false,
    });
    expect(JSON.stringify(job)).not.toContain(CARD_NUMBER);
    const row = await read(id);
    expect(row).toMatchObject({ status: "dispatched", workerJobId: job.lease, workerUrl: "http://127.0.0.1:9999" });
    expect(row.leasedUntil?.getTime()).toBeGreaterThan(Date.now() + 20_000);
    expect(row.startedAt).not.toBeNull();
  });

  it("returns an approved order, and none that awaits approval or is leased", async () => {
    const approved = await add({ status: "dispatched" });
    await add({ status: "approval_required" });
    expect((await worker.claimNext()).orderId).toBe(approved.id);
    expect((await worker.claim()).json).toEqual({ job: null });
  });

  it("waits for an order that is added later", async () => {
    const waiting = worker.claim({ waitMs: 10_000 });
    const { id } = await add();
    expect((await waiting).json.job.orderId).toBe(id);
  });

  it.each([
    [{ workerUrl: "ftp://x" }, "workerUrl"],
    [{ waitMs: 60_000 }, "waitMs"],
    [{ more: 1 }, "more"],
  ])("rejects %j and names %s", async (body, field) => {
    const { status, json } = await worker.claim(body);
    expect(status).toBe(400);
    expect(json.message).toContain(field);
  });
});

describe("a lease", () => {
  it("assigns each of 20 orders to one of two workers", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, async () => (await add()).id));
    const drive = async () => {
      const ownOrderIds: string[] = [];
      for (;;) {
        const { json } = await worker.claim();
        if (!json.job) return ownOrderIds;
        ownOrderIds.push(json.job.orderId);
        expect((await worker.submit(json.job.lease)).status).toBe(200);
        const finish = { cause: "confirmed", confirmation: CONFIRMATION };
        expect((await worker.send(json.job.lease, "finish", finish)).json).toEqual({ status: "succeeded" });
      }
    };
    const driven = (await Promise.all([drive(), drive()])).flat();
    expect(driven.toSorted()).toEqual(ids.toSorted());
  });

  it("is renewed, and stores steps, artifacts and the required action", async () => {
    const { lease, orderId } = await claimOrder();
    await db().prisma.checkoutOrder.update({
      where: { id: orderId },
      data: { leasedUntil: new Date(Date.now() + 2_000) },
    });
    expect((await worker.send(lease, "renew")).status).toBe(200);
    expect((await read(orderId)).leasedUntil?.getTime()).toBeGreaterThan(Date.now() + 10_000);
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
    const { status, json } = await worker.putArtifact(
      lease,
      "kind=screenshot&redactions=number,code",
      "image/png",
      png,
    );
    expect(status).toBe(200);
    const step = { at: new Date().toISOString(), action: "fill", outcome: "done", screenshotId: json.artifactId };
    const before = (await read(orderId)).updatedAt;
    expect((await worker.send(lease, "steps", { steps: [{ seq: 1, ...step }] })).status).toBe(200);
    // Repeated after a lost response.
    expect((await worker.send(lease, "steps", { steps: [1, 2].map((seq) => ({ seq, ...step })) })).status).toBe(200);
    const needed = { for: "three_d_secure", waitMs: 300_000 };
    expect((await worker.send(lease, "person-needed", needed)).status).toBe(200);
    const row = await db().prisma.checkoutOrder.findUniqueOrThrow({
      where: { id: orderId },
      include: { steps: true, artifacts: true },
    });
    expect(row.personNeededFor).toBe("three_d_secure");
    const waitsMs = (row.personNeededUntil?.getTime() ?? 0) - Date.now();
    expect(waitsMs).toBeGreaterThan(240_000);
    expect(waitsMs).toBeLessThanOrEqual(300_000);
    expect(row.updatedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(row.steps.map(({ seq }) => seq)).toEqual([1, 2]);
    const sha256 = createHash("sha256").update(png).digest("hex");
    expect(row.artifacts).toMatchObject([{ id: json.artifactId, sha256, redactions: ["number", "code"] }]);
  });

  it("is rejected on every call once it has ended", async () => {
    const { lease, orderId } = await claimOrder();
    expect((await worker.send(lease, "finish", { cause: "captcha" })).json).toEqual({ status: "payment_gate_hit" });
    const readUnsigned = async () => {
      // The recurring job may sign the evidence meanwhile.
      const { bundleSha256: _sha256, bundleSignature: _signature, ...row } = await read(orderId);
      return row;
    };
    const finished = await readUnsigned();
    const step = { seq: 1, at: new Date().toISOString(), action: "fill", outcome: "done" };
    const calls: [string, object][] = [
      ["renew", {}],
      ["steps", { steps: [step] }],
      ["person-needed", { for: null }],
      ["card", {}],
      ["submitting", {}],
      ["finish", { cause: "confirmed", confirmation: CONFIRMATION }],
    ];
    for (const ended of [lease, "wjb_1_nobody"]) {
      for (const [verb, body] of calls) expect(readError(await worker.send(ended, verb, body))).toEqual(LOST);
      expect(readError(await worker.putArtifact(ended, "kind=har", "application/json", "{}"))).toEqual(LOST);
    }
    expect(await readUnsigned()).toEqual(finished);
  });
});

describe("submitting", () => {
  it("is rejected before the card was released", async () => {
    const { lease, orderId } = await claimOrder();
    expect(readError(await worker.send(lease, "submitting"))).toEqual(LOST);
    expect((await read(orderId)).submittedAt).toBeNull();
  });

  it("is granted to one of many concurrent requests after it is recorded", async () => {
    const { lease, orderId } = await claimOrder();
    expect((await worker.send(lease, "card")).status).toBe(200);
    const responses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { status } = await worker.send(lease, "submitting");
        return { status, isStamped: (await read(orderId)).submittedAt !== null };
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toEqual([{ status: 200, isStamped: true }]);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  it("is rejected for an expired lease, an order over its time limit and an exploration", async () => {
    const past = new Date(Date.now() - 1_000);
    const cardReleasedAt = past;
    const late = await claimOrder();
    const over = { cardReleasedAt, leasedUntil: past };
    await db().prisma.checkoutOrder.update({ where: { id: late.orderId }, data: over });
    const slow = await claimOrder();
    const spent = { cardReleasedAt, startedAt: new Date(Date.now() - 181_000) };
    await db().prisma.checkoutOrder.update({ where: { id: slow.orderId }, data: spent });
    const exploration = await claimOrder({ kind: "explored" });
    for (const { lease, orderId } of [late, slow, exploration]) {
      expect(readError(await worker.send(lease, "submitting"))).toEqual(LOST);
      expect((await read(orderId)).submittedAt).toBeNull();
    }
  });
});

describe("finishing", () => {
  const submitOrder = async () => {
    const job = await claimOrder();
    expect((await worker.submit(job.lease)).status).toBe(200);
    return job;
  };

  it("stores the merchant's confirmation", async () => {
    const { lease, orderId } = await submitOrder();
    const finish = {
      cause: "confirmed",
      confirmation: { ...CONFIRMATION, amountChargedMinor: 2_500 },
      browserVersion: "148",
    };
    expect((await worker.send(lease, "finish", finish)).json).toEqual({ status: "succeeded" });
    const row = await read(orderId);
    expect(row).toMatchObject({ amountChargedMinor: 2_500n, merchantOrderNumber: "H-1042", retryAction: "none" });
    expect(row.confirmedAt).not.toBeNull();
  });

  it.each([
    ["above the approved amount", { ...CONFIRMATION, amountChargedMinor: 2_896 }],
    ["in another currency", { ...CONFIRMATION, amountChargedMinor: 100, currency: "USD" }],
  ])("reports a charge %s", async (_what, confirmation) => {
    const { lease, orderId } = await submitOrder();
    await worker.send(lease, "finish", { cause: "confirmed", confirmation });
    const row = await read(orderId);
    expect(row).toMatchObject({ status: "succeeded", errorCode: "overcharged", retryAction: "contact_support" });
  });

  it.each([
    "worker_crashed",
    "missing_field",
    "time_spent",
    "captcha",
    "price_changed",
    "shop_unavailable",
    "exploration_failed",
  ])("with %s after the card was submitted has an unknown outcome", async (cause) => {
    const { lease, orderId } = await submitOrder();
    expect((await worker.send(lease, "finish", { cause })).json).toEqual({ status: "payment_unconfirmed" });
    expect(await read(orderId)).toMatchObject({ retryable: null, retryAction: "contact_support" });
  });

  it("withdraws the submission of a payment that did not leave, and the order may be repeated", async () => {
    const { lease, orderId } = await submitOrder();
    const finish = { cause: "payment_not_sent", withdrawsSubmission: true };
    expect((await worker.send(lease, "finish", finish)).json).toEqual({ status: "worker_error" });
    expect(await read(orderId)).toMatchObject({
      ...{ submittedAt: null, errorCode: "payment_not_sent", retryable: true, retryAction: "re_preview" },
    });
    expect(readError(await worker.send(lease, "submitting"))).toEqual(LOST);
  });

  it("withdraws no submission without a live lease, and none that ended", async () => {
    const late = await submitOrder();
    const past = new Date(Date.now() - 1_000);
    await db().prisma.checkoutOrder.update({ where: { id: late.orderId }, data: { leasedUntil: past } });
    const finish = { cause: "payment_not_sent", withdrawsSubmission: true };
    expect((await worker.send(late.lease, "finish", finish)).json).toEqual({ status: "payment_unconfirmed" });
    const ended = await submitOrder();
    await worker.send(ended.lease, "finish", { cause: "outcome_unknown" });
    expect(readError(await worker.send(ended.lease, "finish", finish))).toEqual(LOST);
    for (const { orderId } of [late, ended]) {
      const row = await read(orderId);
      expect(row).toMatchObject({ status: "payment_unconfirmed", retryable: null });
      expect(row.submittedAt).not.toBeNull();
    }
  });

  it.each(["outcome_unknown", "three_d_secure_abandoned", "exploration_failed"])(
    "with %s before the card was submitted is retryable",
    async (cause) => {
      const { lease, orderId } = await claimOrder();
      expect((await worker.send(lease, "finish", { cause })).json).toEqual({ status: "worker_error" });
      expect(await read(orderId)).toMatchObject({ retryable: true, retryAction: "re_preview" });
    },
  );

  it("with the same missing field twice in a row marks the merchant's recipe as broken", async () => {
    const merchantId = await addMerchant(db());
    const outcomes: unknown[] = [];
    for (let n = 0; n < 2; n++) {
      const { lease, orderId } = await claimOrder({ merchantId });
      await worker.send(lease, "finish", { cause: "missing_field" });
      const { errorCode, retryable } = await read(orderId);
      outcomes.push([errorCode, retryable]);
    }
    expect(outcomes).toEqual([
      ["missing_field", true],
      ["recipe_broken", false],
    ]);
  });

  it("is rejected without a valid cause", async () => {
    const { lease } = await claimOrder();
    for (const body of [{ cause: "confirmed" }, { cause: "explored" }, { cause: "approved" }, {}]) {
      expect((await worker.send(lease, "finish", body)).status).toBe(400);
    }
  });
});
