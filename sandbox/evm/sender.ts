import { type Chain, createWalletClient, type Hex, http, type PublicClient } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";

/** Sends transactions of one key, any number at a time, without two of them meeting on a nonce. */
export interface Sender {
  address: Hex;
  /** Signs and submits; resolves with the hash once the node has taken it. Reverts show in the receipt. */
  send(call: { to: Hex; data: Hex }): Promise<Hex>;
}

// Enough for any transfer here; estimating would cost a round trip and fail where the receipt should tell.
const GAS_LIMIT = 400_000n;
const MAX_FEE_PER_GAS = 100_000_000_000n;

/** `account` needs a native balance. Nonces are counted here and read from the chain again after any failure. */
export function createSender(client: PublicClient, chain: Chain, rpcUrl: string, account: PrivateKeyAccount): Sender {
  const wallet = createWalletClient({ account, chain, transport: http(rpcUrl, { retryCount: 0 }) });
  let nextNonce: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function sendNow(call: { to: Hex; data: Hex }): Promise<Hex> {
    nextNonce ??= await client.getTransactionCount({ address: account.address, blockTag: "pending" });
    const nonce = nextNonce;
    try {
      const serializedTransaction = await wallet.signTransaction({
        ...call,
        nonce,
        gas: GAS_LIMIT,
        maxFeePerGas: MAX_FEE_PER_GAS,
        maxPriorityFeePerGas: 1n,
        type: "eip1559",
      });
      const hash = await client.sendRawTransaction({ serializedTransaction });
      nextNonce = nonce + 1;
      return hash;
    } catch (error) {
      nextNonce = undefined;
      throw error;
    }
  }

  return {
    address: account.address,
    send(call) {
      const sent = queue.then(() => sendNow(call));
      queue = sent.catch(() => {});
      return sent;
    },
  };
}
