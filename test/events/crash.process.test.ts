// @module-tag postgresql
/** A process killed between sending an event and recording its delivery: the next process sends it again with the same id. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { createApiClient } from "../support/api.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { type Receiver, startReceiver, verify } from "./receiver.ts";

let sandbox: TestSandbox;
let satchel: Satchel;
let receiver: Receiver;
beforeEach(async () => {
  [sandbox, receiver] = await Promise.all([openSandbox(["base-sepolia"]), startReceiver()]);
  satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
}, 120_000);
afterEach(async () => {
  await receiver?.stop();
  await satchel?.remove();
  await sandbox?.stop();
});

it("delivers an event again with the same id after kill -9 between sending and recording", async () => {
  const payer = await satchel.payer();
  const first = await satchel.start();
  const api = createApiClient(first.baseUrl, payer.token);
  const { json } = await api.graphql(
    `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { ... on CreateWebhookSuccess { secret webhook { id } } } }`,
    { input: { url: receiver.url } },
  );
  const { secret, webhook } = json.data.createWebhook;
  // The endpoint receives the event and never responds.
  receiver.respondWith(() => {});
  await api.graphql(`mutation ($input: SendTestEventInput!) { sendTestEvent(input: $input) { __typename } }`, {
    input: { webhookId: webhook.id },
  });
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(1);
  await first.kill();
  await satchel.withDatabase(async ({ prisma }) => {
    expect(await prisma.webhookDelivery.findMany()).toMatchObject([{ status: "pending", attempts: 1 }]);
    // The killed node's claim would expire after a minute. It is set to expire immediately.
    await prisma.webhookDelivery.updateMany({ data: { nextAttemptAt: new Date(0) } });
  });
  receiver.respondWith(200);
  const second = await satchel.start();
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2);
  const [sent, again] = receiver.received as [Receiver["received"][0], Receiver["received"][0]];
  expect([again.headers["webhook-id"], again.body]).toEqual([sent.headers["webhook-id"], sent.body]);
  expect(verify(secret, again)).toEqual(sent.json);
  expect(await second.stop()).toBe(0);
  await satchel.withDatabase(async ({ prisma }) => {
    expect(await prisma.webhookDelivery.findMany()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });
}, 120_000);
