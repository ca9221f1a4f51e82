/** Which of the shop's offers to take: the cheapest that may be used (decisions, "X402"). */
import { mayPay } from "../../accounts/viewer.ts";
import { ServiceError } from "../../platform/errors.ts";
import { formatDecimal } from "../../platform/money.ts";
import { type NetworkName, USDC_DECIMALS } from "../../wallet/networks.ts";
import { canonicalAddress } from "./addresses.ts";
import type { ParsedEntry, PaymentRequired, RefusalReason, Requirement } from "./requirement.ts";

export interface ChoicePolicy {
  /** Networks that are configured. */
  readonly networks: readonly NetworkName[];
  /** Networks the caller may pay on; absent: any. */
  readonly allowedNetworks?: readonly string[];
  /** The most one payment may cost, in the asset's smallest unit. */
  readonly maxValueAtomic?: bigint | null;
  /** Recipients the caller may pay; empty or absent: any. */
  readonly allowedPayees?: readonly string[];
  /** Facilitator signers that may be a permit's spender: a spender can send the money anywhere, so strangers are refused. */
  readonly uptoSpenders?: readonly string[];
  /** What `buildAuthorization` refused before, so that the next best can be tried: its error's `considered`. */
  readonly unusable?: readonly ConsideredEntry[];
}

/** One entry of `accepts` and what became of it; `reason` is null for the chosen one. */
export interface ConsideredEntry {
  readonly index: number;
  readonly chosen: boolean;
  readonly reason: RefusalReason | null;
  readonly message: string;
  /** Null when the entry could not be read. */
  readonly requirement: Requirement | null;
}

export interface Choice {
  /** With `facilitator` set to the pinned spender when the method is `permit`. */
  readonly chosen: Requirement;
  readonly considered: readonly ConsideredEntry[];
}

/** No offer of the shop may be used; `considered` says of each why not. */
export class NoAcceptableRequirementError extends ServiceError {
  readonly code = "no_acceptable_requirement";
  readonly considered: readonly ConsideredEntry[];
  readonly accepts: readonly unknown[];
  constructor(considered: readonly ConsideredEntry[], accepts: readonly unknown[]) {
    const [only, second] = considered;
    super(only && !second ? `The offer cannot be used: ${only.message}` : "None of the offers can be used.");
    this.considered = considered;
    this.accepts = accepts;
  }
}

/** There are offers that may be used, and all cost more than the caller's `maxValue`. */
export class MaxValueExceededError extends ServiceError {
  readonly code = "max_value_exceeded";
  readonly limitAtomic: bigint;
  /** The price of the cheapest offer. */
  readonly requiredAtomic: bigint;
  readonly considered: readonly ConsideredEntry[];
  readonly accepts: readonly unknown[];
  constructor(limit: bigint, required: bigint, considered: readonly ConsideredEntry[], accepts: readonly unknown[]) {
    super(`The payment requires ${required} atomic units, more than maxValue ${limit}.`);
    this.limitAtomic = limit;
    this.requiredAtomic = required;
    this.considered = considered;
    this.accepts = accepts;
  }
}

/**
 * Skips what cannot be parsed or is not allowed and takes the cheapest in USD; a tie goes to `exact`, then to the earlier entry.
 * @throws {MaxValueExceededError} when only `maxValueAtomic` stands in the way.
 * @throws {NoAcceptableRequirementError} when nothing may be used.
 */
