/** Choice among the seller's offers: the cheapest usable one (decisions, "X402"). */
import { isPayeeAllowed } from "../../accounts/viewer.ts";
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
  /** Maximum price of the payment, in the asset's smallest unit. */
  readonly maxValueAtomic?: bigint | null;
  /** Recipients the caller may pay; empty or absent: any. */
  readonly allowedPayees?: readonly string[];
  /** Trusted facilitator signers. Only they may be the spender of a permit, because a spender can send the funds anywhere. */
  readonly uptoSpenders?: readonly string[];
  /** Further trusted signers, each on one network. */
  readonly facilitatorSigners?: readonly { readonly network: string; readonly address: string }[];
  /** Entries that `buildAuthorization` rejected (`considered` of its error), excluded to try the fallback. */
  readonly unusable?: readonly ConsideredEntry[];
}

/** One entry of `accepts` with its evaluation; `reason` is null for the chosen entry. */
export interface ConsideredEntry {
  readonly index: number;
  readonly chosen: boolean;
  readonly reason: RefusalReason | null;
  readonly message: string;
  /** Null if the entry could not be parsed. */
  readonly requirement: Requirement | null;
}

export interface Choice {
  /** For the method `permit`, `facilitator` is set to the pinned spender. */
  readonly chosen: Requirement;
  readonly considered: readonly ConsideredEntry[];
}

/** No offer of the seller is usable; `considered` contains the reason for each. */
export class NoAcceptableRequirementError extends ServiceError {
  readonly code = "no_acceptable_requirement";
  readonly considered: readonly ConsideredEntry[];
  readonly accepts: readonly unknown[];
  constructor(considered: readonly ConsideredEntry[], accepts: readonly unknown[]) {
    const [only, second] = considered;
    super(only && !second ? `The offer cannot be used: ${only.message}` : "No offer can be used.");
    this.considered = considered;
    this.accepts = accepts;
  }
}

/** Every usable offer costs more than the caller's `maxValue`. */
export class MaxValueExceededError extends ServiceError {
  readonly code = "max_value_exceeded";
  readonly limitAtomic: bigint;
  /** The price of the cheapest offer, and its network. */
  readonly requiredAtomic: bigint;
  readonly network: NetworkName;
  readonly considered: readonly ConsideredEntry[];
  readonly accepts: readonly unknown[];
  constructor(
    limit: bigint,
    cheapest: Requirement,
    considered: readonly ConsideredEntry[],
    accepts: readonly unknown[],
  ) {
    const { amountAtomic, network } = cheapest;
    super(`The payment requires ${amountAtomic} atomic units, more than maxValue ${limit}.`);
    this.limitAtomic = limit;
    this.requiredAtomic = amountAtomic;
    this.network = network.name;
    this.considered = considered;
    this.accepts = accepts;
  }
}

/**
 * Chooses the cheapest offer in USD among those that are parsable and allowed. A tie goes to `exact`, then to the earlier entry.
 *
 * @throws {MaxValueExceededError} when usable offers exist and all cost more than `maxValueAtomic`.
 * @throws {NoAcceptableRequirementError} when no offer is usable.
 */
export function chooseRequirement(required: PaymentRequired, policy: ChoicePolicy): Choice {
  const evaluations = required.entries.map((entry) => evaluate(entry, policy));
  const affordable = evaluations.flatMap((it) => it.usable ?? []);
  const [chosen] = affordable.toSorted(byPreference);
  const considered = evaluations.map(({ entry, refusal }) => report(entry, refusal, chosen));
  if (chosen) return { chosen, considered };

  const limit = policy.maxValueAtomic;
  const [cheapest] = evaluations
    .flatMap(({ entry, refusal }) => (entry.ok && refusal?.reason === "max_value_exceeded" ? entry.requirement : []))
    .toSorted((a, b) => (a.amountAtomic < b.amountAtomic ? -1 : 1));
  if (cheapest !== undefined && limit !== undefined && limit !== null) {
    throw new MaxValueExceededError(limit, cheapest, considered, required.accepts);
  }
  throw new NoAcceptableRequirementError(considered, required.accepts);
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly message: string;
}

type Evaluation = { entry: ParsedEntry; usable?: Requirement; refusal?: Refusal };

function evaluate(entry: ParsedEntry, policy: ChoicePolicy): Evaluation {
  if (!entry.ok) return { entry, refusal: { reason: entry.reason, message: entry.message } };
  const { requirement } = entry;
  const refuse = (reason: RefusalReason, message: string): Evaluation => ({ entry, refusal: { reason, message } });
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
  if (!isPayeeAllowed({ allowedPayees }, payTo)) {
    return refuse("payee_not_allowed", "The recipient is not among the allowed payees.");
  }
  if (allowedPayees.length > 0 && requirement.method === "permit") {
    return refuse("payee_not_allowed", "A permit does not bind its recipient, and this token limits recipients.");
  }
  const usable = requirement.method === "permit" ? withPinnedSpender(requirement, policy) : requirement;
  if (!usable) return refuse("spender_not_pinned", "The spender of the permit is not a trusted facilitator signer.");
  // Checked last, so this reason implies that the price is the only obstacle.
  if (policy.maxValueAtomic !== undefined && policy.maxValueAtomic !== null && amountAtomic > policy.maxValueAtomic) {
    return refuse("max_value_exceeded", `It costs ${usd(amountAtomic)} USD, more than maxValue.`);
  }
  return { entry, usable };
}

function withPinnedSpender(requirement: Requirement, policy: ChoicePolicy): Requirement | null {
  const declared = (policy.facilitatorSigners ?? []).filter(({ network }) => network === requirement.network.name);
  const trusted = [...(policy.uptoSpenders ?? []), ...declared.map(({ address }) => address)];
  const pins = [...new Set(trusted.map(canonicalAddress).filter((pin) => pin !== null))];
  // Facilitators declare their signer in /supported rather than in the entry; a single pin is unambiguous.
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
      message: "Chosen as the cheapest usable entry.",
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
        message: "It costs the same; exact precedes upto, then the earlier entry.",
      };
}

function usd(amountAtomic: bigint): string {
  return formatDecimal(amountAtomic, USDC_DECIMALS, 2);
}
