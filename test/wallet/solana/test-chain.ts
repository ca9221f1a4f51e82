/** A Solana chain for one test file: the sandbox's VM behind JSON-RPC, with signed transfers. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from "@solana/spl-token";
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { NETWORKS } from "../../../sandbox/networks.ts";
import { createPorts } from "../../../sandbox/ports.ts";
import { startSolanaChain } from "../../../sandbox/solana/chain.ts";
import { encodeBase58 } from "../../../src/platform/crypto/base58.ts";
import type { SolanaChain } from "../../../src/wallet/chain.ts";

export async function startTestSolanaChain() {
  const dataDir = await mkdtemp(join(tmpdir(), "satchel-solana-"));
  const network = NETWORKS["solana-devnet"];
  const sandboxChain = await startSolanaChain({ dataDir, ports: createPorts(dataDir, "127.0.0.1") }, network);
  const feePayer = Keypair.generate();
  const payTo = Keypair.generate();
  await sandboxChain.fund(feePayer.publicKey.toBase58(), { nativeAtomic: 10n ** 10n });
  await sandboxChain.fund(payTo.publicKey.toBase58(), { usdcAtomic: 0n });
  const usdc = new PublicKey(network.usdc);
  const tokenAccount = (owner: PublicKey) => getAssociatedTokenAddressSync(usdc, owner, true);

  return {
    rpcUrl: sandboxChain.rpcUrl,
    fund: sandboxChain.fund,
    feePayer,
    payTo,
    /** Creates a transfer of `amount`, signed by fee payer and payer. A new payer is funded with 1,000 atomic USDC. */
    async transfer(chain: SolanaChain, amount: bigint, payer?: Keypair) {
      const from = payer ?? Keypair.generate();
      if (!payer) await sandboxChain.fund(from.publicKey.toBase58(), { usdcAtomic: 1_000n });
      const { blockhash, lastValidBlockHeight } = await chain.latestBlockhash();
      const [source, target] = [tokenAccount(from.publicKey), tokenAccount(payTo.publicKey)];
      const message = new TransactionMessage({
        payerKey: feePayer.publicKey,
        recentBlockhash: blockhash,
        instructions: [createTransferCheckedInstruction(source, usdc, target, from.publicKey, amount, 6)],
      });
      const transaction = new VersionedTransaction(message.compileToV0Message());
      transaction.sign([feePayer, from]);
      const [signature, payerSignature] = transaction.signatures.map(encodeBase58) as [string, string];
      return {
        payer: from,
        signature,
        signed: Buffer.from(transaction.serialize()).toString("base64"),
        query: {
          payerSignature,
          payer: from.publicKey.toBase58(),
          asset: network.usdc,
          blockhash,
          lastValidBlockHeight,
          payTo: payTo.publicKey.toBase58(),
          amountAtomic: amount,
        },
      };
    },
    async close() {
      await sandboxChain.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
