/** The quote of `POST /api/autofill/shopify/quote` (spec section 4.8). Never charges. */
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import { requireMerchant } from "../merchants/merchants.ts";
import { checkConstraints } from "./constraints.ts";
import { homeAddress } from "./home-address.ts";
import { priceCart } from "./price-cart.ts";
import type { CartItem, Quote } from "./quote.ts";
import { rememberQuote } from "./quoted-terms.ts";
import { checkShipTo, type ShipTo } from "./ship-to.ts";

export interface QuoteInput {
  readonly merchantId: string;
  readonly items: readonly { readonly sku: string; readonly quantity?: number | null | undefined }[];
  readonly fulfillmentOptionId: string | null;
  readonly pickupLocation: string | null;
  readonly pickupLocationId: string | null;
  readonly shipTo: Partial<Record<keyof ShipTo, string | null | undefined>> | null;
  readonly constraints: Readonly<Record<string, unknown>> | null;
}

const MOST_ITEMS = 50;
const LARGEST_QUANTITY = 999;

/** @throws what `requireMerchant` and `priceCart` throw */
export async function quoteCart(deps: PricingDeps, viewer: Viewer | null, input: QuoteInput): Promise<Quote> {
  const { accountId } = requireAccount(viewer);
  const shipTo = input.shipTo ? checkShipTo(input.shipTo) : null;
  const constraints = checkConstraints(input.constraints);
  const items = checkItems(input.items);
  const merchant = await requireMerchant(deps.db, input.merchantId);
  const quote = await priceCart(deps, {
    merchant,
    items,
    shipTo,
    home: await homeAddress(deps.db, accountId),
    pickup: { name: input.pickupLocation?.trim() || null, locationId: input.pickupLocationId || null },
    optionId: input.fulfillmentOptionId,
    constraints,
  });
  await rememberQuote(deps.db, { accountId, merchantId: merchant.id, items, shipTo, constraints });
  return quote;
}

/** The same sku twice is one line. @throws {InvalidRequestError} naming the item */
export function checkItems(items: QuoteInput["items"]): CartItem[] {
  if (items.length === 0 || items.length > MOST_ITEMS) {
    throw new InvalidRequestError(`items must hold 1 to ${MOST_ITEMS} items.`, "items");
  }
  const quantities = new Map<string, number>();
  items.forEach(({ sku, quantity }, index) => {
    const name = sku.trim();
    if (name === "" || name.length > 200) {
      throw new InvalidRequestError(`items[${index}].sku must have 1 to 200 characters.`, `items[${index}].sku`);
    }
    const sum = (quantities.get(name) ?? 0) + (quantity ?? 1);
    if (!Number.isInteger(sum) || (quantity ?? 1) < 1 || sum > LARGEST_QUANTITY) {
      const field = `items[${index}].quantity`;
      throw new InvalidRequestError(`${field} must be an integer from 1 to ${LARGEST_QUANTITY}.`, field);
    }
    quantities.set(name, sum);
  });
  return [...quantities].map(([sku, quantity]) => ({ sku, quantity }));
}
