/**
 * Reads token metadata from an untrusted contract. Calls have a low gas limit, and returned text is sanitised.
 */
import { decodeAbiParameters, type Hex, hexToString, isHex, parseAbi, toFunctionSelector } from "viem";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { KNOWN_TOKENS, type Token } from "./tokens.ts";

const READ_GAS = 300_000n;
/** Upper limit for decimals; real tokens have 18 or fewer. */
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
 * Reads a token's symbol, name and decimals. Returns null if the contract is not a token: no code, no supply, or more than 36
 * decimals.
 *
 * @throws {ChainUnavailableError}
 */
export async function readTokenMetadata(rpc: EvmRpc, address: Hex): Promise<Token | null> {
  const read = (data: Hex) => callUntrusted(rpc, address, data);
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
    symbol: rejectKnownSymbol(cleanText(symbol, MAX_SYMBOL_LENGTH)) ?? short,
    name: cleanText(name, MAX_NAME_LENGTH) ?? short,
    address,
    decimals: Number(places),
    isNative: false,
  };
}

/**
 * Returns the call result, or null if the contract reverts.
 * @param blockNumber default: the latest block
 * @throws {ChainUnavailableError} when the node does not respond, or has pruned the block's state
 */
export async function callUntrusted(rpc: EvmRpc, to: Hex, data: Hex, blockNumber?: bigint): Promise<Hex | null> {
  return await rpc.request(async (client) => {
    try {
      // viem does not batch a call that has a gas limit, so a failure does not affect other reads.
      return (
        (await client.call({ to, data, gas: READ_GAS, ...(blockNumber === undefined ? {} : { blockNumber }) })).data ??
        null
      );
    } catch (error) {
      if ((error as { name?: string }).name === "CallExecutionError" && isContractFailure(error)) return null;
      throw error;
    }
  });
}

const CONTRACT_FAILURE = /revert|out of gas|opcode|stack|invalid|EVM error|halt/i;

function isContractFailure(error: unknown): boolean {
  const { cause } = error as { cause?: { name?: string; details?: string; shortMessage?: string } };
  return CONTRACT_FAILURE.test(`${cause?.name} ${cause?.details} ${cause?.shortMessage}`);
}

/** Decodes `string`, or `bytes32`, which early tokens return. Removes invisible and bidirectional control characters. */
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

/** Returns null if a known token has the symbol. Impersonating contracts are then displayed by address. */
function rejectKnownSymbol(symbol: string | null): string | null {
  const isKnown = KNOWN_TOKENS.some((known) => known.symbol.toLowerCase() === symbol?.toLowerCase());
  return isKnown ? null : symbol;
}
