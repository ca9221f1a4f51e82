/** Quotes for `POST /api/autofill/shopify/quote` (spec section 4.8). Never charges. */
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { findHomeAddress } from "../cards/billing-address.ts";
import type { PricingDeps } from "../deps.ts";
import { type MerchantView, requireMerchant } from "../merchants/merchants.ts";
import { type CartInput, parseCartRequest } from "../order-request.ts";
import { priceCart } from "./price-cart.ts";
import type { Quote } from "./quote.ts";
import { storeQuotedTerms } from "./quoted-terms.ts";

/** A quote with the merchant that it is from. */
export interface MerchantQuote extends Quote {
  readonly merchant: MerchantView;
}

/** Prices a cart and stores the quoted terms. @throws the errors of `parseCartRequest`, `requireMerchant`, `priceCart` */
export async function quoteCart(deps: PricingDeps, viewer: Viewer | null, input: CartInput): Promise<MerchantQuote> {
  const { accountId } = requireAccount(viewer);
  const request = parseCartRequest(input);
  const merchant = await requireMerchant(deps.db, accountId, request.merchantId);
  const home = await findHomeAddress(deps.db, accountId);
  const quote = await priceCart(deps, request, { merchant, home });
  await storeQuotedTerms(deps.db, accountId, request);
  return { ...quote, merchant };
}
