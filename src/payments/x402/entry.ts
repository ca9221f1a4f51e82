/** Parser of one entry of `accepts`. It never throws, so an invalid entry does not affect the others. */
import { z } from "zod";
import { toStorableText } from "../../platform/database/text.ts";
import { orMissing } from "../../platform/validation.ts";
import { type EvmNetwork, findNetwork, type Network, type SolanaNetwork } from "../../wallet/networks.ts";
import { canonicalEvmAddress, canonicalSolanaAddress } from "./addresses.ts";
import { boundHeaderChars, MAX_PAYMENT_HEADER_CHARS } from "./header-limit.ts";
import { isJsonObject } from "./json.ts";
import type {
  Echo,
  JsonObject,
  ParsedEntry,
  RefusedEntry,
  Requirement,
  Scheme,
  TransferMethod,
  X402Version,
} from "./requirement.ts";

const MAX_MEMO_BYTES = 256;
const MAX_DESCRIPTION_CHARS = 500;
/** The reference facilitators of version 2 refuse an authorization that expires within 6 seconds. */
const MIN_TIMEOUT_SECONDS = 6;
/** The largest integer of GraphQL. Authorizations end much earlier (`buildAuthorization`). */
const MAX_TIMEOUT_SECONDS = 2 ** 31 - 1;

const AMOUNT =
  "must be a whole number of atomic units: a string of at most 18 digits, or a JSON number of at most 9007199254740991";

/** At most 18 digits, the limit of the reference verifiers. A JSON number must be exactly representable as a double. */
const Amount = z
  .union([z.string().regex(/^\d{1,18}$/, AMOUNT), z.int(AMOUNT).nonnegative(AMOUNT)], { error: AMOUNT })
  .transform((value) => BigInt(value));

const Head = z.object({
  scheme: z.string(orMissing("must be a string")).min(1, "must not be empty").max(64, "is too long"),
  network: z.string(orMissing("must be a string")).min(1, "must not be empty").max(128, "is too long"),
});

const Body = z.object({
  maxAmountRequired: Amount.optional(),
  amount: Amount.optional(),
  asset: z.string(orMissing("must be a string")).max(128, "is too long"),
  payTo: z.string(orMissing("must be a string")).max(128, "is too long"),
  maxTimeoutSeconds: z.number(orMissing("must be a positive number of seconds")).gte(1, "must be at least 1"),
  resource: z.unknown().optional(),
  description: z.unknown().optional(),
  extra: z.record(z.string(), z.unknown(), { error: "must be an object" }).nullish(),
});

export interface EntryContext {
  readonly index: number;
  /** Path of the entry in the caller's input. */
  readonly field: string;
  /** The version declared beside `accepts`; null infers it from the entry's members. */
  readonly x402Version: X402Version | null;
  readonly shared: SharedMembers;
}

/** Version 2: the members beside `accepts` that a payment of any entry echoes. */
export interface SharedMembers extends Pick<Echo, "resource" | "extensions"> {
  /** Their size as JSON. */
  readonly sizeBytes: number;
}

/** Parses one entry. Every refusal has a reason and, if malformed, the path of the invalid member. */
export function parseEntry(raw: unknown, context: EntryContext): ParsedEntry {
  const refuse = (reason: RefusedEntry["reason"], message: string, field: string | null = null): RefusedEntry => ({
    index: context.index,
    ok: false,
    reason,
    message,
    field,
  });
  const malformed = (member: string, problem: string) => {
    const field = member ? `${context.field}.${member}` : context.field;
    return refuse("malformed", `${field} ${problem}.`, field);
  };

  const head = Head.safeParse(raw);
  if (!head.success) return malformed(...firstIssue(head.error));
  const { scheme } = head.data;
  // Checked first: an entry of an unknown scheme or network may have any shape.
  if (scheme !== "exact" && scheme !== "upto") return refuse("unsupported_scheme", "This scheme is not supported.");
  const network = findNetwork(head.data.network);
  if (!network) return refuse("unsupported_network", "This network is not supported.");

  const body = Body.safeParse(raw);
  if (!body.success) return malformed(...firstIssue(body.error));
  const { maxAmountRequired, amount, payTo: payToText, asset: assetText } = body.data;
  const x402Version = context.x402Version ?? (maxAmountRequired === undefined ? 2 : 1);
  const amountAtomic = maxAmountRequired ?? amount;
  if (amountAtomic === undefined) return malformed(x402Version === 1 ? "maxAmountRequired" : "amount", "is missing");
  if (maxAmountRequired !== undefined && amount !== undefined && maxAmountRequired !== amount) {
    return malformed("amount", "differs from maxAmountRequired");
  }
  if (scheme === "upto" && amountAtomic === 0n) return malformed("amount", "must be above zero for upto");

  const canonical = network.kind === "evm" ? canonicalEvmAddress : canonicalSolanaAddress;
  const payTo = canonical(payToText);
  if (!payTo) return malformed("payTo", `is not an address on ${network.name}`);
  const asset = canonical(assetText);
  if (!asset) return malformed("asset", `is not an address on ${network.name}`);
  if (asset !== network.usdc.address) return refuse("unknown_asset", `Only USDC is supported on ${network.name}.`);

  const extra = body.data.extra ?? {};
  const method = transferMethod(network, scheme, x402Version, extra);
  if (!method) return refuse("unsupported_transfer_method", "This transfer method is not supported.");
  const maxTimeoutSeconds = Math.min(Math.floor(body.data.maxTimeoutSeconds), MAX_TIMEOUT_SECONDS);
  if (x402Version === 2 && network.kind === "evm" && maxTimeoutSeconds < MIN_TIMEOUT_SECONDS) {
    return malformed("maxTimeoutSeconds", `must be at least ${MIN_TIMEOUT_SECONDS}, because facilitators refuse less`);
  }

  const parsed =
    network.kind === "evm"
      ? parseEvmExtra(network, { x402Version, scheme, method }, extra)
      : parseSolanaExtra(network, extra);
  if ("problem" in parsed) return malformed(parsed.member, parsed.problem);
  if ("domain" in parsed) return refuse("domain_mismatch", parsed.domain);

  const { resource, extensions, sizeBytes } = context.shared;
  const accepted = x402Version === 2 ? (raw as JsonObject) : null;
  const echo: Echo = accepted
    ? { network: head.data.network, accepted, resource, extensions }
    : { network: head.data.network, accepted, resource: null, extensions: null };
  const headerChars = accepted ? boundHeaderChars(method, accepted, sizeBytes) : 0;
  if (headerChars > MAX_PAYMENT_HEADER_CHARS) {
    return refuse(
      "too_large",
      `A payment repeats the offer, its resource and its extensions in a header of up to ${headerChars} characters. At most ${MAX_PAYMENT_HEADER_CHARS} are sent, because servers refuse larger headers.`,
    );
  }
  const described = isJsonObject(resource) ? resource : {};
  const requirement: Requirement = {
    index: context.index,
    x402Version,
    scheme,
    method,
    network,
    asset,
    amountAtomic,
    // USDC has six decimals, like micro-USD.
    amountMicroUsd: amountAtomic,
    payTo,
    maxTimeoutSeconds,
    resource: shortText(body.data.resource, 2_048) ?? shortText(described["url"], 2_048),
    description: cutText(body.data.description) ?? cutText(described["description"]),
    ...parsed,
    echo,
  };
  return { index: context.index, ok: true, requirement };
}

