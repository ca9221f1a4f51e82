/** Determines who operates a page, from the order's job and never from the page. */
import { isOriginMatch } from "../../checkout/worker-protocol/card-entry.ts";
import type { WorkerJob } from "../../checkout/worker-protocol/job.ts";
import type { Party } from "../../checkout/worker-protocol/live-messages.ts";
import { createCheckoutOrigins, merchantOriginsOf } from "../checkout/merchant-origins.ts";

export type PartyOf = (url: string) => Party;

/** Origin patterns (`isOriginMatch`) of the parties other than the merchant. */
interface KnownOrigins {
  readonly processors: readonly string[];
  readonly issuers: readonly string[];
}

export function createPartyOf(job: WorkerJob): PartyOf {
  const site =
    job.kind === "explored" ? merchantOriginsOf(job.request.merchantUrl, []) : createCheckoutOrigins(job.cardEntry);
  const { processors, issuers } = knownOriginsOf(job);
  return (url) => {
    const isOneOf = (patterns: readonly string[]) => patterns.some((pattern) => isOriginMatch(pattern, url));
    if (site.has(url)) return "merchant";
    if (isOneOf(issuers)) return "issuer";
    return isOneOf(processors) ? "processor" : "unknown";
  };
}

function knownOriginsOf(job: WorkerJob): KnownOrigins {
  if (job.kind === "explored") return { processors: [], issuers: [] };
  const { cardEntry, processorOrigins, issuerOrigins } = job;
  return {
    processors: [...processorOrigins, ...(cardEntry.frameOrigins ?? [])],
    issuers: issuerOrigins,
  };
}
