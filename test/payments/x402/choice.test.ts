import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChoicePolicy,
  chooseRequirement,
  MaxValueExceededError,
  NoAcceptableRequirementError,
} from "../../../src/payments/x402/choice.ts";
import { parsePaymentRequired } from "../../../src/payments/x402/requirements.ts";
import { NETWORK_NAMES, NETWORKS, type NetworkName } from "../../../src/wallet/networks.ts";
import { ANY_NETWORK, bodyV1, entryV1, entryV2, FACILITATOR, PAYEE, SOLANA_PAYEE, solanaEntry } from "./fixtures.ts";

const choose = (accepts: unknown[], policy: ChoicePolicy = ANY_NETWORK) =>
  chooseRequirement(parsePaymentRequired({ body: bodyV1(...accepts) }), policy);

function refusal(accepts: unknown[], policy: ChoicePolicy): NoAcceptableRequirementError {
  try {
    choose(accepts, policy);
  } catch (error) {
    if (error instanceof NoAcceptableRequirementError) return error;
  }
  throw new Error("The offers were not refused.");
}

describe("chooseRequirement", () => {
  it("chooses the cheapest and gives a reason for each other offer", () => {
    const accepts = [
      entryV1({ maxAmountRequired: "300" }),
      entryV1({ scheme: "upto", maxAmountRequired: "100" }),
      solanaEntry({ maxAmountRequired: "100" }),
      solanaEntry({ maxAmountRequired: "100" }),
      entryV1({ asset: PAYEE }),
      entryV1({ network: "base", asset: NETWORKS.base.usdc.address, extra: {}, maxAmountRequired: "1" }),
    ];
    const { chosen, considered } = choose(accepts, {
      networks: ["base-sepolia", "solana-devnet"],
      uptoSpenders: [FACILITATOR],
    });
    // A tie goes to exact, then to the earlier entry.
    expect(chosen.index).toBe(2);
    expect(considered.map((it) => it.reason)).toEqual([
      "costlier",
      "not_preferred",
      null,
      "not_preferred",
      "unknown_asset",
      "network_not_allowed",
    ]);
    expect(considered.map((it) => it.chosen)).toEqual([false, false, true, false, false, false]);
  });

  it("chooses upto only if it is strictly cheaper", () => {
    const accepts = [entryV1({ maxAmountRequired: "101" }), entryV1({ scheme: "upto", maxAmountRequired: "100" })];
    expect(choose(accepts).chosen).toMatchObject({ index: 1, scheme: "upto", facilitator: FACILITATOR });
  });

  it("enforces allowed payees of both kinds, in any letter case", () => {
    const otherPayee = entryV1({ maxAmountRequired: "1", payTo: FACILITATOR });
    const evm = { ...ANY_NETWORK, allowedPayees: [PAYEE.toLowerCase()] };
    expect(choose([otherPayee, entryV1()], evm).chosen.index).toBe(1);
    expect(choose([otherPayee, solanaEntry()], { ...ANY_NETWORK, allowedPayees: [SOLANA_PAYEE] }).chosen.index).toBe(1);
    expect(refusal([otherPayee], evm).considered[0]?.reason).toBe("payee_not_allowed");
  });

  it("signs no permit under a limit on payees, even for an allowed payee", () => {
    const permit = entryV1({ scheme: "upto", maxAmountRequired: "1" });
    const narrow = { ...ANY_NETWORK, allowedPayees: [PAYEE] };
    expect(choose([permit]).chosen.method).toBe("permit");
    expect(() => choose([permit], narrow)).toThrow(
      expect.objectContaining({ considered: [expect.objectContaining({ reason: "payee_not_allowed" })] }),
    );
    expect(choose([permit, entryV1()], narrow).chosen.index).toBe(1);
  });

  it("signs no permit for a spender that is not pinned", () => {
    const named = entryV1({ scheme: "upto", extra: { facilitatorAddress: PAYEE } });
    const unnamed = entryV1({ scheme: "upto" });
    const pins = (...uptoSpenders: string[]) => ({ networks: NETWORK_NAMES, uptoSpenders });
    expect(refusal([named], pins(FACILITATOR)).considered[0]?.reason).toBe("spender_not_pinned");
    expect(refusal([named, unnamed], pins()).considered.map((it) => it.reason)).toEqual([
      "spender_not_pinned",
      "spender_not_pinned",
    ]);
    // With several pins an entry without a spender is ambiguous.
    expect(refusal([unnamed], pins(FACILITATOR, PAYEE)).considered[0]?.reason).toBe("spender_not_pinned");
    expect(choose([named], pins(FACILITATOR, PAYEE.toLowerCase())).chosen.facilitator).toBe(PAYEE);
    expect(choose([unnamed], pins(FACILITATOR)).chosen.facilitator).toBe(FACILITATOR);
  });

  it("requires no pin for Permit2, whose witness fixes the recipient", () => {
    const entry = entryV2({ scheme: "upto", extra: { facilitatorAddress: PAYEE } });
    const required = parsePaymentRequired({ body: { x402Version: 2, accepts: [entry] } });
    expect(chooseRequirement(required, { networks: NETWORK_NAMES }).chosen.method).toBe("permit2");
  });

  it("reports maxValue separately from other reasons", () => {
    const accepts = [
      entryV1({ maxAmountRequired: "500" }),
      entryV1({ maxAmountRequired: "300" }),
      entryV1({ maxAmountRequired: "1", asset: PAYEE }),
    ];
    expect(() => choose(accepts, { ...ANY_NETWORK, maxValueAtomic: 299n })).toThrow(
      expect.objectContaining({ code: "max_value_exceeded", limitAtomic: 299n, requiredAtomic: 300n, accepts }),
    );
    expect(choose(accepts, { ...ANY_NETWORK, maxValueAtomic: 300n }).chosen.index).toBe(1);
    expect(() => choose(accepts, { ...ANY_NETWORK, maxValueAtomic: 0n })).toThrow(MaxValueExceededError);
    expect(refusal(accepts, { networks: ["base"], maxValueAtomic: 1n })).toMatchObject({
      code: "no_acceptable_requirement",
      accepts,
    });
  });

  it("reports a domain mismatch with its own reason", () => {
    const error = refusal([entryV1({ extra: { name: "USD Coin" } })], ANY_NETWORK);
    expect(error.considered[0]).toMatchObject({ reason: "domain_mismatch" });
    expect(error.message).toContain('"USDC"');
  });
});

