/** What SPF, DKIM and DMARC together say about who sent a message. */
import type { Prisma } from "../../../generated/prisma/client.ts";

/** Results are those of RFC 8601: none, pass, fail, softfail, neutral, temperror, permerror. */
export interface CheckedMessage {
  readonly fromAddress: string;
  readonly spfResult: string | null;
  readonly dkimResult: string | null;
  readonly dmarcResult: string | null;
  /** `{ spf, dkim: [], dmarc, policy }`: the domains behind the results. */
  readonly authentication: Prisma.JsonValue;
}

/** `authentic`: the domain of From vouches for it; `suspicious`: it disowns it; `unproven`: nothing says either. */
export type Verdict = "authentic" | "suspicious" | "unproven";

/** The domains that passed, or were asked; absent ones are null. */
export interface CheckedDomains {
  readonly spf: string | null;
  readonly dkim: readonly string[];
  readonly dmarc: string | null;
  readonly policy: string | null;
}

/**
 * DMARC has the last word (RFC 7489, section 6.6). Without it, a pass counts only for the domain that stands in From: anybody's letter
 * passes for a domain of their own. Mail that was passed on fails SPF, so that alone never makes a signed letter suspicious.
 */
export function verdictOf(message: CheckedMessage): Verdict {
  const { fromAddress, spfResult, dkimResult, dmarcResult } = message;
  if (dmarcResult === "pass") return "authentic";
  if (dmarcResult === "fail") return "suspicious";
  const { spf, dkim } = domainsOf(message);
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1).toLowerCase();
  if (dkimResult === "pass" && dkim.some((signer) => isAligned(signer, domain))) return "authentic";
  if (spfResult === "pass" && spf !== null && isAligned(spf, domain)) return "authentic";
  return spfResult === "fail" && dkimResult !== "pass" ? "suspicious" : "unproven";
}

export function domainsOf({ authentication }: Pick<CheckedMessage, "authentication">): CheckedDomains {
  const kept = typeof authentication === "object" && !Array.isArray(authentication) ? authentication : null;
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  const { spf, dkim, dmarc, policy } = kept ?? {};
  const signers = Array.isArray(dkim) ? dkim.flatMap((one) => text(one) ?? []) : [];
  return { spf: text(spf), dkim: signers, dmarc: text(dmarc), policy: text(policy) };
}

/** Relaxed alignment, as far as it can be told without a list of public suffixes: the same domain, or one above From's. */
function isAligned(checked: string, domain: string): boolean {
  const vouching = checked.toLowerCase();
  return vouching.includes(".") && (domain === vouching || domain.endsWith(`.${vouching}`));
}
