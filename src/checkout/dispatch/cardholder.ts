/** The cardholder and card of a dispatch, resolved before pricing. */
import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { findHomeAddress } from "../cards/billing-address.ts";
import { cardStatus } from "../cards/cards.ts";
import { type DeliveryAddress, toDeliveryAddress } from "../quote/ship-to.ts";
import { requesterName } from "../requester-name.ts";

export interface Cardholder {
  readonly card: PaymentCard;
  /** Default delivery address. */
  readonly home: DeliveryAddress;
  /** Null if the account has no agent. */
  readonly agentId: string | null;
  /** Display name of the requesting API token or app. */
  readonly requesterName: string;
}

/**
 * Finds the cardholder and the card that pays.
 * @param cardId null: the default card
 * @throws {InvalidRequestError} the card is missing or unusable, or the account has no email address
 */
export async function findCardholder(db: Database, viewer: AccountViewer, cardId: string | null): Promise<Cardholder> {
  const { accountId, credentialId } = viewer;
  const [card, home, account, name] = await Promise.all([
    db.prisma.paymentCard.findFirst({
      where: { accountId, removedAt: null, ...(cardId === null ? { defaultSlot: accountId } : { id: cardId }) },
    }),
    findHomeAddress(db, accountId),
    db.prisma.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { email: true, mailbox: { select: { id: true } }, agent: { select: { id: true } } },
    }),
    requesterName(db, credentialId),
  ]);
  if (!card || !home) {
    const message =
      cardId === null ? "The account has no card. Add one first." : "cardId is not the id of a card of this account.";
    throw new InvalidRequestError(message, "cardId");
  }
  const status = cardStatus(card);
  if (status !== "active") throw new InvalidRequestError(`The card is ${status}. Choose another card.`, "cardId");
  if (account.email === null && account.mailbox === null) {
    throw new InvalidRequestError(
      "Merchants require an email address. Add one to the account, or create a mailbox for its agent.",
    );
  }
  return { card, home: toDeliveryAddress(home), agentId: account.agent?.id ?? null, requesterName: name };
}
