/** Invariant: a redeemed payment settles eventually even if the RPC never shows the charge, so no reservation is permanent. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { relay } from "../../src/payments/relay.ts";
import { readStoredAuthorization } from "../../src/payments/x402/authorization.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { reconcileNow } from "../e2e/reconcile.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { didSucceed } from "../support/usdc.ts";
import { startRejectingRpc } from "../wallet/rpc-proxy.ts";

const PRICE = 1_000_000n;
const HOUR_MS = 3_600_000;

let sandbox: TestSandbox;
let network: SandboxNetwork;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let logless: Awaited<ReturnType<typeof startRejectingRpc>>;

beforeEach(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  network = sandbox.networks["base-sepolia"] as SandboxNetwork;
  satchel = await createSatchel({ sandbox, postgresql: null });
  payer = await satchel.payer({ usdcAtomic: 3n * PRICE });
  await satchel.fundTreasury(0n);
  logless = await startRejectingRpc(network.rpcUrl, ({ method }) => method === "eth_getLogs");
  service = await satchel.open({ RPC_URL_BASE_SEPOLIA: logless.url });
});
afterEach(async () => {
  await service?.stop();
  await logless?.close();
  await satchel?.remove();
  await sandbox?.stop();
});

it("settles a redeemed payment with its whole amount an hour after expiry, and not before", async () => {
  const entry = {
    ...{
      scheme: "exact",
      network: "base-sepolia",
      maxAmountRequired: String(PRICE),
      resource: "https://merchant.example/r",
    },
    ...{ description: "", mimeType: "", payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", maxTimeoutSeconds: 60 },
    ...{ asset: network.usdc, extra: network.usdcDomain },
  };
  const response = await fetch(`${service.baseUrl}/api/sign-payment`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    body: JSON.stringify({
      paymentRequirements: { x402Version: 1, accepts: [entry] },
      requestData: { url: entry.resource },
    }),
  });
  expect(response.status, await response.clone().text()).toBe(200);
  const { signature } = ((await response.json()) as { paymentProof: { payload: { signature: string } } }).paymentProof
    .payload;
  const { prisma } = service.deps.db;
  const { id, authorization } = await prisma.transaction.findFirstOrThrow({
    where: { accountId: payer.accountId, type: "x402" },
  });
  const readRow = () => prisma.transaction.findUniqueOrThrow({ where: { id } });
  // The seller's facilitator redeems it without a report to Satchel.
  const txHash = await relay(service.deps, readStoredAuthorization(authorization), signature, async () => true);
  if (txHash === null) throw new Error("The payment was not redeemed.");
  expect(await didSucceed(network, txHash)).toBe(true);
  await reconcileNow(service);
  expect((await readRow()).status).toBe("signed");

  const setExpiredSince = (ms: number) =>
    prisma.transaction.update({ where: { id }, data: { validBefore: new Date(Date.now() - ms) } });
  await setExpiredSince(HOUR_MS - 60_000);
  await reconcileNow(service);
  expect((await readRow()).status).toBe("signed");
  await setExpiredSince(HOUR_MS + 1_000);
  await reconcileNow(service);
  expect(await readRow()).toMatchObject({ status: "settled", txHash: null, settledMicroUsd: PRICE });
  const hold = await prisma.walletHold.findFirst({ where: { outstandingAtomic: { gt: 0 } } });
  expect(hold).toBeNull();
  expect(await auditLedger(service.deps.db)).toEqual([]);
});
