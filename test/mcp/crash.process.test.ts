/** The service is killed in spending calls of an agent, which repeats them with what it has: nothing is paid twice, and nothing lost. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Service } from "../../src/app/service.ts";
import { reconcileAllDue } from "../../src/payments/reconcile.ts";
import { resumeTrades } from "../../src/trade/resume-trades.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { createMailbox } from "../mail/fixtures.ts";
import { openRelay, type TestRelay } from "../mail/relay.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, PAYMENT_POINTS, type StopPoints } from "../support/stop-points.ts";
import { readUsdcBalance } from "../support/usdc.ts";
import { connectMarket, USDC } from "../trade/market.ts";
import { connect } from "./clients.ts";

const FUNDS = 1_000_000_000n;
const GROUPS = "wallet,pay,trade,developer,email";
const SOLD = 2_500_000n;

let sandbox: TestSandbox;
let relay: TestRelay;
let satchel: Satchel;
let points: StopPoints;
let running: SatchelProcess | null = null;
let service: Service | null = null;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia", "base"]);
  relay = await openRelay();
  const provider = { name: "exact-v2", baseUrl: `${sandbox.llmUrl}/exact-v2/v1`, kind: "x402" };
  satchel = await createSatchel({
    sandbox,
    postgresql: server,
    env: {
      ...{
        DEX_URL: sandbox.dexUrl ?? "",
        DEX_API_KEY: "any",
        SMTP_URL: relay.url,
        AGENT_MAIL_DOMAIN: "agents.example",
      },
      GATEWAY_PROVIDERS: JSON.stringify([provider]),
    },
  });
  points = await createStopPoints(satchel, {
    server,
    points: {
      ...PAYMENT_POINTS,
      queued: "BEFORE INSERT ON mail_messages FOR EACH ROW WHEN (NEW.direction = 'outbound')",
      swapped:
        "BEFORE UPDATE ON evm_transactions FOR EACH ROW WHEN (NEW.status = 'mined' AND NEW.purpose = 'swap' AND OLD.status = 'signed')",
    },
  });
}, 180_000);
afterEach(async () => {
  await running?.kill();
  running = null;
  await service?.stop();
  service = null;
  await points.stopAt(null);
});
afterAll(async () => {
  await satchel?.remove();
  await relay?.stop();
  await sandbox?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: results have several shapes.
type Json = any;
interface Errand {
  readonly tool: string;
  /** Killed before the commit of this change. */
  readonly point: string;
  /** Calls the tools before the spending one, and returns the arguments of that. */
  prepare(call: (tool: string, args: object) => Promise<Json>): Promise<object>;
  expectOnce(service: Service, payer: Payer): Promise<void>;
}

const serverUrl = () => `${new URL(sandbox.mcpUrl ?? "").origin}/mcp`;
const SWAP = { sell_token: "USDC", buy_token: "DAI", sell_amount: "2.5", network: "base" };

const ERRANDS: readonly Errand[] = [
  ...["reserved", "answered"].map((point) => ({
    ...{ tool: "fetch_paid_url", point },
    prepare: async (call: (tool: string, args: object) => Promise<Json>) => {
      const url = `${sandbox.shopUrl}/v1/price/10001`;
      return { url, payment_id: (await call("check_price", { url })).payment_id };
    },
    expectOnce: expectPaidOnce,
  })),
  ...["reserved", "answered"].map((point) => ({
    ...{ tool: "call_paid_tool", point },
    prepare: async () => ({
      ...{ server_url: serverUrl(), tool: "get_weather", arguments: { city: "Porto" }, max_usd: "0.01" },
      idempotency_key: "weather-of-porto",
    }),
    expectOnce: expectPaidOnce,
  })),
  {
    tool: "chat",
    point: "answered",
    prepare: async (call) => {
      const { models } = await call("list_models", {});
      const model = models.find(({ id }: { id: string }) => id.endsWith("echo"))?.id;
      const messages = [{ role: "user", content: "Say hello" }];
      return { model, messages, max_tokens: 50, idempotency_key: "say-hello" };
    },
    expectOnce: expectPaidOnce,
  },
  {
    tool: "execute_trade",
    point: "swapped",
    prepare: async (call) => ({ ...SWAP, quote_id: (await call("quote_trade", SWAP)).quote_id }),
    async expectOnce(service, payer) {
      await expectOneTransaction(service, payer);
      expect(await connectMarket(sandbox).balance(USDC, payer.evmAddress)).toBe(FUNDS - SOLD);
    },
  },
  {
    tool: "sign_payment",
    point: "answered",
    async prepare() {
      const url = `${sandbox.shopUrl}/v1/price/10001`;
      const payment_requirements = await (await fetch(url)).json();
      return { url, payment_requirements, idempotency_key: "price-10001" };
    },
    async expectOnce(service, payer) {
      expect(await expectOneTransaction(service, payer)).toMatchObject({ status: "signed" });
    },
  },
  {
    tool: "send_email",
    point: "queued",
    prepare: async () => ({
      ...{ to: ["grace@correspondent.example"], subject: "Hello", body: "Good morning." },
      idempotency_key: "good-morning",
    }),
    async expectOnce({ deps: { db } }, { accountId }) {
      const sent = await db.prisma.mailMessage.findMany({ where: { accountId, direction: "outbound" } });
      expect(sent).toMatchObject([{ subject: "Hello" }]);
      await vi.waitFor(() => expect(relay.accepted).toHaveLength(1), { timeout: 20_000 });
    },
  },
];

