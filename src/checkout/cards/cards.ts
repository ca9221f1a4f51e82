/** The payment cards of an account. All changes require the account owner's browser session. */
import type { PaymentCard, Prisma } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { requireRecentProof, requireSession } from "../../accounts/recent-proof.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { checkAll } from "../../platform/validation.ts";
import type { CardDeps } from "../deps.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import {
  checkBillingAddress,
  checkCardNumber,
  checkCardText,
  checkExpiry,
  checkSecurityCode,
  isExpired,
} from "./card-details.ts";
import { hasNumber, pickSealedColumns, resealSecurityCode, sealCard } from "./card-vault.ts";

type AddressInput = Partial<Record<keyof ShipTo, string | null | undefined>>;

export interface NewCard {
  readonly number: unknown;
  readonly expMonth: number;
  readonly expYear: number;
  readonly securityCode: string | null;
  readonly cardholderName: string;
  readonly nickname: string | null;
  readonly billingAddress: AddressInput;
}

/** Changes to a card; null leaves a field unchanged. */
export interface CardChange {
  readonly cardId: string;
  readonly expMonth: number | null;
  readonly expYear: number | null;
  readonly securityCode: string | null;
  readonly cardholderName: string | null;
  readonly nickname: string | null;
  readonly billingAddress: AddressInput | null;
  readonly isEnabled: boolean | null;
}

export type CardStatus = "active" | "expired" | "disabled";

const MAX_CARDS = 20;
/** Default card first, then newest first. */
export const CARD_ORDER = [
  { defaultSlot: { sort: "asc", nulls: "last" } },
  { createdAt: "desc" },
  { id: "desc" },
] as const satisfies Prisma.PaymentCardOrderByWithRelationInput[];

/** Returns the status of a card: active, expired or disabled. */
export function cardStatus(card: Pick<PaymentCard, "status" | "expMonth" | "expYear">): CardStatus {
  if (card.status !== "active") return "disabled";
  return isExpired(card) ? "expired" : "active";
}

/**
 * Adds a card; the first becomes the default.
 * @throws {ForbiddenError | ReauthenticationRequiredError} without a browser session authenticated in the last 10 minutes
 * @throws {InvalidRequestError} naming the field; also when the account already has the card
 */
export async function addCard(deps: CardDeps, viewer: Viewer | null, given: NewCard): Promise<PaymentCard> {
  const { accountId } = requireRecentProof(viewer);
  const { expMonth, expYear } = given;
  const { number, cardholderName, nickname, billingAddress } = checkAll({
    number: () => {
      const { digits, brand } = checkCardNumber(given.number);
      // The brand decides the length of the code.
      return { digits, brand, securityCode: requireSecurityCode(deps, given.securityCode, brand) };
    },
    expiry: () => checkExpiry(expMonth, expYear),
    cardholderName: () => checkCardText(given.cardholderName, "cardholderName"),
    nickname: () => (given.nickname === null ? null : checkCardText(given.nickname, "nickname")),
    billingAddress: () => checkBillingAddress(given.billingAddress),
  });
  const { digits, brand, securityCode } = number;
  const id = newId("card");
  const card = {
    id,
    accountId,
    brand,
    last4: digits.slice(-4),
    expMonth,
    expYear,
    // Only issuer number ranges reveal the funding type, and they are not public.
    funding: "unknown",
    cardholderName,
    nickname,
    billingAddress: { ...billingAddress },
    status: "active",
    hasSecurityCode: securityCode !== null,
    ...(await sealCard(deps.keks, { id, accountId }, { number: digits, securityCode })),
  };
  return await withAccountLock(deps.db, accountId, async (tx) => {
    const cards = await tx.paymentCard.findMany({ where: { accountId, removedAt: null } });
    if (cards.length >= MAX_CARDS) throw new InvalidRequestError(`An account has at most ${MAX_CARDS} cards.`);
    for (const known of cards.filter(({ last4 }) => last4 === card.last4)) {
      if (await hasNumber(deps.keks, { ...pickSealedColumns(known), fingerprint: known.fingerprint }, digits)) {
        throw new InvalidRequestError("The account already has a card with this number. Update that card.", "number");
      }
    }
    const defaultSlot = cards.some((known) => known.defaultSlot !== null) ? null : accountId;
    return await tx.paymentCard.create({ data: { ...card, defaultSlot } });
  });
}

