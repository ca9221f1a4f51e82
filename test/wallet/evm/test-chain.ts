/** An EVM chain for one test file: the sandbox's anvil with its token, and funded signers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Abi, createWalletClient, encodeFunctionData, type Hex, http, parseSignature, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import multicall3Contract from "../../../sandbox/contracts/Multicall3.json" with { type: "json" };
import permit2Contract from "../../../sandbox/contracts/Permit2.json" with { type: "json" };
import uptoContract from "../../../sandbox/contracts/UptoPermit2Proxy.json" with { type: "json" };
import usdcContract from "../../../sandbox/contracts/Usdc.json" with { type: "json" };
import { startEvmChain } from "../../../sandbox/evm/chain.ts";
import { NETWORKS } from "../../../sandbox/networks.ts";
import { createPorts } from "../../../sandbox/ports.ts";

export const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/** X402's spender contract for `upto` payments. */
export const UPTO_SPENDER = "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002";
export const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const GAS_MONEY_WEI = 10n ** 18n;

export async function startTestEvmChain() {
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-evm-"));
  const host = "127.0.0.1";
  const network = NETWORKS["base-sepolia"];
  const chain = await startEvmChain({ dataDir, host, ports: createPorts(dataDir, host) }, network);
  const { usdc } = network;
  const domain = { ...network.usdcDomain, chainId: network.chainId, verifyingContract: usdc };
  const rpc = (method: string, params: unknown[]) => chain.client.request({ method, params } as never);

  /** Creates a funded key that sends transactions and waits for their receipts. */
  async function createSigner(usdcAtomic = 0n) {
    const account = privateKeyToAccount(generatePrivateKey());
    await chain.fund(account.address, { usdcAtomic, nativeAtomic: GAS_MONEY_WEI });
    const wallet = createWalletClient({ account, transport: http(chain.rpcUrl) }).extend(publicActions);
    const send = async (to: Hex, abi: unknown, functionName: string, args: unknown[]) => {
      const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
      const { transactionHash, status } = await wallet.sendTransactionSync({ to, data, chain: null });
      if (status !== "success") throw new Error(`${functionName} reverted`);
      return transactionHash;
    };
    return {
      account,
      address: account.address,
      callUsdc: (functionName: string, args: unknown[]) => send(usdc, usdcContract.abi, functionName, args),
      callPermit2: (functionName: string, args: unknown[]) => send(PERMIT2, permit2Contract.abi, functionName, args),
      settleUpto: (args: unknown[]) => send(UPTO_SPENDER, uptoContract.abi, "settle", args),
      /** Settles several payments in one transaction through Multicall3. */
      settleUptoBatch(payments: unknown[][]) {
        const calls = payments.map((args) => ({
          target: UPTO_SPENDER,
          allowFailure: false,
          callData: encodeFunctionData({ abi: uptoContract.abi as Abi, functionName: "settle", args }),
        }));
        return send(MULTICALL3, multicall3Contract.abi, "aggregate3", [calls]);
      },
    };
  }
  type Signer = Awaited<ReturnType<typeof createSigner>>;

  return {
    rpcUrl: chain.rpcUrl,
    usdc: usdc as Hex,
    createSigner,
    rpc,
    now: async () => (await chain.client.getBlock()).timestamp,
    /** Advances the chain's clock. */
    async advanceTime(seconds: bigint) {
      await rpc("evm_increaseTime", [Number(seconds)]);
      await rpc("evm_mine", []);
    },
    /** Mines blocks until everything before is final. */
    async finalize() {
      await this.mine(15);
    },
    /** Mines blocks, 400 per call so that no call times out. */
    async mine(blocks: number) {
      for (let left = blocks; left > 0; left -= 400) await rpc("anvil_mine", [`0x${Math.min(left, 400).toString(16)}`]);
    },
    /** Signs and returns the arguments of the token's `transferWithAuthorization`. */
    async authorize(from: Signer, to: Hex, value: bigint, validBefore: bigint, nonce: Hex) {
      const message = { from: from.address, to, value, validAfter: 0n, validBefore, nonce };
      const types = {
        TransferWithAuthorization: [
          "from:address",
          "to:address",
          "value:uint256",
          "validAfter:uint256",
          "validBefore:uint256",
          "nonce:bytes32",
        ].map(field),
      };
      const signature = await from.account.signTypedData({
        domain,
        types,
        primaryType: "TransferWithAuthorization",
        message,
      });
      return [from.address, to, value, 0n, validBefore, nonce, signature];
    },
    /** Signs and returns the arguments of the token's `cancelAuthorization`. */
    async cancel(authorizer: Signer, nonce: Hex) {
      const types = { CancelAuthorization: ["authorizer:address", "nonce:bytes32"].map(field) };
      const message = { authorizer: authorizer.address, nonce };
      const signature = await authorizer.account.signTypedData({
        domain,
        types,
        primaryType: "CancelAuthorization",
        message,
      });
      return [authorizer.address, nonce, signature];
    },
    /** Signs and returns the arguments of the token's `permit`. */
    async permit(owner: Signer, spender: Hex, value: bigint, nonce: bigint, deadline: bigint) {
      const types = {
        Permit: ["owner:address", "spender:address", "value:uint256", "nonce:uint256", "deadline:uint256"].map(field),
      };
      const message = { owner: owner.address, spender, value, nonce, deadline };
      const { r, s, v } = parseSignature(
        await owner.account.signTypedData({ domain, types, primaryType: "Permit", message }),
      );
      return [owner.address, spender, value, deadline, Number(v), r, s];
    },
    /** Signs and returns the arguments of Permit2's `permitTransferFrom`: a permit of `value`, a transfer of `amount`. */
    async permit2(
      owner: Signer,
      spender: Hex,
      to: Hex,
      value: bigint,
      amount: bigint,
      nonce: bigint,
      deadline: bigint,
    ) {
      const types = {
        PermitTransferFrom: ["permitted:TokenPermissions", "spender:address", "nonce:uint256", "deadline:uint256"].map(
          field,
        ),
        TokenPermissions: ["token:address", "amount:uint256"].map(field),
      };
      const permitted = { token: usdc, amount: value };
      const signature = await owner.account.signTypedData({
        domain: { name: "Permit2", chainId: network.chainId, verifyingContract: PERMIT2 },
        types,
        primaryType: "PermitTransferFrom",
        message: { permitted, spender, nonce, deadline },
      });
      return [{ permitted, nonce, deadline }, { to, requestedAmount: amount }, owner.address, signature];
    },
    /** Signs and returns the arguments of `settle` of the `upto` spender. Only `facilitator` can call it. */
    async upto(
      owner: Signer,
      { facilitator, to }: { facilitator: Hex; to: Hex },
      value: bigint,
      amount: bigint,
      nonce: bigint,
      deadline: bigint,
    ) {
      const types = {
        PermitWitnessTransferFrom: [
          "permitted:TokenPermissions",
          "spender:address",
          "nonce:uint256",
          "deadline:uint256",
          "witness:Witness",
        ].map(field),
        TokenPermissions: ["token:address", "amount:uint256"].map(field),
        Witness: ["to:address", "facilitator:address", "validAfter:uint256"].map(field),
      };
      const permitted = { token: usdc, amount: value };
      const witness = { to, facilitator, validAfter: 0n };
      const signature = await owner.account.signTypedData({
        domain: { name: "Permit2", chainId: network.chainId, verifyingContract: PERMIT2 },
        types,
        primaryType: "PermitWitnessTransferFrom",
        message: { permitted, spender: UPTO_SPENDER, nonce, deadline, witness },
      });
      return [{ permitted, nonce, deadline }, amount, owner.address, witness, signature];
    },
    /** Sends transactions of different senders and mines them in one block, in this order. */
    async inOneBlock<T>(sends: (() => Promise<T>)[]): Promise<T[]> {
      await rpc("evm_setAutomine", [false]);
      const countPending = async () => Number(((await rpc("txpool_status", [])) as { pending: Hex }).pending);
      const outcomes: Promise<T>[] = [];
      for (const send of sends) {
        outcomes.push(send());
        while ((await countPending()) < outcomes.length) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await rpc("evm_mine", []);
      await rpc("evm_setAutomine", [true]);
      return await Promise.all(outcomes);
    },
    async close() {
      await chain.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

function field(text: string) {
  const [name = "", type = ""] = text.split(":");
  return { name, type };
}
