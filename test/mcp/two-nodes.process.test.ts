// @module-tag postgresql
/** One-step calls on two nodes: an equal call pays nothing while the first is in flight, and continues its payment after it is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { CANCELLED_CALLS } from "../../mcp/cancellations.ts";
import type { Service } from "../../src/app/service.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { type HeldSeller, openHeldSeller } from "./held-seller.ts";
import { callMessage, callRaw, cancelMessage, send } from "./raw-messages.ts";

describe.skipIf(postgresqlUrl === null)("two nodes", () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let payer: Payer;
  let second: Service;
  let seller: HeldSeller;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    satchel = await createSatchel({ sandbox, postgresql: postgresqlUrl });
    second = await satchel.open();
  });
  beforeEach(async () => {
    payer = await satchel.payer({ creditMicroUsd: 10_000_000n });
    seller = await openHeldSeller();
  });
  afterAll(async () => {
    const audited = second && (await auditLedger(second.deps.db));
    await second?.stop();
    await satchel?.remove();
    await sandbox?.stop();
    expect(audited).toEqual([]);
  });

  const message = () => callMessage("fetch_paid_url", { url: seller.url, max_usd: "1" });
  const repeat = () => callRaw(second, payer, message());
  const expectRefused = async () => expect((await repeat()).error.code).toBe("idempotency_in_flight");
  async function expectContinued() {
    const sold = { content: { untrusted_content: { text: "sold" } } };
    await expect.poll(repeat).toMatchObject(sold);
    expect(new Set(seller.payments).size).toBe(1);
    expect(await second.deps.db.prisma.transaction.count({ where: { accountId: payer.accountId, type: "x402" } })).toBe(
      1,
    );
  }

  it("pay once for a call that is cancelled and repeated on the other node", async () => {
    const first = await satchel.open();
    onTestFinished(() => first.stop());
    await Promise.all([first, second].map(({ deps }) => deps.pubsub.ready()));
    const call = callRaw(first, payer, message());
    await seller.paid;
    await expectRefused();
    const received = first.deps.pubsub.subscribe(CANCELLED_CALLS).next();
    await send(second, payer, cancelMessage(1));
    await received;
    seller.release();
    await call;
    await expectContinued();
  });

  it("pay once for a call whose node is killed", async () => {
    const first = await satchel.start();
    onTestFinished(() => first.kill());
    const lost = expect(send(first, payer, message())).rejects.toThrow();
    await seller.paid;
    await first.kill();
    await lost;
    await expectRefused();
    const { prisma } = second.deps.db;
    await prisma.transaction.updateMany({
      where: { accountId: payer.accountId },
      data: { attemptUntil: new Date(0) },
    });
    await expectRefused();
    await prisma.idempotencyRecord.updateMany({
      where: { accountId: payer.accountId },
      data: { leasedUntil: new Date(0) },
    });
    await expectContinued();
  });
});
