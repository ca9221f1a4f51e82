/** Recipients of requests: the merchant, processors, banks and others. */
import { isOriginMatch } from "../../../checkout/worker-protocol/card-entry.ts";
import type { PurchaseJob } from "../../../checkout/worker-protocol/job.ts";
import type { MerchantOrigins } from "../merchant-origins.ts";
import type { Party, RequestFacts } from "./facts.ts";

export interface PartyOptions {
  readonly merchantOrigins: Pick<MerchantOrigins, "has">;
  readonly job: Pick<PurchaseJob, "cardEntry" | "processorOrigins" | "issuerOrigins">;
  /** Origins of the card's fields. */
  readonly cardOrigins: ReadonlySet<string>;
}

/** A redirect repeats the request. It may lead to the same party, or from the merchant to a processor. */
export function mayFollow({ origin, target }: RequestFacts, url: string, partyOf: (url: string) => Party): boolean {
  if (URL.parse(url)?.origin === origin) return true;
  const party = partyOf(url);
  return party === "processor" ? target === "merchant" || target === party : party === target && party === "merchant";
}

/** Returns who receives a request, by its URL. */
export function createPartyOf({ merchantOrigins, job, cardOrigins }: PartyOptions): (url: string) => Party {
  const isAny = (patterns: readonly string[], url: string) => patterns.some((pattern) => isOriginMatch(pattern, url));
  return (url) => {
    if (merchantOrigins.has(url)) return "merchant";
    const origin = URL.parse(url)?.origin ?? "null";
    if (cardOrigins.has(origin) || job.cardEntry.frameOrigins?.includes(origin) || isAny(job.processorOrigins, url))
      return "processor";
    return isAny(job.issuerOrigins, url) ? "issuer" : "other";
  };
}
