// @module-tag postgresql
/** Process crashes during a dispatch: each change is atomic, and a repeated dispatch creates one order. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Service } from "../../../src/app/service.ts";
import { connect } from "../../mcp/clients.ts";
import { openSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { createSatchel, type Satchel } from "../../support/satchel.ts";
import type { SatchelProcess } from "../../support/satchel-process.ts";
import { postgresqlUrl as server } from "../../support/servers.ts";
import { createStopPoints, type StopPoints } from "../../support/stop-points.ts";
import { type Buyer, openBuyer, SOCKS, SOCKS_MINOR } from "./buyer.ts";

const SIGNATURE = {
  type: "webauthn",
  credential_id: "a",
  authenticator_data: "b",
  client_data_json: "c",
  signature: "d",
};

// Each test starts the service three or four times.
describe(`on ${server === null ? "PGlite" : "PostgreSQL"}, killed during a dispatch`, { timeout: 240_000 }, () => {
  let sandbox: TestSandbox;
  let satchel: Satchel;
  let points: StopPoints;
  let running: SatchelProcess | null = null;
  let confirmationCount = 0;

  beforeAll(async () => {
    sandbox = await openSandbox([]);
    const harbour = sandbox.stores.find(({ name }) => name === "harbour");
    const place = { country: "GB", currency: "GBP", taxPolicy: "included", isTest: true, onboarded: true };
    const pool = [{ url: harbour?.url, name: "Harbour", shipsTo: harbour?.shipsTo, supportsPickup: true, ...place }];
    const checkout = { CHECKOUT_POOL: JSON.stringify(pool), CHECKOUT_WORKERS: "0", CARD_SECURITY_CODE: "keep" };
    satchel = await createSatchel({ sandbox, postgresql: server, env: checkout });
    points = await createStopPoints(satchel, {
      server,
      points: {
        counted: "BEFORE UPDATE ON checkout_policies FOR EACH ROW WHEN (NEW.day_used_minor > OLD.day_used_minor)",
        approval_requested: "BEFORE INSERT ON checkout_approvals FOR EACH ROW",
        moved: "BEFORE UPDATE ON checkout_orders FOR EACH ROW WHEN (NEW.status = 'dispatched')",
      },
    });
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  const runWithService = async <Result>(use: (service: Service) => Promise<Result>): Promise<Result> => {
    const service = await satchel.open();
    try {
      return await use(service);
    } finally {
      await service.stop();
    }
  };

  async function dispatch(baseUrl: string, { token }: Buyer, body: object) {
    const headers = { "content-type": "application/json", "x-service-token": token };
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}/api/autofill/dispatch`, request);
    return { status: response.status, json: (await response.json()) as Record<string, string> };
  }

  async function prepare(isCovered: boolean) {
    return await runWithService(async (service) => {
      const buyer = await openBuyer(service);
      if (isCovered) await buyer.signPolicy();
      const { id } = await service.deps.db.prisma.merchant.findFirstOrThrow();
      const items = [{ sku: SOCKS, quantity: 2 }];
      const quote = await buyer.quote({ merchant_id: id, items });
      const [standard] = quote.json.fulfillment_options as { id: string }[];
      const body = {
        ...{ merchant_id: id, items, fulfillment_option_id: standard?.id, amount_minor: SOCKS_MINOR },
        ...{ user_confirmation_text: `Yes (${++confirmationCount})`, user_approved_at_iso: "2024-11-20T17:29:16Z" },
      };
      return { buyer, body };
    });
  }

  /** Starts a process, blocks its dispatch at `point`, and kills the process there. */
  async function killIn(point: string, buyer: Buyer, body: object): Promise<void> {
    await points.stopAt(point);
    running = await satchel.start();
    const call = dispatch(running.baseUrl, buyer, body).catch(() => null);
    await points.killWhenStopped(running);
    running = null;
    expect(await call).toBeNull();
  }

  it.each([
    ["counted", true, 200],
    ["approval_requested", false, 202],
  ])("stores no order before it is %s, and creates one on the next dispatch", async (point, isCovered, status) => {
    const { buyer, body } = await prepare(isCovered);
    const { accountId } = buyer;
    await killIn(point, buyer, body);
    await runWithService(async ({ deps: { db }, baseUrl }) => {
      const { checkoutOrder, checkoutPolicy, checkoutApproval } = db.prisma;
      expect(await checkoutOrder.count({ where: { accountId } })).toBe(0);
      expect(await checkoutApproval.count({ where: { accountId } })).toBe(0);
      const readUsedMinor = async () => (await checkoutPolicy.findFirst({ where: { accountId } }))?.dayUsedMinor ?? 0n;
      expect(await readUsedMinor()).toBe(0n);
      const responses = await Promise.all([1, 2, 3].map(() => dispatch(baseUrl, buyer, body)));
      expect(responses.map((response) => response.status)).toEqual([status, status, status]);
      expect(await checkoutOrder.count({ where: { accountId } })).toBe(1);
      expect(await readUsedMinor()).toBe(isCovered ? BigInt(SOCKS_MINOR) : 0n);
    });
  });

  it("places one order when an agent repeats place_order with its quote", async () => {
    const { buyer, body } = await prepare(true);
    const cart = { merchant_id: body.merchant_id, items: body.items, option_id: body.fulfillment_option_id };
    running = await satchel.start();
    const first = await connect(`${running.baseUrl}/mcp`, buyer.token);
    const { json: quote } = await first.call("quote_cart", cart);
    await running.stop();
    await points.stopAt("counted");
    running = await satchel.start();
    const second = await connect(`${running.baseUrl}/mcp`, buyer.token);
    const order = { ...cart, quote_id: quote.quote_id, user_confirmation_text: "Yes, order them" };
    const lost = second.call("place_order", order).catch(() => null);
    await points.killWhenStopped(running);
    running = null;
    expect(await lost).toBeNull();

    // The next process continues after the lease of the killed one.
    await satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));
    await runWithService(async ({ deps: { db }, baseUrl }) => {
      const third = await connect(`${baseUrl}/mcp`, buyer.token);
      const results = await Promise.all([1, 2, 3].map(() => third.call("place_order", order)));
      const placed = await third.call("place_order", order);
      expect(placed, JSON.stringify(placed.json)).toMatchObject({ isError: false });
      for (const { isError, json } of results) if (!isError) expect(json.order_id).toBe(placed.json.order_id);
      const { accountId } = buyer;
      expect(await db.prisma.checkoutOrder.findMany({ where: { accountId } })).toMatchObject([
        { id: placed.json.order_id },
      ]);
      expect(await db.prisma.checkoutPolicy.findFirst({ where: { accountId } })).toMatchObject({
        dayUsedMinor: BigInt(SOCKS_MINOR),
      });
      await third.close();
    });
    for (const client of [first, second]) await client.close().catch(() => {});
  });

  it("leaves approval and order unchanged before the transition, and uses both on the next dispatch", async () => {
    const { buyer, body } = await prepare(false);
    const token = await runWithService(async ({ deps: { db }, baseUrl }) => {
      const { json } = await dispatch(baseUrl, buyer, body);
      const where = { orderId: json["order_id"] ?? "" };
      await db.prisma.checkoutApproval.update({ where, data: { status: "approved", signature: SIGNATURE } });
      return json["approval_token"];
    });
    const approved = { ...body, approval_token: token };
    await killIn("moved", buyer, approved);
    await runWithService(async ({ deps: { db }, baseUrl }) => {
      const read = () =>
        db.prisma.checkoutOrder.findFirstOrThrow({
          where: { accountId: buyer.accountId },
          include: { approval: { select: { status: true } } },
        });
      expect(await read()).toMatchObject({ status: "approval_required", approval: { status: "approved" } });
      const { status, json } = await dispatch(baseUrl, buyer, approved);
      expect([status, json["status"]]).toEqual([200, "dispatched"]);
      expect(await read()).toMatchObject({ id: json["order_id"], approval: { status: "consumed" } });
    });
  });
});
