/** Payment pages at a card processor's own origin, to which merchants redirect. */
import { isOriginMatch } from "../../checkout/worker-protocol/card-entry.ts";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { isPrivateConnection } from "./card-receivers.ts";
import { type MerchantOrigins, withOrigin } from "./merchant-origins.ts";
import type { PageView } from "./page-snapshot.ts";
import type { PageTrail } from "./page-trail.ts";

export interface HostedPageRules {
  readonly session: { readonly job: Pick<PurchaseJob, "cardEntry" | "processorOrigins"> };
  readonly merchantOrigins: MerchantOrigins;
  readonly trail: PageTrail;
}

/**
 * Returns the origins of the checkout at the current page. These are the merchant's, and that of a known processor's page
 * if only the merchant's pages led there. With pinned frame origins, only those are known. Null at any other page.
 */
export function checkoutOriginsAt(
  { main }: Pick<PageView, "main">,
  { session, merchantOrigins, trail }: HostedPageRules,
): MerchantOrigins | null {
  if (merchantOrigins.has(main.url)) return merchantOrigins;
  const { processorOrigins, cardEntry } = session.job;
  const origin = URL.parse(main.url)?.origin ?? "null";
  const isKnown = cardEntry.frameOrigins
    ? cardEntry.frameOrigins.includes(origin)
    : processorOrigins.some((pattern) => isOriginMatch(pattern, main.url));
  if (!isKnown || !isPrivateConnection(main.url) || !trail.isLedBy(merchantOrigins)) return null;
  return withOrigin(merchantOrigins, origin);
}
