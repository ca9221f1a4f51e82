import { type Chain, createWalletClient, type Hex, http, type PublicClient } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";

/** Sends transactions of one key with consecutive nonces. `send` can be called concurrently. */
export interface Sender {
  address: Hex;
  /** Signs and submits a transaction. Returns its hash once the node has accepted it. The receipt reports reverts. */
  send(call: { to: Hex; data: Hex }): Promise<Hex>;
}

// Enough for every call in the sandbox. An estimate would need a round trip and would fail for reverts that must be mined.
const GAS_LIMIT = 400_000n;
const MAX_FEE_PER_GAS = 100_000_000_000n;

/** Creates a sender. `account` needs a native balance. The nonce is counted locally and read again after a failure. */
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
