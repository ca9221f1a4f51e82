import { type Address, address, lamports, type Signature } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import type { Funds } from "../funds.ts";
import { facilitatorSolana, issuerSolana, shopSolana } from "../identities.ts";
import type { SolanaNetwork } from "../networks.ts";
import type { Ports } from "../ports.ts";
import { createSolanaClock } from "./clock.ts";
import { type Issue, issueTransaction } from "./issue.ts";
import { openJournal } from "./journal.ts";
import { openLedger } from "./ledger.ts";
import { solanaRpc } from "./rpc.ts";
import { jsonRpcServer } from "./server.ts";
import { associatedTokenAccount, MINT_BYTES, mintData, parseTokenAccount, TOKEN_PROGRAM } from "./token.ts";

/** A running Solana chain of the sandbox. */
export interface SolanaChain {
  network: SolanaNetwork;
  rpcUrl: string;
  /**
   * Mints USDC into the owner's associated token account (opened if need be) and/or raises its lamports, to at most
   * 1,000 SOL.
   */
  fund(owner: string, funds: Funds): Promise<void>;
  stop(): Promise<void>;
}

const SOL = 1_000_000_000n;
const MOST_LAMPORTS = 1_000n * SOL;
const SYSTEM_PROGRAM = address("11111111111111111111111111111111");

/** Restores or creates the chain in `dataDir` and answers JSON-RPC. The USDC mint has its real address and our authority. */
export async function startSolanaChain(
  options: { dataDir: string; ports: Ports },
  network: SolanaNetwork,
): Promise<SolanaChain> {
  const mint = address(network.usdc);
  const clock = createSolanaClock(network.name);
  const ledger = openLedger(clock, openJournal(options.dataDir, network.name), (svm) => createGenesis(svm, network));

  async function issue(wanted: Issue): Promise<Signature> {
    const wire = await issueTransaction(wanted, mint, issuerSolana, clock.blockhash(clock.slot()));
    const { signature, err } = ledger.send(wire);
    if (err === null) return signature as Signature;
    if (err !== "AlreadyProcessed") throw new Error(`Issuing failed: ${JSON.stringify(err)}`);
    // The same gift within one slot is the same transaction: wait for the next.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return issue(wanted);
  }

  async function usdcOf(owner: Address): Promise<bigint> {
    const account = ledger.svm.getAccount(await associatedTokenAccount(owner, mint));
    return account.exists ? parseTokenAccount(account.data).amount : 0n;
  }

  const airdrop = (owner: string, amount: bigint) => issue({ owner: address(owner), lamports: amount });
  const server = jsonRpcServer(solanaRpc(ledger, network, airdrop));
  const rpcUrl = await options.ports.listen(network.name, server);
  await issue({ owner: shopSolana.address, usdcAtomic: 0n });
  return {
    network,
    rpcUrl,
    async fund(owner, { usdcAtomic, nativeAtomic = 0n, topUp }) {
      const heldAtomic = topUp ? await usdcOf(address(owner)) : 0n;
      const wanted = nativeAtomic < MOST_LAMPORTS ? nativeAtomic : MOST_LAMPORTS;
      const missing = wanted - BigInt(ledger.svm.getBalance(address(owner)) ?? 0n);
      if (usdcAtomic === undefined && missing <= 0n) return;
      await issue({
        owner: address(owner),
        ...(usdcAtomic === undefined ? {} : { usdcAtomic: usdcAtomic > heldAtomic ? usdcAtomic - heldAtomic : 0n }),
        ...(missing > 0n ? { lamports: missing } : {}),
      });
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      ledger.close();
    },
  };
}

/** What exists before the first transaction: the USDC mint, and lamports for the issuer and the facilitator. */
function createGenesis(svm: LiteSVM, network: SolanaNetwork): void {
  const place = (at: string, data: Uint8Array, owner: string, balance: bigint) =>
    svm.setAccount({
      address: address(at),
      data,
      programAddress: address(owner),
      lamports: lamports(balance),
      space: BigInt(data.length),
      executable: false,
    } as Parameters<LiteSVM["setAccount"]>[0]);
  const rent = BigInt(svm.minimumBalanceForRentExemption(BigInt(MINT_BYTES)));
  place(network.usdc, mintData(issuerSolana.address), TOKEN_PROGRAM, rent);
  place(issuerSolana.address, new Uint8Array(), SYSTEM_PROGRAM, 100_000_000n * SOL);
  place(facilitatorSolana.address, new Uint8Array(), SYSTEM_PROGRAM, 1_000_000n * SOL);
}
