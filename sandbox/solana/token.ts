import { type Address, address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";
import type { UiTokenAmount } from "./record.ts";

/** Accounts of the SPL token program. Layouts: solana-program/token state.rs. */
export const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
export const ASSOCIATED_TOKEN_PROGRAM = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
const USDC_DECIMALS = 6;
export const MINT_BYTES = 82;
export const TOKEN_ACCOUNT_BYTES = 165;

const encoder = getAddressEncoder();
const decoder = getAddressDecoder();

/** Returns the data of an initialised mint without a freeze authority. */
export function mintData(authority: Address): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeUInt32LE(1, 0);
  data.set(encoder.encode(authority), 4);
  data.writeUInt8(USDC_DECIMALS, 44);
  data.writeUInt8(1, 45);
  return data;
}

export function parseMint(data: Uint8Array) {
  const view = Buffer.from(data);
  return {
    mintAuthority: view.readUInt32LE(0) === 1 ? decoder.decode(view.subarray(4, 36)) : null,
    supply: view.readBigUInt64LE(36),
    decimals: view.readUInt8(44),
    isInitialized: view.readUInt8(45) === 1,
  };
}

export function parseTokenAccount(data: Uint8Array): { mint: Address; owner: Address; amount: bigint } {
  const view = Buffer.from(data);
  return {
    mint: decoder.decode(view.subarray(0, 32)),
    owner: decoder.decode(view.subarray(32, 64)),
    amount: view.readBigUInt64LE(64),
  };
}

/** Converts an atomic amount to the format of JSON-RPC. */
export function uiAmount(amountAtomic: bigint, decimals: number): UiTokenAmount {
  const digits = amountAtomic.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const text = fraction ? `${whole}.${fraction}` : whole;
  return { amount: amountAtomic.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}

/** Returns the associated token account of `owner` for `mint`. */
export async function associatedTokenAccount(owner: Address, mint: Address): Promise<Address> {
  const seeds = [owner, TOKEN_PROGRAM, mint].map((seed) => encoder.encode(seed));
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds }))[0];
}
