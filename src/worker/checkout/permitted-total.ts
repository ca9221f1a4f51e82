/** Compares the total of a page with the approved amount. */
import type { Money } from "../../checkout/money.ts";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { CheckoutEndedError } from "./ending.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import type { PageView } from "./page-snapshot.ts";
import { totalOf } from "./total.ts";

/**
 * Returns the total of a page.
 * @throws {CheckoutEndedError} the total exceeds the approved amount, is in another currency, or cannot be read
 */
export function readPermittedTotal(
  { session: { job }, merchantOrigins }: { session: { job: PurchaseJob }; merchantOrigins: MerchantOrigins },
  view: PageView,
): Money {
  const total = totalOf(view, job.currency, ({ url }) => merchantOrigins.has(url));
  if (!total) throw new CheckoutEndedError("missing_field", "The total cannot be read");
  if (total.currency !== job.currency)
    throw new CheckoutEndedError("price_changed", `The total is in ${total.currency}`);
  const maxMinor = Math.min(job.amountMinor, job.request.constraints?.maxTotalMinor ?? job.amountMinor);
  if (total.amountMinor > maxMinor)
    throw new CheckoutEndedError("price_changed", "The total exceeds the approved amount");
  return total;
}