describe("property: any offers", () => {
  const amount = fc.integer({ min: 0, max: 20 }).map(String);
  const network = fc.constantFrom<NetworkName>("base", "base-sepolia", "avalanche");
  const evm = fc
    .record({
      amount,
      network,
      scheme: fc.constantFrom("exact", "upto", "other"),
      payTo: fc.constantFrom(PAYEE, FACILITATOR),
      spender: fc.constantFrom(undefined, PAYEE, FACILITATOR),
      asset: fc.boolean(),
    })
    .map((it) =>
      entryV1({
        scheme: it.scheme,
        network: it.network,
        maxAmountRequired: it.amount,
        payTo: it.payTo,
        asset: it.asset ? (NETWORKS[it.network] as { usdc: { address: string } }).usdc.address : PAYEE,
        extra: { facilitatorAddress: it.spender },
      }),
    );
  const offers = fc.array(
    fc.oneof(
      evm,
      amount.map((maxAmountRequired) => solanaEntry({ maxAmountRequired })),
      fc.jsonValue(),
    ),
    { minLength: 1, maxLength: 8 },
  );
  const policy = fc.record({
    networks: fc.subarray(NETWORK_NAMES),
    maxValueAtomic: fc.option(fc.bigInt({ min: 0n, max: 20n })),
    allowedPayees: fc.subarray([PAYEE, SOLANA_PAYEE]),
    uptoSpenders: fc.subarray([PAYEE, FACILITATOR]),
  });

  it("the choice is the best offer within the policy, and a refusal means that there is none", () => {
    fc.assert(
      fc.property(offers, policy, (accepts, rules) => {
        const required = parsePaymentRequired({ body: [...accepts, entryV1({ scheme: "stream" })] });
        const allowed = required.entries
          .flatMap((it) => (it.ok ? it.requirement : []))
          .filter((it) => rules.networks.includes(it.network.name))
          .filter(
            (it) =>
              rules.allowedPayees.length === 0 || (rules.allowedPayees.includes(it.payTo) && it.method !== "permit"),
          )
          .filter(
            (it) =>
              it.method !== "permit" ||
              (it.facilitator ? rules.uptoSpenders.includes(it.facilitator) : rules.uptoSpenders.length === 1),
          );
        const cheapest = allowed
          .map((it) => it.amountAtomic)
          .reduce((a, b) => (a === null || b < a ? b : a), null as bigint | null);
        let outcome: string;
        try {
          const { chosen, considered } = chooseRequirement(required, rules);
          outcome = "chosen";
          expect(allowed.map((it) => it.index)).toContain(chosen.index);
          expect(chosen.amountAtomic).toBe(cheapest);
          const hasExact = allowed.some((it) => it.scheme === "exact" && it.amountAtomic === cheapest);
          expect(chosen.scheme).toBe(hasExact ? "exact" : "upto");
          expect(considered.filter((it) => it.chosen)).toHaveLength(1);
          expect(considered.filter((it) => it.reason === null)).toHaveLength(1);
        } catch (error) {
          outcome = (error as { code?: string }).code ?? String(error);
        }
        const overLimit = cheapest !== null && rules.maxValueAtomic !== null && cheapest > rules.maxValueAtomic;
        expect(outcome).toBe(
          cheapest === null ? "no_acceptable_requirement" : overLimit ? "max_value_exceeded" : "chosen",
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
