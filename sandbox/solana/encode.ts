import { getBase58Decoder, getBase58Encoder } from "@solana/kit";
import type { LiteSVM } from "litesvm";
import { decodeWire } from "./ledger.ts";
import type { TransactionRecord } from "./record.ts";
import { MINT_BYTES, parseMint, parseTokenAccount, TOKEN_ACCOUNT_BYTES, TOKEN_PROGRAM, uiAmount } from "./token.ts";

/** Encodings of accounts and transactions in JSON-RPC results. */

const base58 = getBase58Decoder();
const NEVER_RENT = 2n ** 64n - 1n;
type Account = ReturnType<LiteSVM["getAccount"]>;
type ExistingAccount = Extract<Account, { exists: true }>;

/** Encodes an account, or returns null if it does not exist. */
export function encodeAccount(svm: LiteSVM, account: Account, encoding: string) {
  if (!account.exists) return null;
  return {
    lamports: BigInt(account.lamports),
    owner: account.programAddress as string,
    executable: account.executable,
    rentEpoch: NEVER_RENT,
    space: account.data.length,
    data: encodeData(svm, account, encoding),
  };
}

function encodeData(svm: LiteSVM, account: ExistingAccount, encoding: string): unknown {
  if (encoding === "jsonParsed") {
    const parsed = parseTokenProgramAccount(svm, account);
    if (parsed) return { program: "spl-token", parsed, space: account.data.length };
  }
  if (encoding === "base58") return [base58.decode(account.data), "base58"];
  return [Buffer.from(account.data).toString("base64"), "base64"];
}

function parseTokenProgramAccount(svm: LiteSVM, account: ExistingAccount): unknown {
  if ((account.programAddress as string) !== TOKEN_PROGRAM) return undefined;
  if (account.data.length === MINT_BYTES) {
    const { supply, ...mint } = parseMint(account.data);
    return { type: "mint", info: { ...mint, supply: supply.toString(), freezeAuthority: null } };
  }
  if (account.data.length !== TOKEN_ACCOUNT_BYTES) return undefined;
  const { mint, owner, amount } = parseTokenAccount(account.data);
  const tokenAmount = uiAmount(amount, decimalsOf(svm, mint));
  return { type: "account", info: { mint, owner, tokenAmount, state: "initialized", isNative: false } };
}

/** Returns the decimals of a mint, or 0 if it does not exist. */
export function decimalsOf(svm: LiteSVM, mint: string): number {
  const account = svm.getAccount(mint as never);
  return account.exists ? parseMint(account.data).decimals : 0;
}

/** Encodes a transaction as the result of `getTransaction`. */
export function encodeTransaction(record: TransactionRecord, encoding: string) {
  return {
    slot: record.slot,
    blockTime: record.blockTime,
    version: decodeWire(record.wire).message.version,
    transaction: encodeWire(record, encoding),
    meta: {
      err: record.err,
      status: record.err === null ? { Ok: null } : { Err: record.err },
      fee: record.fee,
      preBalances: record.preBalances,
      postBalances: record.postBalances,
      preTokenBalances: record.preTokenBalances,
      postTokenBalances: record.postTokenBalances,
      innerInstructions: record.innerInstructions,
      logMessages: record.logs,
      computeUnitsConsumed: record.computeUnits,
      loadedAddresses: { readonly: [], writable: [] },
      rewards: [],
    },
  };
}

function encodeWire(record: TransactionRecord, encoding: string): unknown {
  if (encoding === "base64") return [record.wire, "base64"];
  if (encoding === "base58") return [base58.decode(Buffer.from(record.wire, "base64")), "base58"];
  const { transaction, message } = decodeWire(record.wire);
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header;
  const keys = record.accountKeys;
  const instructions = message.instructions.map((instruction) => ({
    programIdIndex: instruction.programAddressIndex,
    accounts: [...(instruction.accountIndices ?? [])],
    data: base58.decode(instruction.data ?? new Uint8Array()),
    stackHeight: 1,
  }));
  const parsed = encoding === "jsonParsed";
  return {
    signatures: Object.values(transaction.signatures).map((signature) => (signature ? base58.decode(signature) : "")),
    message: {
      recentBlockhash: message.lifetimeToken,
      ...(message.version === 0 ? { addressTableLookups: [] } : {}),
      ...(parsed
        ? {
            accountKeys: keys.map((pubkey, position) => ({
              pubkey,
              signer: position < numSignerAccounts,
              writable:
                position < numSignerAccounts
                  ? position < numSignerAccounts - numReadonlySignerAccounts
                  : position < keys.length - numReadonlyNonSignerAccounts,
              source: "transaction",
            })),
            instructions: instructions.map(({ programIdIndex, accounts, data, stackHeight }) => {
              const programId = keys[programIdIndex] ?? "";
              const named = accounts.map((account) => keys[account] ?? "");
              const transfer = programId === TOKEN_PROGRAM ? parseTransferChecked(data, named) : undefined;
              if (transfer) return { program: "spl-token", programId, parsed: transfer, stackHeight };
              return { programId, accounts: named, data, stackHeight };
            }),
          }
        : {
            accountKeys: keys,
            header: {
              numRequiredSignatures: numSignerAccounts,
              numReadonlySignedAccounts: numReadonlySignerAccounts,
              numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
            },
            instructions,
          }),
    },
  };
}

function parseTransferChecked(dataBase58: string, accounts: string[]): unknown {
  const data = Buffer.from(getBase58Encoder().encode(dataBase58));
  if (data.length !== 10 || data[0] !== 12) return undefined;
  const [source, mint, destination, authority] = accounts;
  const tokenAmount = uiAmount(data.readBigUInt64LE(1), data.readUInt8(9));
  return { type: "transferChecked", info: { source, mint, destination, authority, tokenAmount } };
}
