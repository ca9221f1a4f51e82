/** Vault of card numbers, each sealed under its own data key. No other module of the service reads or stores them. */
import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import type { PaymentCard } from "../../../generated/prisma/client.ts";
import { openJson, sealJson } from "../../platform/crypto/sealing/sealed-box.ts";
import { accountTable, type RowIdentity } from "../../platform/crypto/sealing/sealed-table.ts";
import {
  createDataKey,
  type KeyEncryptionKeys,
  openDataKey,
  type WrappedKey,
} from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { readBillingAddress } from "./billing-address.ts";

export interface CardSecrets {
  readonly number: string;
  /** Null if the code is not stored. */
  readonly securityCode: string | null;
}

/** A card in plain text, as the worker enters it in a merchant's payment form. */
export interface OpenedCard extends CardSecrets {
  readonly brand: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cardholderName: string;
  readonly billingAddress: ShipTo;
}

type SealedCard = WrappedKey & RowIdentity & { readonly sealedCard: Uint8Array<ArrayBuffer> };

/** Card numbers open only in their row, and only while it belongs to the account that added the card. */
export const SEALED_CARDS = accountTable("payment_cards", "card", { boxColumn: "sealed_card", kind: "card" });

/** Seals the secrets of a new card. @param row the id and account under which the card will be stored */
export async function sealCard(keks: KeyEncryptionKeys, row: RowIdentity, secrets: CardSecrets) {
  const { dataKey, ...wrapped } = await createDataKey(keks, SEALED_CARDS.contextOf(row));
  const fingerprint = createFingerprint(dataKey, secrets.number);
  return { sealedCard: sealBox(dataKey, row, secrets), ...wrapped, fingerprint, isAccountBound: true };
}

/** Returns the sealed card with a new security code, under its existing data key. */
export async function resealSecurityCode(
  keks: KeyEncryptionKeys,
  row: SealedCard,
  securityCode: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const dataKey = await openDataKeyOf(keks, row);
  return sealBox(dataKey, row, { ...openBox(dataKey, row), securityCode });
}

/** Compares a number with a card by fingerprint, without decrypting it. The card's data key derives the fingerprint key. */
export async function hasNumber(
  keks: KeyEncryptionKeys,
  row: SealedCard & { readonly fingerprint: Uint8Array },
  number: string,
): Promise<boolean> {
  const fingerprint = createFingerprint(await openDataKeyOf(keks, row), number);
  return fingerprint.length === row.fingerprint.length && timingSafeEqual(fingerprint, row.fingerprint);
}

/**
 * Decrypts a card for the worker protocol. Returns null when the card belongs to another account, was removed or is
 * disabled. The caller must neither log nor store the result.
 * @throws {SealBrokenError} the card was sealed for another account, or its ciphertext was changed
 */
export async function openCard(
  deps: { readonly db: Database; readonly keks: KeyEncryptionKeys },
  { cardId, accountId }: { readonly cardId: string; readonly accountId: string },
): Promise<OpenedCard | null> {
  const where = { id: cardId, accountId, removedAt: null, status: "active" };
  const card = await deps.db.prisma.paymentCard.findFirst({ where });
  if (!card) return null;
  const secrets = openBox(await openDataKeyOf(deps.keks, pickSealedColumns(card)), pickSealedColumns(card));
  const { brand, expMonth, expYear, cardholderName } = card;
  return { ...secrets, brand, expMonth, expYear, cardholderName, billingAddress: readBillingAddress(card) };
}

/** Returns the columns of a card that this module needs for decryption. */
export function pickSealedColumns(card: PaymentCard): SealedCard {
  const { id, accountId, kekId } = card;
  const [sealedCard, wrappedDataKey] = [Uint8Array.from(card.sealedCard), Uint8Array.from(card.wrappedDataKey)];
  return { id, accountId, kekId, sealedCard, wrappedDataKey };
}

function openDataKeyOf(keks: KeyEncryptionKeys, row: SealedCard): Promise<KeyObject> {
  return openDataKey(keks, row, SEALED_CARDS.contextOf(row));
}

function sealBox(dataKey: KeyObject, row: RowIdentity, { number, securityCode }: CardSecrets): Uint8Array<ArrayBuffer> {
  return sealJson(dataKey, { number, securityCode }, SEALED_CARDS.contextOf(row));
}

function openBox(dataKey: KeyObject, card: SealedCard): CardSecrets {
  return openJson<CardSecrets>(dataKey, card.sealedCard, SEALED_CARDS.contextOf(card));
}

// Keyed, because sixteen digits can be enumerated: without the data key the fingerprint reveals nothing.
function createFingerprint(dataKey: KeyObject, number: string): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(hkdfSync("sha256", dataKey, "", "satchel card fingerprint", 32));
  return new Uint8Array(createHmac("sha256", key).update(number).digest());
}