type NetworkExtra = Pick<Requirement, "facilitator" | "feePayer" | "memo">;
type Problem = { member: string; problem: string } | { domain: string };

function transferMethod(
  network: Network,
  scheme: Scheme,
  version: X402Version,
  extra: JsonObject,
): TransferMethod | null {
  const named = extra["assetTransferMethod"];
  if (network.kind === "solana") return scheme === "exact" && named === undefined ? "solana" : null;
  if (named === "permit2") return version === 2 ? "permit2" : null;
  if (scheme === "exact") return named === undefined || named === "eip3009" ? "eip3009" : null;
  if (named !== undefined) return named === "eip2612" || named === "permit" ? "permit" : null;
  // The version 2 reference implements upto only through Permit2 and always sets facilitatorAddress.
  return version === 2 && extra["facilitatorAddress"] !== undefined ? "permit2" : "permit";
}

/** The EIP-712 domain is that of the token contract. A seller that names another domain would receive an unusable signature. */
function parseEvmExtra(
  network: EvmNetwork,
  { x402Version, scheme, method }: Pick<Requirement, "x402Version" | "scheme" | "method">,
  extra: JsonObject,
): NetworkExtra | Problem {
  const missing: string[] = [];
  for (const key of ["name", "version"] as const) {
    const named = extra[key] ?? undefined;
    const known = network.usdc.domain[key];
    if (named === undefined) missing.push(`extra.${key}`);
    else if (named !== known) {
      return {
        domain: `extra.${key} does not match the token on ${network.name}, whose EIP-712 ${key} is "${known}".`,
      };
    }
  }
  // Version 1 facilitators may know the domain; those of version 2 respond with `invalid_exact_evm_missing_eip712_domain`.
  if (x402Version === 2 && method === "eip3009" && missing.length > 0) {
    const verb = missing.length === 1 ? "is" : "are";
    const reason = "Version 2 facilitators read the EIP-712 domain from extra.";
    return { domain: `${missing.join(" and ")} ${verb} missing. ${reason}` };
  }
  const named = extra["facilitatorAddress"] ?? extra["facilitator"] ?? extra["spender"] ?? null;
  const facilitator = canonicalEvmAddress(named);
  if (method !== "eip3009" && named !== null && !facilitator) {
    return { member: "extra.facilitatorAddress", problem: "is not an address" };
  }
  // The witness of `upto` names the facilitator.
  if (method === "permit2" && scheme === "upto" && !facilitator) {
    return { member: "extra.facilitatorAddress", problem: "is missing" };
  }
  return { facilitator, feePayer: null, memo: null };
}

function parseSolanaExtra(network: SolanaNetwork, extra: JsonObject): NetworkExtra | Problem {
  const feePayer = canonicalSolanaAddress(extra["feePayer"]);
  // The fee payer must not be among an instruction's accounts, and the mint is one of them.
  if (!feePayer || feePayer === network.usdc.address) {
    return { member: "extra.feePayer", problem: "must be the address that pays the transaction fee" };
  }
  const memo = extra["memo"] || null;
  if (memo !== null && (typeof memo !== "string" || Buffer.byteLength(memo) > MAX_MEMO_BYTES)) {
    return { member: "extra.memo", problem: `must be a string of at most ${MAX_MEMO_BYTES} bytes` };
  }
  return { facilitator: null, feePayer, memo };
}

function shortText(value: unknown, maxChars: number): string | null {
  return typeof value === "string" && value.length > 0 && value.length <= maxChars ? value : null;
}

/** Returns the start of a text as it can be stored. */
function cutText(value: unknown): string | null {
  if (typeof value !== "string") return null;
  return toStorableText(value.slice(0, MAX_DESCRIPTION_CHARS)) || null;
}

function firstIssue(error: z.ZodError): [member: string, problem: string] {
  const issue = error.issues[0];
  if (!issue) return ["", "is malformed"];
  const member = issue.path.map(String).join(".");
  return [member, issue.path.length === 0 ? "must be an object" : issue.message];
}
