import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from "@solana/kit";
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import type { SolanaClock } from "./clock.ts";
import { isRecordedOnChain, type RpcTransactionError, toRpcError } from "./errors.ts";
import type { Journal } from "./journal.ts";
import type { InnerInstructions, TokenBalance, TransactionRecord } from "./record.ts";
import { parseMint, parseTokenAccount, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM, uiAmount } from "./token.ts";

/** A Solana VM with the transaction history of a validator. All calls are synchronous. */
export interface Ledger {
  svm: LiteSVM;
  clock: SolanaClock;
  /** Executes a signed transaction (wire bytes in base64). A transaction that reaches no block is not recorded. */
  send(wire: string): { signature: string; err: RpcTransactionError | null; logs: string[] };
  /** Executes a transaction without changing state. */
  simulate(wire: string, options: SimulateOptions): Simulation;
  transaction(signature: string): TransactionRecord | undefined;
  /** Returns the signatures of transactions with this account, newest first. */
  findSignatures(account: string): readonly string[];
  close(): void;
}

interface SimulateOptions {
  verifySignatures: boolean;
  replaceBlockhash: boolean;
}

interface Simulation {
  err: RpcTransactionError | null;
  logs: string[];
  unitsConsumed: number;
  innerInstructions: InnerInstructions[];
}

/** Decodes a wire transaction. @throws {Error} when it is malformed. */
export function decodeWire(wire: string): {
  transaction: Transaction;
  message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
} {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire));
  return { transaction, message: getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) };
}

const base58 = getBase58Decoder();
const FEE_LAMPORTS_PER_SIGNATURE = 5000;
const ENTRIES_PER_SNAPSHOT = 500;

/** Restores the chain from `journal`. `prepare` creates the genesis state if there is no snapshot. */
export function openLedger(clock: SolanaClock, journal: Journal, prepare: (svm: LiteSVM) => void): Ledger {
  // The VM knows only one blockhash. `send` and `simulate` check the window of recent ones against the clock.
  const restored = journal.snapshot ? LiteSVM.fromBytes(journal.snapshot.state) : new LiteSVM();
  const svm = restored.withBlockhashCheck(false).withSigverify(true).withTransactionHistory(0n);
  if (!journal.snapshot) prepare(svm);
  const records = new Map<string, TransactionRecord>();
  const byAccount = new Map<string, string[]>();

  function index(record: TransactionRecord): void {
    records.set(record.signature, record);
    for (const key of record.accountKeys) {
      const signatures = byAccount.get(key);
      if (signatures) signatures.unshift(record.signature);
      else byAccount.set(key, [record.signature]);
    }
  }

  function setTime(slot: number): void {
    const time = BigInt(clock.blockTime(slot));
    svm.setClock(new Clock(BigInt(slot), time, BigInt(slot) / 432_000n, BigInt(slot) / 432_000n, time));
  }

  for (const [position, record] of journal.entries.entries()) {
    if (position >= (journal.snapshot?.entries ?? 0)) {
      setTime(record.slot);
      svm.sendTransaction(decodeWire(record.wire).transaction);
    }
    index(record);
  }

  const readBalances = (keys: readonly Address[]) => keys.map((key) => Number(svm.getBalance(key) ?? 0n));
  function readTokenBalances(keys: readonly Address[]): TokenBalance[] {
    return keys.flatMap((key, accountIndex) => {
      const account = svm.getAccount(key);
      if (!account.exists || account.programAddress !== TOKEN_PROGRAM || account.data.length !== TOKEN_ACCOUNT_BYTES) {
        return [];
      }
      const { mint, owner, amount } = parseTokenAccount(account.data);
      const mintAccount = svm.getAccount(mint);
      const decimals = mintAccount.exists ? parseMint(mintAccount.data).decimals : 0;
      return [{ accountIndex, mint, owner, programId: TOKEN_PROGRAM, uiTokenAmount: uiAmount(amount, decimals) }];
    });
  }

  return {
    svm,
    clock,
    send(wire) {
      const { transaction, message } = decodeWire(wire);
      const firstSignature = Object.values(transaction.signatures)[0];
      if (!firstSignature) return { signature: "", err: "SignatureFailure", logs: [] };
      const signature = base58.decode(firstSignature);
      if (records.has(signature)) return { signature, err: "AlreadyProcessed", logs: [] };
      if (!clock.isValid(message.lifetimeToken)) return { signature, err: "BlockhashNotFound", logs: [] };

      const slot = clock.slot();
      setTime(slot);
      const accountKeys = [...message.staticAccounts];
      const preBalances = readBalances(accountKeys);
      const preTokenBalances = readTokenBalances(accountKeys);
      let result: TransactionMetadata | FailedTransactionMetadata;
      try {
        result = svm.sendTransaction(transaction);
      } catch {
        return { signature, err: "SignatureFailure", logs: [] }; // A signature is missing.
      }
      const err = result instanceof FailedTransactionMetadata ? toRpcError(result) : null;
      const meta = result instanceof FailedTransactionMetadata ? result.meta() : result;
      if (err && !isRecordedOnChain(err)) return { signature, err, logs: meta.logs() };

      const record: TransactionRecord = {
        signature,
        slot,
        blockTime: clock.blockTime(slot),
        err,
        wire,
        accountKeys,
        logs: meta.logs(),
        computeUnits: Number(meta.computeUnitsConsumed()),
        fee: FEE_LAMPORTS_PER_SIGNATURE * message.header.numSignerAccounts,
        preBalances,
        postBalances: readBalances(accountKeys),
        preTokenBalances,
        postTokenBalances: readTokenBalances(accountKeys),
        innerInstructions: encodeInnerInstructions(meta),
      };
      journal.append(record);
      index(record);
      if (journal.pending() >= ENTRIES_PER_SNAPSHOT) journal.writeSnapshot(svm.toBytes());
      return { signature, err, logs: record.logs };
    },
    simulate(wire, { verifySignatures, replaceBlockhash }) {
      const { transaction, message } = decodeWire(wire);
      const noResult = { logs: [], unitsConsumed: 0, innerInstructions: [] };
      if (!replaceBlockhash && !clock.isValid(message.lifetimeToken)) return { err: "BlockhashNotFound", ...noResult };
      setTime(clock.slot());
      svm.withSigverify(verifySignatures);
      try {
        const result = svm.simulateTransaction(transaction);
        const failed = result instanceof FailedTransactionMetadata;
        const meta = result.meta();
        return {
          err: failed ? toRpcError(result) : null,
          logs: meta.logs(),
          unitsConsumed: Number(meta.computeUnitsConsumed()),
          innerInstructions: encodeInnerInstructions(meta),
        };
      } catch {
        return { err: "SignatureFailure", ...noResult };
      } finally {
        svm.withSigverify(true);
      }
    },
    transaction: (signature) => records.get(signature),
    findSignatures: (account) => byAccount.get(account) ?? [],
    close() {
      if (journal.pending() > 0) journal.writeSnapshot(svm.toBytes());
    },
  };
}

function encodeInnerInstructions(meta: TransactionMetadata): InnerInstructions[] {
  return meta.innerInstructions().flatMap((inner, index) => {
    if (inner.length === 0) return [];
    const instructions = inner.map((one) => ({
      programIdIndex: one.instruction().programIdIndex(),
      accounts: [...one.instruction().accounts()],
      data: base58.decode(one.instruction().data()),
      stackHeight: one.stackHeight(),
    }));
    return [{ index, instructions }];
  });
}