/** Updates a card. @throws as `addCard`; @throws {NotFoundError} */
export async function updateCard(deps: CardDeps, viewer: Viewer | null, change: CardChange): Promise<PaymentCard> {
  const { accountId } = requireRecentProof(viewer);
  const { cardholderName, nickname, billingAddress, isEnabled } = change;
  const data: Prisma.PaymentCardUpdateInput = {
    ...(cardholderName === null ? {} : { cardholderName: checkCardText(cardholderName, "cardholderName") }),
    ...(nickname === null ? {} : { nickname: nickname.trim() === "" ? null : checkCardText(nickname, "nickname") }),
    ...(billingAddress === null ? {} : { billingAddress: { ...checkBillingAddress(billingAddress) } }),
    ...(isEnabled === null ? {} : { status: isEnabled ? "active" : "disabled" }),
  };
  return await withAccountLock(deps.db, accountId, async (tx) => {
    const card = await findCard(tx, accountId, change.cardId);
    const { expMonth, expYear } = {
      expMonth: change.expMonth ?? card.expMonth,
      expYear: change.expYear ?? card.expYear,
    };
    if (change.expMonth !== null || change.expYear !== null) checkExpiry(expMonth, expYear);
    const securityCode = parseSecurityCode(deps, change.securityCode, card.brand);
    const resealed =
      securityCode === null
        ? {}
        : {
            sealedCard: await resealSecurityCode(deps.keks, pickSealedColumns(card), securityCode),
            hasSecurityCode: true,
          };
    return await tx.paymentCard.update({ where: { id: card.id }, data: { ...data, expMonth, expYear, ...resealed } });
  });
}

/** Makes a card the default of its account. @throws {ForbiddenError | NotFoundError} */
export async function setDefaultCard(deps: CardDeps, viewer: Viewer | null, cardId: string): Promise<PaymentCard> {
  const { accountId } = requireSession(viewer);
  return await withAccountLock(deps.db, accountId, async (tx) => {
    const card = await findCard(tx, accountId, cardId);
    await tx.paymentCard.updateMany({ where: { defaultSlot: accountId }, data: { defaultSlot: null } });
    return await tx.paymentCard.update({ where: { id: card.id }, data: { defaultSlot: accountId } });
  });
}

/**
 * Removes a card and erases its number; orders still display its brand and last digits. If it was the default, the newest
 * active card becomes the default, or the newest of the others if none is active.
 * @throws {ForbiddenError | NotFoundError}
 */
export async function removeCard(deps: CardDeps, viewer: Viewer | null, cardId: string): Promise<void> {
  const { accountId } = requireSession(viewer);
  await withAccountLock(deps.db, accountId, async (tx) => {
    const card = await findCard(tx, accountId, cardId);
    const empty = new Uint8Array();
    await tx.paymentCard.update({
      where: { id: card.id },
      data: {
        removedAt: new Date(),
        status: "disabled",
        defaultSlot: null,
        sealedCard: empty,
        fingerprint: empty,
        hasSecurityCode: false,
      },
    });
    if (card.defaultSlot === null) return;
    const next = await tx.paymentCard.findFirst({
      where: { accountId, removedAt: null },
      orderBy: [{ status: "asc" }, { createdAt: "desc" }, { id: "desc" }],
    });
    if (next) await tx.paymentCard.update({ where: { id: next.id }, data: { defaultSlot: accountId } });
  });
}

async function findCard(tx: Prisma.TransactionClient, accountId: string, cardId: string): Promise<PaymentCard> {
  const card = await tx.paymentCard.findFirst({ where: { id: cardId, accountId, removedAt: null } });
  if (!card) throw new NotFoundError("There is no such card.");
  return card;
}

/**
 * Parses an optional security code.
 * @throws {InvalidRequestError} also when codes are not stored, because accepting one would suggest that it was stored
 */
function parseSecurityCode(deps: CardDeps, given: string | null, brand: string): string | null {
  if (given === null) return null;
  if (!deps.checkout.storesSecurityCodes) {
    const message = "This service does not store securityCode; the cardholder enters it with each order. Leave it out.";
    throw new InvalidRequestError(message, "securityCode");
  }
  return checkSecurityCode(given, brand);
}

/** Parses the security code of a new card: required if the service stores codes. @throws {InvalidRequestError} */
function requireSecurityCode(deps: CardDeps, given: string | null, brand: string): string | null {
  if (given === null && deps.checkout.storesSecurityCodes) {
    throw new InvalidRequestError("securityCode is missing.", "securityCode");
  }
  return parseSecurityCode(deps, given, brand);
}
