/** A shop that takes the whole cap and points at another transfer of the same two parties must not be believed. */
import { randomBytes } from "node:crypto";
import {
  bytesToHex,
  concatHex,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  http,
  numberToHex,
  publicActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import usdcContract from "../../sandbox/contracts/Usdc.json" with { type: "json" };
import type { EvmChain } from "../../src/wallet/chain.ts";
import { createEvmChain } from "../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { openEvmRoom, PERMIT2 } from "../wallet/evm/room.ts";

const CAP = 1_000n;
let room: Awaited<ReturnType<typeof openEvmRoom>>;
let chain: EvmChain;

beforeAll(async () => {
  room = await openEvmRoom();
  chain = createEvmChain(NETWORKS["base-sepolia"], room.rpcUrl);
});
afterAll(() => room.close());

/** `transferFrom(owner, payTo, 0)`, which ERC-20 lets anybody call, with the nonce behind its arguments. */
async function emptyTransfer(owner: Hex, payTo: Hex, nonce: bigint): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey());
  await room.rpc("anvil_setBalance", [account.address, numberToHex(10n ** 18n)]);
  const wallet = createWalletClient({ account, transport: http(room.rpcUrl) }).extend(publicActions);
  const call = encodeFunctionData({ abi: usdcContract.abi, functionName: "transferFrom", args: [owner, payTo, 0n] });
  const data = concatHex([call, numberToHex(nonce, { size: 32 })]);
  const { transactionHash, status } = await wallet.sendTransactionSync({ to: room.usdc, data, chain: null });
  expect(status).toBe("success");
  return transactionHash;
}

it("charges what the block in which the nonce was used shows, not what a claimed transaction shows", async () => {
  const [owner, facilitator, shop] = [await room.person(CAP), await room.person(), await room.person()];
  await owner.callUsdc("approve", [PERMIT2, CAP]);
  const nonce = hexToBigInt(bytesToHex(randomBytes(32)));
  const deadline = (await room.now()) + 60n;
  const signed = await room.permit2(owner, facilitator.address, shop.address, CAP, CAP, nonce, deadline);
  const [spender, payTo] = [facilitator.address, shop.address];
  const query = { asset: room.usdc, owner: owner.address, spender, payTo, nonce, deadline, valueAtomic: CAP };

  const before = await emptyTransfer(owner.address, shop.address, nonce);
  const taken = await facilitator.callPermit2("permitTransferFrom", signed);
  const after = await emptyTransfer(owner.address, shop.address, nonce);

  for (const claimedTxHash of [null, before, taken, after]) {
    const state = await chain.permit2State({ ...query, claimedTxHash });
    expect(state).toEqual({ state: "used", txHash: taken, chargedAtomic: CAP });
  }
});
