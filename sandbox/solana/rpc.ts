import { address } from "@solana/kit";
import type { SolanaNetwork } from "../networks.ts";
import { BLOCKHASH_VALID_SLOTS } from "./clock.ts";
import { decimalsOf, encodeAccount, encodeTransaction } from "./encode.ts";
import type { Ledger } from "./ledger.ts";
import { parseTokenAccount, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM, uiAmount } from "./token.ts";

/** An error with a JSON-RPC error code. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RpcMethods = Record<string, (params: unknown[]) => unknown>;
type Config = Record<string, unknown>;

const toConfig = (value: unknown): Config => (typeof value === "object" && value !== null ? (value as Config) : {});
function toText(value: unknown): string {
  if (typeof value !== "string") throw new RpcFailure(-32602, "Invalid params: expected a string");
  return value;
}
function toAddress(value: unknown) {
  try {
    return address(toText(value));
  } catch {
    throw new RpcFailure(-32602, "Invalid param: Invalid");
  }
}

/** Creates the Solana JSON-RPC methods that wallets, the reference facilitator and @solana/web3.js use. Each slot is a block. */
export function createSolanaRpc(
  ledger: Ledger,
  network: SolanaNetwork,
  airdrop: (owner: string, lamports: bigint) => Promise<string>,
): RpcMethods {
  const { svm, clock } = ledger;
  const withContext = (value: unknown) => ({ context: { apiVersion: "3.0.0", slot: clock.slot() }, value });
  const readAccount = (pubkey: unknown, options: unknown) =>
    encodeAccount(svm, svm.getAccount(toAddress(pubkey)), String(toConfig(options)["encoding"] ?? "base64"));

  function toWire(encoded: unknown, options: unknown): string {
    if (toConfig(options)["encoding"] === "base64") return toText(encoded);
    throw new RpcFailure(-32602, "Only base64 transactions are accepted");
  }

  function runPreflight(transaction: string): void {
    const { err, logs, unitsConsumed } = ledger.simulate(transaction, {
      verifySignatures: true,
      replaceBlockhash: false,
    });
    if (err === null) return;
    if (err === "SignatureFailure") throw new RpcFailure(-32003, "Transaction signature verification failure");
    const data = { err, logs, unitsConsumed, accounts: null };
    throw new RpcFailure(-32002, `Transaction simulation failed: ${JSON.stringify(err)}`, data);
  }

  function signatureStatus(signature: string) {
    const record = ledger.transaction(signature);
    if (!record) return null;
    const { slot, err } = record;
    const final = { confirmations: null, confirmationStatus: "finalized" };
    return { slot, err, status: err === null ? { Ok: null } : { Err: err }, ...final };
  }

  return {
    getHealth: () => "ok",
    getVersion: () => ({ "solana-core": "3.0.0", "feature-set": 0 }),
    getGenesisHash: () => network.genesisHash,
    getSlot: () => clock.slot(),
    getBlockHeight: () => clock.slot(),
    getFirstAvailableBlock: () => 0,
    getBlockTime: ([slot]) => clock.blockTime(Number(slot)),
    getEpochInfo() {
      const absoluteSlot = clock.slot();
      const slotIndex = absoluteSlot % 432_000;
      const epoch = (absoluteSlot - slotIndex) / 432_000;
      return {
        absoluteSlot,
        blockHeight: absoluteSlot,
        epoch,
        slotIndex,
        slotsInEpoch: 432_000,
        transactionCount: null,
      };
    },
    getLatestBlockhash() {
      const slot = clock.slot();
      return withContext({ blockhash: clock.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASH_VALID_SLOTS });
    },
    isBlockhashValid: ([blockhash]) => withContext(clock.isValid(toText(blockhash))),
    getFeeForMessage: () => withContext(5000),
    getRecentPrioritizationFees: () => [{ slot: clock.slot(), prioritizationFee: 0 }],
    getMinimumBalanceForRentExemption: ([size]) => svm.minimumBalanceForRentExemption(BigInt(Number(size))),
    getAccountInfo: ([pubkey, options]) => withContext(readAccount(pubkey, options)),
    getMultipleAccounts: ([pubkeys, options]) =>
      withContext((pubkeys as unknown[]).map((one) => readAccount(one, options))),
    getBalance: ([pubkey]) => withContext(svm.getBalance(toAddress(pubkey)) ?? 0n),
    getTokenAccountBalance([pubkey]) {
      const account = svm.getAccount(toAddress(pubkey));
      if (!account.exists || account.data.length !== TOKEN_ACCOUNT_BYTES) {
        throw new RpcFailure(-32602, "Invalid param: could not find account");
      }
      const { amount, mint } = parseTokenAccount(account.data);
      return withContext(uiAmount(amount, decimalsOf(svm, mint)));
    },
    getTokenSupply([mint]) {
      const parsedMint = readAccount(mint, { encoding: "jsonParsed" });
      const info = (parsedMint?.data as { parsed?: { info?: { supply?: string; decimals?: number } } })?.parsed?.info;
      if (info?.supply === undefined) throw new RpcFailure(-32602, "Invalid param: not a Token mint");
      return withContext(uiAmount(BigInt(info.supply), info.decimals ?? 0));
    },
    getTokenAccountsByOwner([owner, filter, options]) {
      const holder = toAddress(owner);
      const { mint, programId } = toConfig(filter);
      const encoding = String(toConfig(options)["encoding"] ?? "base64");
      if (programId !== undefined && programId !== TOKEN_PROGRAM) return withContext([]);
      const found = svm.getProgramAccounts(TOKEN_PROGRAM as never).flatMap((account) => {
        if (account.data.length !== TOKEN_ACCOUNT_BYTES) return [];
        const token = parseTokenAccount(Buffer.from(account.data));
        if (token.owner !== holder || (mint !== undefined && token.mint !== mint)) return [];
        return [{ pubkey: account.address, account: encodeAccount(svm, svm.getAccount(account.address), encoding) }];
      });
      return withContext(found);
    },
    simulateTransaction([encoded, options]) {
      const { sigVerify, replaceRecentBlockhash, innerInstructions } = toConfig(options);
      const result = ledger.simulate(toWire(encoded, options), {
        verifySignatures: sigVerify === true,
        replaceBlockhash: replaceRecentBlockhash === true,
      });
      return withContext({
        err: result.err,
        logs: result.logs,
        unitsConsumed: result.unitsConsumed,
        accounts: null,
        returnData: null,
        ...(innerInstructions ? { innerInstructions: result.innerInstructions } : {}),
      });
    },
    sendTransaction([encoded, options]) {
      const transaction = toWire(encoded, options);
      if (toConfig(options)["skipPreflight"] !== true) runPreflight(transaction);
      const { signature, err } = ledger.send(transaction);
      if (err === "SignatureFailure") throw new RpcFailure(-32003, "Transaction signature verification failure");
      // As on the real network, other errors appear in the status of the signature or not at all.
      return signature;
    },
    getSignatureStatuses: ([signatures]) =>
      withContext((signatures as unknown[]).map((one) => signatureStatus(toText(one)))),
    getTransaction([signature, options]) {
      const record = ledger.transaction(toText(signature));
      const encoding = typeof options === "string" ? options : String(toConfig(options)["encoding"] ?? "json");
      return record ? encodeTransaction(record, encoding) : null;
    },
    getSignaturesForAddress([pubkey, options]) {
      const { limit, before, until } = toConfig(options);
      let signatures = ledger.findSignatures(toAddress(pubkey));
      if (before !== undefined) signatures = signatures.slice(signatures.indexOf(toText(before)) + 1);
      const end = until === undefined ? -1 : signatures.indexOf(toText(until));
      if (end >= 0) signatures = signatures.slice(0, end);
      return signatures.slice(0, Number(limit ?? 1000)).flatMap((signature) => {
        const record = ledger.transaction(signature);
        if (!record) return [];
        const { slot, err, blockTime } = record;
        return [{ signature, slot, err, blockTime, memo: null, confirmationStatus: "finalized" }];
      });
    },
    requestAirdrop: ([pubkey, lamports]) => airdrop(toAddress(pubkey), BigInt(Number(lamports))),
  };
}
