import { type Address, address, lamports, type Signature } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import type { Funds } from "../funds.ts";
import { facilitatorSolana, issuerSolana, sellerSolana } from "../identities.ts";
import type { SolanaNetwork } from "../networks.ts";
import type { Ports } from "../ports.ts";
import { createSolanaClock } from "./clock.ts";
import { createIssueTransaction, type Issuance } from "./issue-transaction.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { createSolanaRpc } from "./rpc.ts";
import { createJsonRpcServer } from "./server.ts";
import { associatedTokenAccount, MINT_BYTES, mintData, parseTokenAccount, TOKEN_PROGRAM } from "./token.ts";

/** A running Solana chain of the sandbox. */
export interface SolanaChain {
  network: SolanaNetwork;
  rpcUrl: string;
  /**
   * Mints USDC into the owner's associated token account, raises the owner's lamports to at least the given amount (at most
   * 1,000 SOL), or both. Creates the token account if necessary.
   */
  fund(owner: string, funds: Funds): Promise<void>;
  stop(): Promise<void>;
}

const SOL = 1_000_000_000n;
const MAX_LAMPORTS = 1_000n * SOL;
const SYSTEM_PROGRAM = address("11111111111111111111111111111111");

/**
 * Restores or creates the chain in `dataDir` and serves JSON-RPC. The USDC mint has its real address, with the sandbox's
 * issuer as mint authority.
 */
export async function startSolanaChain(
  options: { dataDir: string; ports: Ports },
  network: SolanaNetwork,
): Promise<SolanaChain> {
  const mint = address(network.usdc);
  const clock = createSolanaClock(network.name);
  const ledger = openLedger(clock, openJournal(options.dataDir, network.name), (svm) => createGenesis(svm, network));

  async function sendIssue(request: Issuance): Promise<Signature> {
    const wire = await createIssueTransaction(request, mint, issuerSolana, clock.blockhash(clock.slot()));
    const { signature, err } = ledger.send(wire);
    if (err === null) return signature as Signature;
    if (err !== "AlreadyProcessed") throw new Error(`The issuance failed: ${JSON.stringify(err)}`);
    // An identical issuance in the same slot is the same transaction. Retry in the next slot.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return sendIssue(request);
  }

  async function readUsdcBalance(owner: Address): Promise<bigint> {
    const account = ledger.svm.getAccount(await associatedTokenAccount(owner, mint));
    return account.exists ? parseTokenAccount(account.data).amount : 0n;
  }

  const airdrop = (owner: string, amount: bigint) => sendIssue({ owner: address(owner), lamports: amount });
  const server = createJsonRpcServer(createSolanaRpc(ledger, network, airdrop));
  const rpcUrl = await options.ports.listen(network.name, server);
  await sendIssue({ owner: sellerSolana.address, usdcAtomic: 0n });
  return {
    network,
    rpcUrl,
    async fund(owner, { usdcAtomic, nativeAtomic = 0n, topUp }) {
      const currentAtomic = topUp ? await readUsdcBalance(address(owner)) : 0n;
      const targetLamports = nativeAtomic < MAX_LAMPORTS ? nativeAtomic : MAX_LAMPORTS;
      const missingLamports = targetLamports - BigInt(ledger.svm.getBalance(address(owner)) ?? 0n);
      if (usdcAtomic === undefined && missingLamports <= 0n) return;
      await sendIssue({
        owner: address(owner),
        ...(usdcAtomic === undefined
          ? {}
          : { usdcAtomic: usdcAtomic > currentAtomic ? usdcAtomic - currentAtomic : 0n }),
        ...(missingLamports > 0n ? { lamports: missingLamports } : {}),
      });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      ledger.close();
    },
  };
}

/** Creates the genesis state: the USDC mint, and lamports for the issuer and the facilitator. */
function createGenesis(svm: LiteSVM, network: SolanaNetwork): void {
  const setAccount = (at: string, data: Uint8Array, owner: string, balance: bigint) =>
    svm.setAccount({
      address: address(at),
      data,
      programAddress: address(owner),
      lamports: lamports(balance),
      space: BigInt(data.length),
      executable: false,
    } as Parameters<LiteSVM["setAccount"]>[0]);
  const rent = BigInt(svm.minimumBalanceForRentExemption(BigInt(MINT_BYTES)));
  setAccount(network.usdc, mintData(issuerSolana.address), TOKEN_PROGRAM, rent);
  setAccount(issuerSolana.address, new Uint8Array(), SYSTEM_PROGRAM, 100_000_000n * SOL);
  setAccount(facilitatorSolana.address, new Uint8Array(), SYSTEM_PROGRAM, 1_000_000n * SOL);
}
