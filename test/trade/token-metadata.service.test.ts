/** Metadata of hostile token contracts. */
import { encodeAbiParameters, type Hex, numberToHex, padHex, stringToHex } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findToken, UnsupportedTokenError } from "../../src/trade/find-token.ts";
import { createChains } from "../../src/wallet/chains.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { callRpc } from "../support/usdc.ts";

let sandbox: TestSandbox;
let rpcUrl: string;
let deployed = 0;

beforeAll(async () => {
  sandbox = await openSandbox(["base"]);
  rpcUrl = sandbox.networks.base?.rpcUrl ?? "";
});
afterAll(() => sandbox?.stop());

const SELECTORS = { symbol: "95d89b41", name: "06fdde03", decimals: "313ce567", totalSupply: "18160ddd" } as const;
type CallResults = Partial<Record<keyof typeof SELECTORS, Hex>>;

const text = (value: string) => encodeAbiParameters([{ type: "string" }], [value]);
const number = (value: bigint) => numberToHex(value, { size: 32 });
const GOOD: CallResults = { symbol: text("GOOD"), name: text("Good"), decimals: number(8n), totalSupply: number(1n) };

/** Returns EVM code that returns fixed bytes for each selector and reverts for any other. */
function contract(results: CallResults): Hex {
  const bytes = (value: number, size = 2) => value.toString(16).padStart(size * 2, "0");
  const entries = Object.entries(results).map(([name, data]) => ({
    selector: SELECTORS[name as keyof typeof SELECTORS],
    data: data.slice(2),
  }));
  // PUSH0 CALLDATALOAD PUSH1 224 SHR, then for each selector DUP1 PUSH4 selector EQ PUSH2 target JUMPI, then PUSH0 PUSH0 REVERT.
  const headLength = 5 + entries.length * 11 + 3;
  const blockLength = 1 + 3 + 3 + 1 + 1 + 3 + 1 + 1;
  let dataAt = headLength + entries.length * blockLength;
  let head = "5f3560e01c";
  let blocks = "";
  let data = "";
  entries.forEach((entry, n) => {
    const length = entry.data.length / 2;
    head += `8063${entry.selector}1461${bytes(headLength + n * blockLength)}57`;
    // JUMPDEST, CODECOPY(0, dataAt, length), RETURN(0, length)
    blocks += `5b61${bytes(length)}61${bytes(dataAt)}5f3961${bytes(length)}5ff3`;
    dataAt += length;
    data += entry.data;
  });
  return `0x${head}5f5ffd${blocks}${data}`;
}

async function find(code: Hex) {
  deployed += 1;
  const address = padHex(numberToHex(0xbad0000 + deployed), { size: 20 });
  await callRpc(rpcUrl, "anvil_setCode", [address, code]);
  return await findToken({ chains: createChains({ rpcUrls: { base: rpcUrl } }) }, address, "buyToken");
}

it.each<[string, CallResults, object]>([
  ["strings", {}, { symbol: "GOOD", name: "Good", decimals: 8 }],
  [
    "bytes32",
    { symbol: stringToHex("OLD", { size: 32 }), name: stringToHex("Old", { size: 32 }) },
    { symbol: "OLD", name: "Old" },
  ],
  ["zero decimals", { decimals: number(0n) }, { decimals: 0 }],
  [
    "control characters",
    { symbol: text("G\u0000O\u001b[2JOD\u202e\u200b\n"), name: text(" a\r\n b ") },
    { symbol: "GO[2JOD", name: "a b" },
  ],
  [
    "long names",
    { symbol: text("S".repeat(4_000)), name: text("N".repeat(4_000)) },
    { symbol: "S".repeat(16), name: "N".repeat(64) },
  ],
  ["empty texts", { symbol: text(""), name: "0x" }, { symbol: expect.stringMatching(/^0x.{4}….{4}$/) }],
  [
    "bytes that are not text",
    { symbol: "0xffff", name: `0x${"ff".repeat(32)}` },
    { symbol: expect.stringMatching(/^0x.{4}…/) },
  ],
  [
    "a string with an invalid length",
    { symbol: `0x${"20".padStart(64, "0")}${"f".repeat(64)}` },
    { symbol: expect.stringMatching(/^0x/) },
  ],
  ["another token's symbol", { symbol: text("usdc") }, { symbol: expect.stringMatching(/^0x/), name: "Good" }],
])("reads %s", async (_case, results, expected) => {
  expect(await find(contract({ ...GOOD, ...results }))).toMatchObject(expected);
});

it.each<[string, Hex]>([
  ["a contract that reverts", "0x5f5ffd"],
  ["a contract that returns nothing", "0x00"],
  ["a contract that never ends", "0x5b5f56"],
  ["an invalid instruction", "0xfe"],
  ["no code", "0x"],
  ["huge decimals", contract({ ...GOOD, decimals: number(2n ** 256n - 1n) })],
  ["too many decimals", contract({ ...GOOD, decimals: number(37n) })],
  ["decimals of one byte", contract({ ...GOOD, decimals: "0x12" })],
  ["no supply", contract({ symbol: text("X"), name: text("X"), decimals: number(8n) })],
])("rejects %s", async (_case, code) => {
  await expect(find(code)).rejects.toThrow(UnsupportedTokenError);
});

it("reads a token that reverts only for its name", async () => {
  const { name: _name, ...results } = GOOD;
  expect(await find(contract(results as CallResults))).toMatchObject({
    symbol: "GOOD",
    name: expect.stringMatching(/^0x/),
  });
});
