/** RPCs that serve logs of fewer blocks than others: what is on chain is found all the same, and not at any price. */
import { randomBytes } from "node:crypto";
import { bytesToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { logSpanOf, startRefusingRpc } from "../rpc-proxy.ts";
import { openEvmRoom } from "./room.ts";

const VALUE = 1_000n;
let room: Awaited<ReturnType<typeof openEvmRoom>>;
let facilitator: Awaited<ReturnType<typeof room.person>>;

beforeAll(async () => {
  room = await openEvmRoom();
  facilitator = await room.person();
  await room.mine(700);
});
afterAll(() => room.close());

/** A payment that is taken now, and what it looks like when nobody says where. */
async function taken() {
  const payer = await room.person(VALUE);
  const nonce = bytesToHex(randomBytes(32));
  const validBefore = (await room.now()) + 600n;
  const to = facilitator.address;
  const signed = await room.authorize(payer, to, VALUE, validBefore, nonce);
  const txHash = await facilitator.callUsdc("transferWithAuthorization", signed);
  return { txHash, query: { asset: room.usdc, from: payer.address, to, valueAtomic: VALUE, nonce, validBefore } };
}

/** Looks the payment up through an RPC that serves logs of so many blocks. */
async function lookUp(query: Awaited<ReturnType<typeof taken>>["query"], maxSpan: bigint) {
  let asked = 0;
  const proxy = await startRefusingRpc(room.rpcUrl, (call) => {
    const span = logSpanOf(call);
    if (span !== null) asked += 1;
    return span !== null && span > maxSpan;
  });
  const state = await createEvmChain(NETWORKS["base-sepolia"], proxy.url).transferAuthorizationState(query);
  await proxy.close();
  return { state, asked };
}

it.each([
  ["500 blocks", 500n, 650],
  ["5 blocks", 5n, 90],
])(
  "%s at once",
  async (_what, maxSpan, blocksAgo) => {
    const { query, txHash } = await taken();
    await room.mine(blocksAgo);
    const { state } = await lookUp(query, maxSpan);
    expect(state).toEqual({ state: "used", txHash, chargedAtomic: VALUE });
  },
  30_000,
);

it("gives up after so many questions", async () => {
  const { query } = await taken();
  await room.mine(150);
  const { state, asked } = await lookUp(query, 1n);
  expect(state).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  expect(asked).toBeLessThanOrEqual(120);
}, 30_000);
