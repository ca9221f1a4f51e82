import { describe, expect, it } from "vitest";
import type { ParsedEntry } from "../../../src/payments/x402/requirement.ts";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { bodyV1, entryV1, entryV2, FACILITATOR, FEE_PAYER, PAYEE, solanaEntry } from "./fixtures.ts";

const parse = (body: unknown) => parsePaymentRequired({ body });
/** Parses an entry together with a valid one, so an invalid entry is refused rather than the whole document. */
const one = (entry: unknown): ParsedEntry => parse([entry, entryV1()]).entries[0] as ParsedEntry;
const requirementOf = (entry: unknown) => {
  const parsed = one(entry);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.requirement;
};

describe("an entry", () => {
  it("that cannot be parsed does not affect the others", () => {
    const body = bodyV1(null, entryV1({ scheme: "stream", anything: 1 }), entryV1({ payTo: 7 }), entryV1());
    expect(parse(body).entries.map((it) => (it.ok ? "ok" : it.reason))).toEqual([
      "malformed",
      "unsupported_scheme",
      "malformed",
      "ok",
    ]);
  });

  it.each([
    ["scheme", undefined, "is missing"],
    ["scheme", "", "must not be empty"],
    ["network", 5, "must be a string"],
    ["payTo", undefined, "is missing"],
    ["maxTimeoutSeconds", undefined, "is missing"],
    ["maxTimeoutSeconds", "60", "must be a positive number of seconds"],
  ])("reports its member %s with the value %j: %s", (member, value, problem) => {
    expect(one(entryV1({ [member]: value }))).toMatchObject({
      message: expect.stringContaining(`.${member} ${problem}.`),
    });
  });

  it("accepts EVM addresses in any letter case and normalises them to the checksummed form", () => {
    const changes = {
      payTo: PAYEE.toLowerCase(),
      asset: `0x${NETWORKS["base-sepolia"].usdc.address.slice(2).toUpperCase()}`,
    };
    expect(requirementOf(entryV1(changes))).toMatchObject({
      payTo: PAYEE,
      asset: NETWORKS["base-sepolia"].usdc.address,
    });
  });

  it.each([
    ["another token", { asset: PAYEE }, "unknown_asset"],
    ["USDC of another network", { asset: NETWORKS.base.usdc.address }, "unknown_asset"],
    ["another network", { network: "polygon" }, "unsupported_network"],
    ["another EIP-712 name", { extra: { name: "USD Coin", version: "2" } }, "domain_mismatch"],
    ["another EIP-712 version", { extra: { name: "USDC", version: "1" } }, "domain_mismatch"],
    ["a name of another type", { extra: { name: 1 } }, "domain_mismatch"],
    ["the zero address as payee", { payTo: `0x${"0".repeat(40)}` }, "malformed"],
    ["a Solana payee on an EVM chain", { payTo: FEE_PAYER }, "malformed"],
    ["19 digits", { maxAmountRequired: "1000000000000000000" }, "malformed"],
    ["a negative amount", { maxAmountRequired: -1 }, "malformed"],
    ["a fraction", { maxAmountRequired: 0.5 }, "malformed"],
    ["two amounts that differ", { amount: "9999" }, "malformed"],
    ["an unknown transfer method", { extra: { assetTransferMethod: "teleport" } }, "unsupported_transfer_method"],
    ["Permit2 in version 1", { extra: { assetTransferMethod: "permit2" } }, "unsupported_transfer_method"],
    ["an upto cap of zero", { scheme: "upto", maxAmountRequired: "0" }, "malformed"],
  ])("with %s is refused with a reason", (_name, changes, reason) => {
    expect(one(entryV1(changes))).toMatchObject({ ok: false, reason });
  });

  it.each([
    ["base", "USD Coin"],
    ["base-sepolia", "USDC"],
    ["avalanche", "USD Coin"],
  ] as const)("on %s has the EIP-712 name %s", (name, domainName) => {
    const network = NETWORKS[name];
    const changes = { network: name, asset: network.usdc.address, extra: { name: domainName, version: "2" } };
    expect(one(entryV1(changes)).ok).toBe(true);
    expect(one(entryV2({ ...changes, network: network.caip2[0] })).ok).toBe(true);
    expect(one(entryV1({ ...changes, extra: { name: "Other" } }))).toMatchObject({ reason: "domain_mismatch" });
  });

  it.each([
    ["solana-devnet", "solana-devnet"],
    ["solana:devnet", "solana-devnet"],
    ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solana-devnet"],
    ["solana:mainnet", "solana"],
    ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana"],
  ] as const)("accepts %s as a name of Solana", (wireName, name) => {
    const asset = NETWORKS[name].usdc.address;
    expect(requirementOf(solanaEntry({ network: wireName, asset })).network.name).toBe(name);
  });

  it("accepts an integer amount, and zero for `exact`", () => {
    expect(requirementOf(entryV1({ maxAmountRequired: 250_000 })).amountAtomic).toBe(250_000n);
    expect(requirementOf(entryV1({ maxAmountRequired: "0" })).amountAtomic).toBe(0n);
    expect(requirementOf(entryV1({ maxAmountRequired: "9".repeat(18) })).amountAtomic).toBe(10n ** 18n - 1n);
  });

  it.each([
    ["version 1", entryV1({ scheme: "upto" }), "permit", null],
    [
      "version 1 with its facilitator",
      entryV1({ scheme: "upto", extra: { facilitatorAddress: FACILITATOR } }),
      "permit",
      FACILITATOR,
    ],
    [
      "version 2 with a facilitator",
      entryV2({ scheme: "upto", extra: { facilitatorAddress: FACILITATOR.toLowerCase() } }),
      "permit2",
      FACILITATOR,
    ],
    ["version 2 without a facilitator", entryV2({ scheme: "upto", extra: {} }), "permit", null],
    [
      "version 2 with EIP-2612",
      entryV2({ scheme: "upto", extra: { assetTransferMethod: "eip2612", facilitatorAddress: FACILITATOR } }),
      "permit",
      FACILITATOR,
    ],
  ])("of upto in %s uses the transfer method the seller supports", (_name, entry, method, facilitator) => {
    expect(requirementOf(entry)).toMatchObject({ method, facilitator });
  });

  it("on Solana may require a memo of at most 256 bytes", () => {
    const withMemo = (memo: unknown) => one(solanaEntry({ extra: { feePayer: FEE_PAYER, memo } }));
    expect(withMemo("order 7")).toMatchObject({ requirement: { memo: "order 7", feePayer: FEE_PAYER } });
    expect(withMemo("")).toMatchObject({ requirement: { memo: null } });
    expect(withMemo("é".repeat(129))).toMatchObject({
      reason: "malformed",
      field: "paymentRequirements[0].extra.memo",
    });
    expect(withMemo({})).toMatchObject({ reason: "malformed" });
  });

  it("on Solana may not name the mint as fee payer, since the mint is part of the transfer", () => {
    const extra = { feePayer: NETWORKS["solana-devnet"].usdc.address };
    expect(one(solanaEntry({ extra }))).toMatchObject({ field: "paymentRequirements[0].extra.feePayer" });
  });

  it("of version 2 is refused if a payment that repeats it does not fit a header, with the size and the limit", () => {
    expect(one(entryV2({ filler: "x".repeat(6_000) })).ok).toBe(true);
    expect(one(entryV2({ filler: "x".repeat(9_000) }))).toMatchObject({
      reason: "too_large",
      message: expect.stringMatching(/ 1[34]\d{3} characters\. At most 12288 /),
    });
    expect(one(entryV1({ outputSchema: "x".repeat(50_000), extra: { filler: "x".repeat(50_000) } })).ok).toBe(true);
  });

  it.each([
    ["no extra", undefined, "extra.name and extra.version are missing."],
    ["no name", { version: "2" }, "extra.name is missing."],
    ["no version", { name: "USDC" }, "extra.version is missing."],
  ])("of version 2 with %s is refused, because its facilitator refuses the payment", (_name, extra, message) => {
    expect(one(entryV2({ extra }))).toMatchObject({
      reason: "domain_mismatch",
      message: expect.stringContaining(message),
    });
    expect(one(entryV1({ extra })).ok).toBe(true);
    expect(one(entryV2({ extra: { ...extra, assetTransferMethod: "permit2" } })).ok).toBe(true);
  });

  it("of version 2 must allow the six seconds that facilitators require", () => {
    expect(one(entryV2({ maxTimeoutSeconds: 5.9 }))).toMatchObject({
      reason: "malformed",
      field: "paymentRequirements[0].maxTimeoutSeconds",
    });
    expect(one(entryV2({ maxTimeoutSeconds: 6 })).ok).toBe(true);
    expect(requirementOf(entryV2({ maxTimeoutSeconds: 1e300 })).maxTimeoutSeconds).toBe(2 ** 31 - 1);
  });

  it("of upto by Permit2 must name the facilitator", () => {
    expect(one(entryV2({ scheme: "upto", extra: { assetTransferMethod: "permit2" } }))).toMatchObject({
      field: "paymentRequirements[0].extra.facilitatorAddress",
    });
  });

  it("on Solana has no upto", () => {
    expect(one(solanaEntry({ scheme: "upto" }))).toMatchObject({ reason: "unsupported_transfer_method" });
  });
});
