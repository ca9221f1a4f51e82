/** Quotes for `POST /api/autofill/shopify/quote` (spec section 4.8). Never charges. */
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { findHomeAddress } from "../cards/billing-address.ts";
import type { PricingDeps } from "../deps.ts";
import { withDryRun } from "../dry-run/latest-dry-run.ts";
import { type MerchantView, requireMerchant } from "../merchants/merchants.ts";
import { type CartInput, parseCartRequest } from "../order-request.ts";
import { findBillingUse } from "./billing-use.ts";
import { findPreference, rankByPreference } from "./preferred-options.ts";
import { priceCart } from "./price-cart.ts";
import type { Quote } from "./quote.ts";
import { storeQuotedTerms } from "./quoted-terms.ts";

/** A quote with the merchant that it is from. */
export interface MerchantQuote extends Quote {
  readonly merchant: MerchantView;
  /** Whether the merchant also receives the delivery address as the card's billing address. */
  readonly billingUsesShipTo: boolean;
}

/** Prices a cart and stores the quoted terms. Options that match the preference of the latest exploration come first. @throws the errors of `parseCartRequest`, `requireMerchant`, `priceCart` */
export async function quoteCart(deps: PricingDeps, viewer: Viewer | null, input: CartInput): Promise<MerchantQuote> {
  const { accountId } = requireAccount(viewer);
  const request = parseCartRequest(input);
  const merchant = await requireMerchant(deps.db, accountId, request.merchantId);
  const home = await findHomeAddress(deps.db, accountId);
  const priced = await priceCart(deps, request, { merchant, home });
  const quote = await withDryRun(deps.db, priced, { accountId, request, home });
  const preference = quote.options.length > 1 ? await findPreference(deps.db, accountId, merchant.id) : null;
  const options = preference === null ? quote.options : rankByPreference(quote.options, preference);
  await storeQuotedTerms(deps.db, accountId, request);
  const billingUsesShipTo = request.shipTo !== null && (await findBillingUse(deps.db, merchant.id));
  return { ...quote, options, merchant, billingUsesShipTo };
}
