// @module-tag postgresql
/** What is queued or in flight at a freeze: orders charge nothing, email waits, and what has left is listed. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { claimDelivery, claimDueDelivery } from "../../../src/mail/outgoing/deliver.ts";
import { newId } from "../../../src/platform/ids.ts";
import { addMerchant, addOrder, addSealedCard, readOrder } from "../../checkout/orders/order-rows.ts";
import { createWorkerClient, WORKER_TOKEN } from "../../checkout/orders/worker-client.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";

let stack: OwnStack;
let account: TestAccount;
let merchantId: string;
let cardId: string;
let worker: ReturnType<typeof createWorkerClient>;

beforeAll(async () => {
  stack = await startStack({ networks: [], env: { WORKER_TOKEN } });
  worker = createWorkerClient(stack);
});
afterAll(() => stack?.stop());
beforeEach(async () => {
  account = await stack.account();
  merchantId = await addMerchant(db());
  cardId = await addSealedCard(db(), stack.service.deps.keks, account.accountId);
});

const db = () => stack.service.deps.db;
const order = () => addOrder(db(), account.accountId, { merchantId, cardId });
async function asAdministrator(mutation: "freezeAccount" | "unfreezeAccount") {
  const query = `mutation ($id: ID!) { ${mutation}(input: { accountId: $id, reason: "Card fraud" }) {
    ... on Error { code message }
    ... on ${mutation === "freezeAccount" ? "FreezeAccountSuccess" : "UnfreezeAccountSuccess"} {
      freeze { accountId frozenBy reason inFlight { kind operationId outlook } } } } }`;
  return (await stack.graphql(ADMIN_TOKEN, query, { id: account.accountId })).json.data[mutation];
}

it("leaves an order that is queued before the claim unclaimed, and claims it after the freeze", async () => {
  const { id } = await order();
  const { freeze } = await asAdministrator("freezeAccount");
  expect(freeze).toMatchObject({ accountId: account.accountId, frozenBy: "ADMINISTRATOR", reason: "Card fraud" });
  expect(freeze.inFlight).toEqual([{ kind: "ORDER", operationId: id, outlook: "ENDS_UNCHARGED" }]);
  expect((await worker.claim()).json).toEqual({ job: null });
  expect((await asAdministrator("unfreezeAccount")).freeze.frozenBy).toBeNull();
  expect((await worker.claimNext()).orderId).toBe(id);
});

it.each(["card", "submitting"] as const)("ends an order without a charge if the freeze precedes %s", async (verb) => {
  const { id } = await order();
  const { lease } = await worker.claimNext();
  if (verb === "submitting") expect((await worker.send(lease, "card")).status).toBe(200);
  await asAdministrator("freezeAccount");
  const { status, text } = await worker.send(lease, verb);
  expect([status, text]).toEqual([409, expect.not.stringContaining("4242424242424242")]);
  expect(await readOrder(db(), id)).toMatchObject({
    ...{ status: "worker_error", errorCode: "account_frozen", submittedAt: null },
    cardReleasedAt: verb === "card" ? null : expect.any(Date),
  });
});

it("lists an order whose card was submitted before as one that the merchant may charge", async () => {
  const { id } = await order();
  const { lease } = await worker.claimNext();
  await worker.submit(lease);
  const { freeze } = await asAdministrator("freezeAccount");
  expect(freeze.inFlight).toEqual([{ kind: "ORDER", operationId: id, outlook: "MAY_BE_CHARGED" }]);
});

async function addQueuedMail(): Promise<string> {
  const { prisma } = db();
  const agentId = newId("agt");
  const mailboxId = newId("mbx");
  const threadId = newId("mth");
  const { accountId } = account;
  const agent = { id: agentId, accountId, status: "active", network: "base", registryAddress: "0x00" };
  const sealed = {
    holderPublicJwk: {},
    sealedHolderKey: Buffer.alloc(1),
    wrappedDataKey: Buffer.alloc(1),
    kekId: "test",
  };
  await prisma.agent.create({ data: { ...agent, ...sealed } });
  const address = `${mailboxId}@agents.example`;
  await prisma.mailbox.create({ data: { id: mailboxId, accountId, agentId, address, displayName: "Agent" } });
  await prisma.mailThread.create({ data: { id: threadId, mailboxId, subject: "Hello", lastMessageAt: new Date() } });
  const id = newId("aem");
  await prisma.mailMessage.create({
    data: {
      ...{ id, mailboxId, accountId, threadId, direction: "outbound", status: "queued", fromAddress: address },
      ...{
        fromName: "Agent",
        toAddresses: ["someone@example.test"],
        ccAddresses: [],
        subject: "Hello",
        bodyText: "Hello",
      },
      ...{
        extractedText: "Hello",
        messageIdHeader: `<${id}@agents.example>`,
        references: [],
        isRead: true,
        sizeBytes: 5,
      },
      ...{ nextAttemptAt: new Date(0), failureReason: "Unavailable." },
    },
  });
  return id;
}

it("leaves queued email waiting, and delivers it after the freeze", async () => {
  await asAdministrator("freezeAccount");
  // Queued afterwards, because the service's own job could claim it before.
  const id = await addQueuedMail();
  const { freeze } = await asAdministrator("freezeAccount");
  expect(freeze.inFlight).toEqual([{ kind: "EMAIL", operationId: id, outlook: "WAITS" }]);
  expect([
    await claimDueDelivery(stack.service.deps, account.accountId),
    await claimDelivery(stack.service.deps, id),
  ]).toEqual([null, null]);
  expect(await db().prisma.mailMessage.findUniqueOrThrow({ where: { id } })).toMatchObject({ sendAttempts: 0 });
  await asAdministrator("unfreezeAccount");
  // The job of the service, or this claim, attempts the delivery.
  const attempts = async () => {
    await claimDueDelivery(stack.service.deps, account.accountId);
    return (await db().prisma.mailMessage.findUniqueOrThrow({ where: { id } })).sendAttempts;
  };
  await expect.poll(attempts).toBeGreaterThan(0);
});

it("records both acts, and events of the account without the administrator's reason", async () => {
  const types = async () => {
    const { json } = await stack.rest(account.token, "GET", "/api/events");
    return json.events?.map((event: { type: string }) => event.type);
  };
  await asAdministrator("freezeAccount");
  await asAdministrator("freezeAccount");
  // Events that are recorded together have no order.
  await expect.poll(types).toEqual(["account.frozen"]);
  await asAdministrator("unfreezeAccount");
  const acts = await db().prisma.administratorAct.findMany({
    where: { subjectAccountId: account.accountId },
    orderBy: { createdAt: "asc" },
  });
  expect(acts.map(({ action, reason, after }) => [action, reason, after])).toEqual([
    ["accounts.freeze", "Card fraud", { frozenBy: "administrator" }],
    ["accounts.unfreeze", "Card fraud", { frozenBy: null }],
  ]);
  await expect.poll(types).toEqual(["account.frozen", "account.resumed"]);
  const { text } = await stack.rest(account.token, "GET", "/api/events");
  expect(text).not.toContain("Card fraud");
});
