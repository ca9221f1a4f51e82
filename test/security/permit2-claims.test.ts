/** A seller that charges the whole cap may claim another transfer between the same two parties, which must not be trusted. */
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
import { PERMIT2, startTestEvmChain } from "../wallet/evm/test-chain.ts";

const CAP = 1_000n;
let testChain: Awaited<ReturnType<typeof startTestEvmChain>>;
let chain: EvmChain;

beforeAll(async () => {
  testChain = await startTestEvmChain();
  chain = createEvmChain(NETWORKS["base-sepolia"], testChain.rpcUrl);
});
afterAll(() => testChain.close());

/** Sends `transferFrom(owner, payTo, 0)`, which any address may call (ERC-20), with the nonce appended to its arguments. */
async function sendEmptyTransfer(owner: Hex, payTo: Hex, nonce: bigint): Promise<Hex> {
  const account = privateKeyToAccount(generatePrivateKey());
  await testChain.rpc("anvil_setBalance", [account.address, numberToHex(10n ** 18n)]);
  const wallet = createWalletClient({ account, transport: http(testChain.rpcUrl) }).extend(publicActions);
  const call = encodeFunctionData({ abi: usdcContract.abi, functionName: "transferFrom", args: [owner, payTo, 0n] });
  const data = concatHex([call, numberToHex(nonce, { size: 32 })]);
  const { transactionHash, status } = await wallet.sendTransactionSync({ to: testChain.usdc, data, chain: null });
  expect(status).toBe("success");
  return transactionHash;
}

it("charges the transfer in the block that used the nonce, not the claimed transaction", async () => {
  const [owner, facilitator, seller] = [
    await testChain.createSigner(CAP),
    await testChain.createSigner(),
    await testChain.createSigner(),
  ];
  await owner.callUsdc("approve", [PERMIT2, CAP]);
  const nonce = hexToBigInt(bytesToHex(randomBytes(32)));
  const deadline = (await testChain.now()) + 60n;
  const signed = await testChain.permit2(owner, facilitator.address, seller.address, CAP, CAP, nonce, deadline);
  const [spender, payTo] = [facilitator.address, seller.address];
  const query = { asset: testChain.usdc, owner: owner.address, spender, payTo, nonce, deadline, valueAtomic: CAP };

  const before = await sendEmptyTransfer(owner.address, seller.address, nonce);
  const charged = await facilitator.callPermit2("permitTransferFrom", signed);
  const after = await sendEmptyTransfer(owner.address, seller.address, nonce);

  for (const claimedTxHash of [null, before, charged, after]) {
    const state = await chain.permit2State({ ...query, claimedTxHash });
    expect(state).toEqual({ state: "used", txHash: charged, chargedAtomic: CAP });
  }
});
