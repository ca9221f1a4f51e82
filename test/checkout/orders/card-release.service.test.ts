// @module-tag postgresql
/** A card is released once, for the approved order, while it is in progress and unpaid. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sealDeliveryAddress } from "../../../src/checkout/orders/delivery-address.ts";
import { checkShipTo } from "../../../src/checkout/quote/ship-to.ts";
import { newId } from "../../../src/platform/ids.ts";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { HOME } from "../account-owner.ts";
import { addMerchant, addOrder, addSealedCard, CARD_NUMBER, readOrder } from "./order-rows.ts";
import { createWorkerClient, type Job, WORKER_TOKEN } from "./worker-client.ts";

let stack: OwnStack;
let account: TestAccount;
let worker: ReturnType<typeof createWorkerClient>;
let merchantId: string;
let cardId: string;

beforeAll(async () => {
  stack = await startStack({ networks: [], env: { WORKER_TOKEN } });
  account = await stack.account();
  worker = createWorkerClient(stack);
  merchantId = await addMerchant(db());
  cardId = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
});
afterAll(() => stack?.stop());

const db = () => stack.service.deps.db;
const read = (id: string) => readOrder(db(), id);

async function claimOrder(data: Parameters<typeof addOrder>[2] = {}): Promise<Job> {
  await addOrder(db(), account.accountId, { merchantId, cardId, ...data });
  return await worker.claimNext();
}

const LOST = { status: 409, error: "lease_lost" };
const readError = ({ status, json }: { status: number; json: { error?: string } }) => ({ status, error: json.error });
const prisma = () => db().prisma;

it("releases the card to one of many concurrent requests after recording the release", async () => {
  const { lease, orderId } = await claimOrder();
  const responses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { status, json } = await worker.send(lease, "card");
      return { status, json, isStamped: (await read(orderId)).cardReleasedAt !== null };
    }),
  );
  const released = responses.filter(({ status }) => status === 200);
  expect(released).toMatchObject([{ isStamped: true }]);
  expect(released[0]?.json.card).toEqual({
    ...{ number: CARD_NUMBER, securityCode: "739", brand: "visa", expMonth: 4, expYear: expect.any(Number) },
    ...{ cardholderName: "Ada Lovelace", billingAddress: expect.objectContaining({ postalCode: "SW1Y 4JH" }) },
  });
  expect(responses.filter((response) => response.status === 409)).toHaveLength(9);
  expect((await worker.send(lease, "submitting")).status).toBe(200);
});

it("rejects an expired lease, an order over its time limit, an exploration and a submitted order", async () => {
  const rows = [
    { leasedUntil: new Date(Date.now() - 1_000) },
    { startedAt: new Date(Date.now() - 181_000) },
    { submittedAt: new Date() },
    { cardReleasedAt: new Date(Date.now() - 1_000) },
  ];
  const jobs = [await claimOrder({ kind: "explored" })];
  for (const data of rows) {
    const job = await claimOrder();
    await prisma().checkoutOrder.update({ where: { id: job.orderId }, data });
    jobs.push(job);
  }
  for (const { lease } of jobs) expect(readError(await worker.send(lease, "card"))).toEqual(LOST);
});

it("ends the order without a card when a database write moved another account's card to the order's account", async () => {
  const victim = await stack.account();
  const stolen = await addSealedCard(db(), stack.service.deps.keks, victim.accountId);
  const moved = await claimOrder({ cardId: stolen });
  await prisma().paymentCard.update({ where: { id: stolen }, data: { accountId: account.accountId } });
  const response = await worker.send(moved.lease, "card");
  expect(readError(response)).toEqual({ status: 500, error: "internal_error" });
  expect(response.text).not.toContain(CARD_NUMBER);
  const end = { status: "worker_error", errorCode: "card_unavailable", cardReleasedAt: null, submittedAt: null };
  expect(await read(moved.orderId)).toMatchObject(end);
  expect(readError(await worker.send(moved.lease, "submitting"))).toEqual(LOST);
});

it("releases no card when a database write moved the order to another card or account", async () => {
  const victim = await stack.account();
  const foreign = await addSealedCard(db(), stack.service.deps.keks, victim.accountId);
  for (const data of [{ cardId: foreign }, { accountId: victim.accountId }]) {
    const { lease, orderId } = await claimOrder();
    await prisma().checkoutOrder.update({ where: { id: orderId }, data });
    expect(readError(await worker.send(lease, "card"))).toEqual(LOST);
    expect(await read(orderId)).toMatchObject({ errorCode: "card_unavailable", submittedAt: null });
  }
});

it("returns no job for an order that a database write moved to another account with its delivery address", async () => {
  const victim = await stack.account();
  const id = newId("ord");
  const { deps } = stack.service;
  const address = await sealDeliveryAddress(deps.keks, { id, accountId: victim.accountId }, checkShipTo(HOME));
  await addOrder(db(), victim.accountId, { id, merchantId, ...address });
  await prisma().checkoutOrder.update({ where: { id }, data: { accountId: account.accountId, cardId } });
  const response = await worker.claim();
  expect(readError(response)).toEqual({ status: 500, error: "internal_error" });
  expect(await read(id)).toMatchObject({ cardReleasedAt: null, submittedAt: null });
});

it("ends the order when the card was disabled or removed since", async () => {
  for (const data of [{ status: "disabled" }, { removedAt: new Date() }]) {
    const other = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
    const { lease, orderId } = await claimOrder({ cardId: other });
    await prisma().paymentCard.update({ where: { id: other }, data });
    expect(readError(await worker.send(lease, "card"))).toEqual(LOST);
    const end = { status: "worker_error", errorCode: "card_unavailable", cardReleasedAt: null };
    expect(await read(orderId)).toMatchObject(end);
    // The check applies again between the release and the submission.
    await prisma().paymentCard.update({ where: { id: other }, data: { status: "active", removedAt: null } });
    const late = await claimOrder({ cardId: other });
    expect((await worker.send(late.lease, "card")).status).toBe(200);
    await prisma().paymentCard.update({ where: { id: other }, data });
    expect(readError(await worker.send(late.lease, "submitting"))).toEqual(LOST);
    expect((await read(late.orderId)).submittedAt).toBeNull();
  }
});
