import type { AccountViewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { requireMerchant } from "../merchants/merchants.ts";
import { findCardholder } from "./cardholder.ts";

/**
 * Returns what identifies the parties of an order to the account owner.
 * @param order.cardId null: the default card
 * @throws {NotFoundError | InvalidRequestError} the merchant or the card cannot be used
 */
export async function findOrderParties(
  db: Database,
  viewer: AccountViewer,
  { merchantId, cardId }: { readonly merchantId: string; readonly cardId: string | null },
) {
  const [{ domain }, { card, home }] = await Promise.all([
    requireMerchant(db, viewer.accountId, merchantId),
    findCardholder(db, viewer, cardId),
  ]);
  const { recipient, city, countryCode } = home.echo;
  return { domain, cardId: card.id, cardLast4: card.last4, home: { recipient, city, countryCode } };
}
