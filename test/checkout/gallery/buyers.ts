/** Buyers of the gallery: an account per order, with a card and an address in the merchant's country. */
import type { MarketName } from "../../../sandbox/store/gallery/markets.ts";
import { checkShipTo } from "../../../src/checkout/quote/ship-to.ts";
import type { Stack } from "../../support/stack.ts";
import { type Buyer, openBuyer } from "../dispatch/buyer.ts";
import { HOMES } from "./homes.ts";

/** Opens an account with a card, an address in the market and a policy that allows the purchase. */
export async function openGalleryBuyer(
  stack: Pick<Stack, "service">,
  market: MarketName,
  currency: string,
): Promise<Buyer> {
  const buyer = await openBuyer(stack.service);
  const billingAddress = { ...checkShipTo(HOMES[market]) };
  await stack.service.deps.db.prisma.paymentCard.update({ where: { id: buyer.cardId }, data: { billingAddress } });
  const caps = { perOrderMaxMinor: 50_000, dailyMaxMinor: 10_000_000, monthlyMaxMinor: 10_000_000 };
  await buyer.signPolicy({ currency, ...caps });
  return buyer;
}
