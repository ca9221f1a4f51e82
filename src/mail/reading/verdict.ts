/** Verdict on a message's sender, from its SPF, DKIM and DMARC results. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { toAsciiAddress } from "../ascii-address.ts";

/** Authentication results of a message (RFC 8601): none, pass, fail, softfail, neutral, temperror or permerror. */
export interface CheckedMessage {
  readonly fromAddress: string;
  readonly spfResult: string | null;
  readonly dkimResult: string | null;
  readonly dmarcResult: string | null;
  /** `{ spf, dkim: [], dmarc, policy, arc, arcSealer, authors: [] }`: the domains behind the results. */
  readonly authentication: Prisma.JsonValue;
}

/** `authentic`: authenticated for the domain in From. `suspicious`: authentication failed. `unproven`: no evidence for either. */
export type Verdict = "authentic" | "suspicious" | "unproven";

/** The domains that were checked; null when absent. */
export interface CheckedDomains {
  readonly spf: string | null;
  readonly dkim: readonly string[];
  readonly dmarc: string | null;
  readonly policy: string | null;
  /** The result for the chain of forwarding servers; null if it was not checked. */
  readonly arc: string | null;
  /** The last server of a valid chain. */
  readonly arcSealer: string | null;
  /** The addresses of several From fields, of which RFC 5322 permits one. Empty for other messages. */
  readonly authors: readonly string[];
}

/**
 * Returns the verdict. DMARC decides if it passed or failed (RFC 7489 section 6.6). Otherwise an SPF or DKIM pass counts only
 * if aligned with the domain in From, because senders can pass for their own domains. Forwarding breaks SPF, so an SPF failure
 * does not make a message with a DKIM pass suspicious.
 */
export function determineVerdict(message: CheckedMessage): Verdict {
  const { fromAddress, spfResult, dkimResult, dmarcResult } = message;
  if (readDomains(message).authors.length > 0) return "suspicious";
  if (dmarcResult === "pass") return "authentic";
  if (dmarcResult === "fail") return "suspicious";
  const { spf, dkim } = readDomains(message);
  const domain = toAsciiAddress(fromAddress.slice(fromAddress.lastIndexOf("@") + 1));
  if (dkimResult === "pass" && dkim.some((signer) => isAligned(signer, domain))) return "authentic";
  if (spfResult === "pass" && spf !== null && isAligned(spf, domain)) return "authentic";
  return spfResult === "fail" && dkimResult !== "pass" ? "suspicious" : "unproven";
}

/** Reads the domains from the stored JSON. */
export function readDomains({ authentication }: Pick<CheckedMessage, "authentication">): CheckedDomains {
  const stored = typeof authentication === "object" && !Array.isArray(authentication) ? authentication : null;
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  const { spf, dkim, dmarc, policy, arc, arcSealer, authors } = stored ?? {};
  const list = (value: unknown) => (Array.isArray(value) ? value.flatMap((one) => text(one) ?? []) : []);
  return {
    ...{ spf: text(spf), dkim: list(dkim), dmarc: text(dmarc), policy: text(policy) },
    ...{ arc: text(arc), arcSealer: text(arcSealer), authors: list(authors) },
  };
}

/** Relaxed alignment without a public suffix list: `checked` equals the domain in From or is a parent of it. */
function isAligned(checked: string, domain: string): boolean {
  const authenticated = toAsciiAddress(checked);
  return authenticated.includes(".") && (domain === authenticated || domain.endsWith(`.${authenticated}`));
}
