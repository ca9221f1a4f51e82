/** A payment is charged the amount that the call with its nonce moved, regardless of other transfers in the same block. */
import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex, hexToBigInt } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EvmChain } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { startRejectingRpc } from "../rpc-proxy.ts";
import { MULTICALL3, PERMIT2, startTestEvmChain, UPTO_SPENDER } from "./test-chain.ts";

const CAP = 10_000n;
const AMOUNTS = [100n, 9_000n, 300n];

let testChain: Awaited<ReturnType<typeof startTestEvmChain>>;
let chain: EvmChain;
let payer: Awaited<ReturnType<typeof testChain.createSigner>>;
let payTo: Hex;

beforeAll(async () => {
  testChain = await startTestEvmChain();
  chain = createEvmChain(NETWORKS["base-sepolia"], testChain.rpcUrl);
  payer = await testChain.createSigner(1_000_000n);
  await payer.callUsdc("approve", [PERMIT2, 1_000_000n]);
  payTo = (await testChain.createSigner()).address;
});
afterAll(() => testChain.close());

async function payment(amount: bigint, facilitator: Hex) {
  const nonce = hexToBigInt(bytesToHex(randomBytes(32)));
  const deadline = (await testChain.now()) + 300n;
  const args = await testChain.upto(payer, { facilitator, to: payTo }, CAP, amount, nonce, deadline);
  const owner = payer.address;
  const query = {
    asset: testChain.usdc,
    owner,
    spender: UPTO_SPENDER,
    nonce,
    deadline,
    payTo,
    valueAtomic: CAP,
  } as const;
  return { amount, args, query };
}

/** Starts the same chain behind an RPC that rejects some calls. */
async function startRejectingChain(isRejected: Parameters<typeof startRejectingRpc>[1]) {
  const proxy = await startRejectingRpc(testChain.rpcUrl, isRejected);
  return { chain: createEvmChain(NETWORKS["base-sepolia"], proxy.url), close: proxy.close };
}

/** Returns whether a call reads the state of a block that is not the latest. */
const readsOldState = ({ method, params }: { method: string; params: readonly unknown[] }) =>
  method.startsWith("debug_") || (method === "eth_call" && params[1] !== "latest");

it("charges each of several payments in one block its own amount, with a true, a false or no reported transaction", async () => {
  const facilitators = await Promise.all(AMOUNTS.map(() => testChain.createSigner()));
  const payments = await Promise.all(AMOUNTS.map((amount, i) => payment(amount, facilitators[i]?.address as Hex)));
  const otherSigner = await testChain.createSigner();
  const direct = payments.map(
    ({ args }, i) =>
      () =>
        facilitators[i]?.settleUpto(args) as Promise<Hex>,
  );
  const sendZeroTransfer = () => otherSigner.callUsdc("transferFrom", [payer.address, payTo, 0n]);
  const sendDirectTransfer = () => payer.callUsdc("transfer", [payTo, 9_500n]);
  const hashes = await testChain.inOneBlock([...direct, sendZeroTransfer, sendDirectTransfer]);
  await testChain.finalize();
  const pruned = await startRejectingChain(readsOldState);
  for (const [i, { query, amount }] of payments.entries()) {
    const used = { state: "used", txHash: hashes[i], chargedAtomic: amount };
    for (const claimedTxHash of [null, ...hashes]) {
      expect(await chain.permit2State({ ...query, claimedTxHash })).toEqual(used);
    }
    // A direct call proves the use without the state of an old block.
    expect(await pruned.chain.permit2State(query)).toEqual(used);
  }
  await pruned.close();
});

it("reads the charges of a batch settlement from its trace, and charges at most the largest transfer without traces", async () => {
  const facilitator = await testChain.createSigner();
  const batched = await Promise.all(AMOUNTS.map((amount) => payment(amount, MULTICALL3)));
  const separate = await payment(9_900n, facilitator.address);
  const batcher = await testChain.createSigner();
  const [batch, single] = await testChain.inOneBlock([
    () => batcher.settleUptoBatch(batched.map(({ args }) => args)),
    () => facilitator.settleUpto(separate.args),
  ]);
  await testChain.finalize();
  const withoutTraces = await startRejectingChain(({ method }) => method.startsWith("debug_"));
  const pruned = await startRejectingChain(readsOldState);
  const used = (txHash: Hex | undefined, chargedAtomic: bigint) => ({ state: "used", txHash, chargedAtomic });
  for (const { query, amount } of batched) {
    expect(await chain.permit2State(query)).toEqual(used(batch, amount));
    expect(await chain.permit2State({ ...query, claimedTxHash: batch as Hex })).toEqual(used(batch, amount));
    expect(await withoutTraces.chain.permit2State(query)).toEqual(used(batch, 9_000n));
    expect(await pruned.chain.permit2State(query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  }
  expect(await chain.permit2State(separate.query)).toEqual(used(single, 9_900n));
  await withoutTraces.close();
  await pruned.close();
});