it.each(ERRANDS)(
  "$tool, killed before the change $point is committed, spends once when it is repeated",
  async (errand) => {
    const payer = await satchel.payer({ usdcAtomic: FUNDS });
    await satchel.withDatabase((db) => createMailbox({ service: { deps: { db } } }, payer));
    await points.stopAt(errand.point);
    running = await satchel.start();
    const first = await connect(`${running.baseUrl}/mcp?tools=${GROUPS}`, payer.token);
    const args = await errand.prepare(async (tool, input) => {
      const { isError, json } = await first.call(tool, input);
      expect(isError, JSON.stringify(json)).toBe(false);
      return json;
    });
    const lost = first.call(errand.tool, args).then(
      () => "responded",
      () => "lost",
    );
    await points.killWhenStopped(running);
    running = null;
    expect(await lost).toBe("lost");

    // The next process continues after the leases of the killed one.
    await satchel.withDatabase((db) => db.prisma.idempotencyRecord.updateMany({ data: { leasedUntil: new Date(0) } }));
    service = await satchel.open();
    await resume(service);
    const next = await connect(`${service.baseUrl}/mcp?tools=${GROUPS}`, payer.token);
    const repeated = await next.call(errand.tool, args);
    expect(repeated.isError, JSON.stringify(repeated.json)).toBe(false);
    expect((await next.call(errand.tool, args)).json).toEqual(repeated.json);
    await next.close();
    await first.close().catch(() => {});
    await errand.expectOnce(service, payer);
  },
);

/** Runs what recurs in the background, with everything due. */
async function resume({ deps }: Service): Promise<void> {
  const past = new Date(Date.now() - 1_000);
  await deps.db.prisma.evmTransaction.updateMany({
    where: { nextCheckAt: { not: null } },
    data: { nextCheckAt: past },
  });
  await resumeTrades(deps);
  await deps.db.prisma.transaction.updateMany({ where: { nextCheckAt: { not: null } }, data: { nextCheckAt: past } });
  await reconcileAllDue(deps);
}

async function expectOneTransaction({ deps: { db } }: Service, { accountId }: Payer) {
  const spent = await db.prisma.transaction.findMany({
    where: { accountId, status: { notIn: ["released", "failed"] }, type: { not: "credit" } },
  });
  expect(spent).toHaveLength(1);
  expect(await auditLedger(db)).toEqual([]);
  return spent[0];
}

/** What left the wallet is one payment, however often its authorization was sent. */
async function expectPaidOnce(service: Service, payer: Payer): Promise<void> {
  const paid = await expectOneTransaction(service, payer);
  const chain = sandbox.networks["base-sepolia"];
  const left = FUNDS - BigInt(paid?.amountAtomic.toFixed(0) ?? "0");
  const balance = async () => await readUsdcBalance(chain as never, payer.evmAddress);
  await vi.waitFor(async () => expect(await balance()).toBe(left), { timeout: 20_000 });
}
