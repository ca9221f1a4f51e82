/** Log search on RPCs that limit the number of blocks per request, with a limited number of requests. */
import { randomBytes } from "node:crypto";
import { bytesToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { logSpanBlocks, startRejectingRpc } from "../rpc-proxy.ts";
import { startTestEvmChain } from "./test-chain.ts";

const VALUE = 1_000n;
let testChain: Awaited<ReturnType<typeof startTestEvmChain>>;
let facilitator: Awaited<ReturnType<typeof testChain.createSigner>>;

beforeAll(async () => {
  testChain = await startTestEvmChain();
  facilitator = await testChain.createSigner();
  await testChain.mine(700);
});
afterAll(() => testChain.close());

/** Settles a payment and returns its transaction and a query without a reported transaction. */
async function settlePayment() {
  const payer = await testChain.createSigner(VALUE);
  const nonce = bytesToHex(randomBytes(32));
  const validBefore = (await testChain.now()) + 600n;
  const to = facilitator.address;
  const signed = await testChain.authorize(payer, to, VALUE, validBefore, nonce);
  const txHash = await facilitator.callUsdc("transferWithAuthorization", signed);
  return { txHash, query: { asset: testChain.usdc, from: payer.address, to, valueAtomic: VALUE, nonce, validBefore } };
}

/** Reads the state of the payment from an RPC that serves logs of at most `maxSpan` blocks per request. */
async function readState(query: Awaited<ReturnType<typeof settlePayment>>["query"], maxSpan: bigint) {
  let requestCount = 0;
  const proxy = await startRejectingRpc(testChain.rpcUrl, (call) => {
    const span = logSpanBlocks(call);
    if (span !== null) requestCount += 1;
    return span !== null && span > maxSpan;
  });
  const state = await createEvmChain(NETWORKS["base-sepolia"], proxy.url).transferAuthorizationState(query);
  await proxy.close();
  return { state, requestCount };
}

it.each([
  ["500 blocks", 500n, 650],
  ["5 blocks", 5n, 90],
])(
  "finds the transaction on an RPC that serves %s per request",
  async (_what, maxSpan, blocksAgo) => {
    const { query, txHash } = await settlePayment();
    await testChain.mine(blocksAgo);
    const { state } = await readState(query, maxSpan);
    expect(state).toEqual({ state: "used", txHash, chargedAtomic: VALUE });
  },
  30_000,
);

it("ends the search after the maximum number of requests", async () => {
  const { query } = await settlePayment();
  await testChain.mine(150);
  const { state, requestCount } = await readState(query, 1n);
  expect(state).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  expect(requestCount).toBeLessThanOrEqual(120);
}, 30_000);
