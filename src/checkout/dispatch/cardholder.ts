/** Who pays, and with which card: what a dispatch needs of the account before anything is priced. */
import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { homeAddress } from "../cards/billing-address.ts";
import { cardStatus } from "../cards/cards.ts";
import { type DeliveryAddress, deliveryAddress } from "../quote/ship-to.ts";
import { requesterName } from "../requester-name.ts";

export interface Cardholder {
  readonly card: PaymentCard;
  /** Where it goes when nobody says otherwise. */
  readonly home: DeliveryAddress;
  /** The account's agent, where it has one. */
  readonly agentId: string | null;
  /** The token or the app that asks, as its person named it. */
  readonly requesterName: string;
}

/**
 * @param cardId null: the default card
 * @throws {InvalidRequestError} there is no such card, it cannot be paid with, or nobody can be written to
 */
export async function findCardholder(db: Database, viewer: AccountViewer, cardId: string | null): Promise<Cardholder> {
  const { accountId, credentialId } = viewer;
  const [card, home, account, asker] = await Promise.all([
    db.prisma.paymentCard.findFirst({
      where: { accountId, removedAt: null, ...(cardId === null ? { defaultSlot: accountId } : { id: cardId }) },
    }),
    homeAddress(db, accountId),
    db.prisma.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { email: true, mailbox: { select: { id: true } }, agent: { select: { id: true } } },
    }),
    requesterName(db, credentialId),
  ]);
  if (!card || !home) {
    const message =
      cardId === null ? "There is no card to pay with: add one first." : "cardId names no card of this account.";
    throw new InvalidRequestError(message, "cardId");
  }
  const status = cardStatus(card);
  if (status !== "active") throw new InvalidRequestError(`cardId names a card that is ${status}.`, "cardId");
  if (account.email === null && account.mailbox === null) {
    throw new InvalidRequestError(
      "Shops ask for an email address: add one to the account, or give its agent a mailbox.",
    );
  }
  return { card, home: deliveryAddress(home), agentId: account.agent?.id ?? null, requesterName: asker };
}
