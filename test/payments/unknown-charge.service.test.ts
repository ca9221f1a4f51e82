/** Invariant: what was taken is settled at last, though the RPC never shows where; no reservation is for ever. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { SandboxNetwork } from "../../sandbox/endpoints.ts";
import type { Service } from "../../src/app/service.ts";
import { relay } from "../../src/payments/relay.ts";
import { readStoredAuthorization } from "../../src/payments/x402/authorization.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { reconcileNow } from "../e2e/settle.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { didSucceed } from "../support/usdc.ts";
import { startRefusingRpc } from "../wallet/rpc-proxy.ts";

const PRICE = 1_000_000n;
const HOUR_MS = 3_600_000;

let sandbox: TestSandbox;
let network: SandboxNetwork;
let satchel: Satchel;
let service: Service;
let payer: Payer;
let logless: Awaited<ReturnType<typeof startRefusingRpc>>;

beforeEach(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  network = sandbox.networks["base-sepolia"] as SandboxNetwork;
  satchel = await createSatchel({ sandbox, postgresql: null });
  payer = await satchel.payer({ usdcAtomic: 3n * PRICE });
  await satchel.fundTreasury(0n);
  logless = await startRefusingRpc(network.rpcUrl, ({ method }) => method === "eth_getLogs");
  service = await satchel.open({ RPC_URL_BASE_SEPOLIA: logless.url });
});
afterEach(async () => {
  await service?.stop();
  await logless?.close();
  await satchel?.remove();
  await sandbox?.stop();
});

it("counts the whole amount of a payment that was taken, an hour after its end and not before", async () => {
  const entry = {
    ...{
      scheme: "exact",
      network: "base-sepolia",
      maxAmountRequired: String(PRICE),
      resource: "https://shop.example/r",
    },
    ...{ description: "", mimeType: "", payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", maxTimeoutSeconds: 60 },
    ...{ asset: network.usdc, extra: network.usdcDomain },
  };
  const answer = await fetch(`${service.baseUrl}/api/sign-payment`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-token": payer.token },
    body: JSON.stringify({
      paymentRequirements: { x402Version: 1, accepts: [entry] },
      requestData: { url: entry.resource },
    }),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { signature } = ((await answer.json()) as { paymentProof: { payload: { signature: string } } }).paymentProof
    .payload;
  const { prisma } = service.deps.db;
  const { id, authorization } = await prisma.transaction.findFirstOrThrow({
    where: { accountId: payer.accountId, type: "x402" },
  });
  const found = () => prisma.transaction.findUniqueOrThrow({ where: { id } });
  // The shop's facilitator takes it, and nobody tells us.
  const txHash = await relay(service.deps, readStoredAuthorization(authorization), signature, async () => true);
  if (txHash === null) throw new Error("It was not taken.");
  expect(await didSucceed(network, txHash)).toBe(true);
  await reconcileNow(service);
  expect((await found()).status).toBe("signed");

  const endedAgo = (ms: number) =>
    prisma.transaction.update({ where: { id }, data: { validBefore: new Date(Date.now() - ms) } });
  await endedAgo(HOUR_MS - 60_000);
  await reconcileNow(service);
  expect((await found()).status).toBe("signed");
  await endedAgo(HOUR_MS + 1_000);
  await reconcileNow(service);
  expect(await found()).toMatchObject({ status: "settled", txHash: null, settledMicroUsd: PRICE });
  const hold = await prisma.walletHold.findFirst({ where: { outstandingAtomic: { gt: 0 } } });
  expect(hold).toBeNull();
  expect(await auditLedger(service.deps.db)).toEqual([]);
});