export function chooseRequirement(required: PaymentRequired, policy: ChoicePolicy): Choice {
  const judged = required.entries.map((entry) => judge(entry, policy));
  const affordable = judged.flatMap((it) => it.usable ?? []);
  const [chosen] = affordable.toSorted(byPreference);
  const considered = judged.map(({ entry, refusal }) => report(entry, refusal, chosen));
  if (chosen) return { chosen, considered };

  const limit = policy.maxValueAtomic;
  const [cheapest] = judged
    .flatMap(({ entry, refusal }) =>
      entry.ok && refusal?.reason === "max_value_exceeded" ? entry.requirement.amountAtomic : [],
    )
    .toSorted((a, b) => (a < b ? -1 : 1));
  if (cheapest !== undefined && limit !== undefined && limit !== null) {
    throw new MaxValueExceededError(limit, cheapest, considered, required.accepts);
  }
  throw new NoAcceptableRequirementError(considered, required.accepts);
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

type Judged = { entry: ParsedEntry; usable?: Requirement; refusal?: Refusal };

function judge(entry: ParsedEntry, policy: ChoicePolicy): Judged {
  if (!entry.ok) return { entry, refusal: { reason: entry.reason, message: entry.message } };
  const { requirement } = entry;
  const refuse = (reason: RefusalReason, message: string): Judged => ({ entry, refusal: { reason, message } });
  const { network, payTo, amountAtomic } = requirement;

  const earlier = policy.unusable?.find((it) => it.index === entry.index);
  if (earlier?.reason) return refuse(earlier.reason, earlier.message);
  if (!policy.networks.includes(network.name)) {
    return refuse("network_not_allowed", `network: ${network.name} is not configured here.`);
  }
  if (policy.allowedNetworks?.includes(network.name) === false) {
    return refuse("network_not_allowed", `network: this token may not pay on ${network.name}.`);
  }
  const { allowedPayees = [] } = policy;
  if (!mayPay({ allowedPayees }, payTo)) {
    return refuse("payee_not_allowed", "The recipient is not among the allowed payees.");
  }
  if (allowedPayees.length > 0 && requirement.method === "permit") {
    return refuse("payee_not_allowed", "A permit does not bind its recipient, and only some may be paid.");
  }
  const usable = requirement.method === "permit" ? withPinnedSpender(requirement, policy) : requirement;
  if (!usable) return refuse("spender_not_pinned", "The spender of the permit is not a trusted facilitator signer.");
  // Last, so that this reason alone means: acceptable but for the price.
  if (policy.maxValueAtomic !== undefined && policy.maxValueAtomic !== null && amountAtomic > policy.maxValueAtomic) {
    return refuse("max_value_exceeded", `It costs ${usd(amountAtomic)} USD, more than maxValue.`);
  }
  return { entry, usable };
}

function withPinnedSpender(requirement: Requirement, policy: ChoicePolicy): Requirement | null {
  const pins = (policy.uptoSpenders ?? []).map(canonicalAddress).filter((pin) => pin !== null);
  // Facilitators declare their signer in /supported rather than in the entry; with one pin there is no doubt who it is.
  const spender = requirement.facilitator ?? (pins.length === 1 ? pins[0] : undefined);
  if (!spender || !pins.includes(spender)) return null;
  return { ...requirement, facilitator: spender as `0x${string}` };
}

function byPreference(a: Requirement, b: Requirement): number {
  if (a.amountMicroUsd !== b.amountMicroUsd) return a.amountMicroUsd < b.amountMicroUsd ? -1 : 1;
  if (a.scheme !== b.scheme) return a.scheme === "exact" ? -1 : 1;
  return a.index - b.index;
}

function report(entry: ParsedEntry, refusal: Refusal | undefined, chosen: Requirement | undefined): ConsideredEntry {
  const requirement = entry.ok ? entry.requirement : null;
  const base = { index: entry.index, chosen: false, requirement };
  if (refusal) return { ...base, ...refusal };
  if (!chosen || entry.index === chosen.index) {
    return {
      ...base,
      chosen: true,
      reason: null,
      message: "Chosen: the cheapest that may be used.",
      requirement: chosen ?? null,
    };
  }
  return requirement && requirement.amountMicroUsd > chosen.amountMicroUsd
    ? {
        ...base,
        reason: "costlier",
        message: `It costs ${usd(requirement.amountAtomic)} USD, more than the chosen entry.`,
      }
    : {
        ...base,
        reason: "not_preferred",
        message: "It costs the same; exact goes before upto, then the earlier entry.",
      };
}

function usd(amountAtomic: bigint): string {
  return formatDecimal(amountAtomic, USDC_DECIMALS, 2);
}
