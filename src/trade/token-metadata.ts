/**
 * What a contract says of itself as a token. Nobody vouches for it: it is asked with little gas, and nothing it answers is
 * believed further than it is harmless.
 */
import { decodeAbiParameters, type Hex, hexToString, isHex, parseAbi, toFunctionSelector } from "viem";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { KNOWN_TOKENS, type Token } from "./tokens.ts";

const READ_GAS = 300_000n;
/** Prices and amounts of more decimals mean nothing; real tokens have 18 or fewer. */
const MAX_DECIMALS = 36;
const MAX_SYMBOL_LENGTH = 16;
const MAX_NAME_LENGTH = 64;
const ENCODED_WORD_CHARACTERS = 2 + 64;

const SELECTORS = Object.fromEntries(
  ["symbol", "name", "decimals", "totalSupply"].map((name) => [
    name,
    toFunctionSelector(parseAbi([`function ${name}() view`] as unknown as ["function name() view"])[0]),
  ]),
) as Record<"symbol" | "name" | "decimals" | "totalSupply", Hex>;

/**
 * Reads a token's symbol, name and decimals. Null when the contract is none: no code, no supply, or decimals that no amount can
 * be written with.
 * @throws {ChainUnavailableError}
 */
export async function readTokenMetadata(rpc: EvmRpc, address: Hex): Promise<Token | null> {
  const read = (data: Hex) => readCarefully(rpc, address, data);
  const [symbol, name, decimals, supply] = await Promise.all([
    read(SELECTORS.symbol),
    read(SELECTORS.name),
    read(SELECTORS.decimals),
    read(SELECTORS.totalSupply),
  ]);
  const places = decimals?.length === ENCODED_WORD_CHARACTERS ? BigInt(decimals) : null;
  if (places === null || places > BigInt(MAX_DECIMALS) || supply?.length !== ENCODED_WORD_CHARACTERS) return null;
  const short = `${address.slice(0, 6)}…${address.slice(-4)}`;
  return {
    symbol: honestSymbol(cleanText(symbol, MAX_SYMBOL_LENGTH)) ?? short,
    name: cleanText(name, MAX_NAME_LENGTH) ?? short,
    address,
    decimals: Number(places),
    isNative: false,
  };
}

/** The answer, or null when the contract reverts. Only a node that does not answer is an error. */
async function readCarefully(rpc: EvmRpc, to: Hex, data: Hex): Promise<Hex | null> {
  return await rpc.ask(async (client) => {
    try {
      // With a gas limit of its own the call travels alone: what it does spoils no other reading.
      return (await client.call({ to, data, gas: READ_GAS })).data ?? null;
    } catch (error) {
      if ((error as { name?: string }).name === "CallExecutionError" && isContractsFault(error)) return null;
      throw error;
    }
  });
}

const CONTRACTS_FAULTS = /revert|out of gas|opcode|stack|invalid|EVM error|halt/i;

function isContractsFault(error: unknown): boolean {
  const { cause } = error as { cause?: { name?: string; details?: string; shortMessage?: string } };
  return CONTRACTS_FAULTS.test(`${cause?.name} ${cause?.details} ${cause?.shortMessage}`);
}

/** A string, or in the oldest tokens a bytes32; without what cannot be seen or turns text around. */
function cleanText(data: Hex | null, maxLength: number): string | null {
  const text = data === null ? null : (decodeString(data) ?? decodeBytes32(data));
  if (text === null) return null;
  const visible = text
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const cut = [...visible].slice(0, maxLength).join("");
  return cut === "" ? null : cut;
}

function decodeString(data: Hex): string | null {
  try {
    return decodeAbiParameters([{ type: "string" }], data)[0];
  } catch {
    return null;
  }
}

function decodeBytes32(data: Hex): string | null {
  if (!isHex(data) || data.length !== ENCODED_WORD_CHARACTERS) return null;
  return hexToString(data).replace(/\0+$/, "");
}

/** A stranger that calls itself by a known token's symbol is shown by its address. */
function honestSymbol(symbol: string | null): string | null {
  const isTaken = KNOWN_TOKENS.some((known) => known.symbol.toLowerCase() === symbol?.toLowerCase());
  return isTaken ? null : symbol;
}
