// @module-tag postgresql
/** A card leaves the vault once, for the order that it was approved for, on its way and unpaid. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { addMerchant, addOrder, addSealedCard, CARD_NUMBER, readOrder } from "./orders.ts";
import { type Job, WORKER_TOKEN, workerOf } from "./worker.ts";

let stack: OwnStack;
let account: TestAccount;
let worker: ReturnType<typeof workerOf>;
let shopId: string;
let cardId: string;

beforeAll(async () => {
  stack = await startStack({ networks: [], env: { WORKER_TOKEN } });
  account = await stack.account();
  worker = workerOf(stack);
  shopId = await addMerchant(db());
  cardId = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
});
afterAll(() => stack?.stop());

const db = () => stack.service.deps.db;
const read = (id: string) => readOrder(db(), id);

async function taken(data: Parameters<typeof addOrder>[2] = {}): Promise<Job> {
  await addOrder(db(), account.accountId, { merchantId: shopId, cardId, ...data });
  return await worker.take();
}

const LOST = { status: 409, error: "lease_lost" };
const said = ({ status, json }: { status: number; json: { error?: string } }) => ({ status, error: json.error });
const prisma = () => db().prisma;

it("is given once of many, and is on record before it is given", async () => {
  const { lease, orderId } = await taken();
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { status, json } = await worker.say(lease, "card");
      return { status, json, isStamped: (await read(orderId)).cardReleasedAt !== null };
    }),
  );
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toMatchObject([{ isStamped: true }]);
  expect(given[0]?.json.card).toEqual({
    ...{ number: CARD_NUMBER, securityCode: "739", brand: "visa", expMonth: 4, expYear: expect.any(Number) },
    ...{ cardholderName: "Ada Lovelace", billingAddress: expect.objectContaining({ postalCode: "SW1Y 4JH" }) },
  });
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(9);
  expect((await worker.say(lease, "submitting")).status).toBe(200);
});

it("is not given when the lease or the time is over, nor to an exploration, nor once it was submitted", async () => {
  const rows = [
    { leasedUntil: new Date(Date.now() - 1_000) },
    { startedAt: new Date(Date.now() - 181_000) },
    { submittedAt: new Date() },
    { cardReleasedAt: new Date(Date.now() - 1_000) },
  ];
  const jobs = [await taken({ kind: "explored" })];
  for (const data of rows) {
    const job = await taken();
    await prisma().checkoutOrder.update({ where: { id: job.orderId }, data });
    jobs.push(job);
  }
  for (const { lease } of jobs) expect(said(await worker.say(lease, "card"))).toEqual(LOST);
});

it("that was turned off or removed since ends the order before it is used", async () => {
  for (const data of [{ status: "disabled" }, { removedAt: new Date() }]) {
    const other = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
    const { lease, orderId } = await taken({ cardId: other });
    await prisma().paymentCard.update({ where: { id: other }, data });
    expect(said(await worker.say(lease, "card"))).toEqual(LOST);
    const end = { status: "worker_error", errorCode: "card_unavailable", cardReleasedAt: null };
    expect(await read(orderId)).toMatchObject(end);
    // Between the worker's getting it and the click it still counts.
    await prisma().paymentCard.update({ where: { id: other }, data: { status: "active", removedAt: null } });
    const late = await taken({ cardId: other });
    expect((await worker.say(late.lease, "card")).status).toBe(200);
    await prisma().paymentCard.update({ where: { id: other }, data });
    expect(said(await worker.say(late.lease, "submitting"))).toEqual(LOST);
    expect((await read(late.orderId)).submittedAt).toBeNull();
  }
});
