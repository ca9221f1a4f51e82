/** Cards' numbers, each sealed under a data key of its own. Nothing else in the service holds one. */
import { createHmac, hkdfSync, type KeyObject, timingSafeEqual } from "node:crypto";
import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { SealedTable } from "../../platform/crypto/sealing/rotate.ts";
import { openJson, sealJson } from "../../platform/crypto/sealing/sealed-box.ts";
import {
  createDataKey,
  type KeyEncryptionKeys,
  openDataKey,
  type WrappedKey,
} from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { billingAddressOf } from "./billing-address.ts";

export interface CardSecrets {
  readonly number: string;
  /** Null where this deployment keeps none. */
  readonly securityCode: string | null;
}

/** A card as the worker types it into a shop's form. */
export interface OpenedCard extends CardSecrets {
  readonly brand: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cardholderName: string;
  readonly billingAddress: ShipTo;
}

type SealedCard = WrappedKey & { readonly id: string; readonly sealedCard: Uint8Array<ArrayBuffer> };

/** Seals a card that is about to be stored under `id`. */
export async function sealCard(keks: KeyEncryptionKeys, id: string, secrets: CardSecrets) {
  const { dataKey, ...wrapped } = await createDataKey(keks, contextOf(id));
  const fingerprint = fingerprintOf(dataKey, secrets.number);
  return { sealedCard: sealBox(dataKey, id, secrets), ...wrapped, fingerprint };
}

/** The same card with another security code, under the data key it has. */
export async function resealSecurityCode(
  keks: KeyEncryptionKeys,
  row: SealedCard,
  securityCode: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const dataKey = await dataKeyOf(keks, row);
  return sealBox(dataKey, row.id, { ...openBox(dataKey, row), securityCode });
}

/** Whether the number is that card's, without opening it: its fingerprint is made with a key from its data key. */
export async function isNumberOf(
  keks: KeyEncryptionKeys,
  row: SealedCard & { readonly fingerprint: Uint8Array },
  number: string,
): Promise<boolean> {
  const made = fingerprintOf(await dataKeyOf(keks, row), number);
  return made.length === row.fingerprint.length && timingSafeEqual(made, row.fingerprint);
}

/**
 * The card with its number, for the worker protocol alone; null when it is not the account's, was removed or turned off.
 * Whoever gets it must neither log nor store it.
 */
export async function openCard(
  deps: { readonly db: Database; readonly keks: KeyEncryptionKeys },
  { cardId, accountId }: { readonly cardId: string; readonly accountId: string },
): Promise<OpenedCard | null> {
  const where = { id: cardId, accountId, removedAt: null, status: "active" };
  const card = await deps.db.prisma.paymentCard.findFirst({ where });
  if (!card) return null;
  const secrets = openBox(await dataKeyOf(deps.keks, sealedOf(card)), sealedOf(card));
  const { brand, expMonth, expYear, cardholderName } = card;
  return { ...secrets, brand, expMonth, expYear, cardholderName, billingAddress: billingAddressOf(card) };
}

/** A card's columns as this file takes them. */
export function sealedOf(card: PaymentCard): SealedCard {
  const { id, kekId } = card;
  const [sealedCard, wrappedDataKey] = [Uint8Array.from(card.sealedCard), Uint8Array.from(card.wrappedDataKey)];
  return { id, kekId, sealedCard, wrappedDataKey };
}

function dataKeyOf(keks: KeyEncryptionKeys, row: SealedCard): Promise<KeyObject> {
  return openDataKey(keks, row, contextOf(row.id));
}

function sealBox(dataKey: KeyObject, id: string, { number, securityCode }: CardSecrets): Uint8Array<ArrayBuffer> {
  return sealJson(dataKey, { number, securityCode }, contextOf(id));
}

function openBox(dataKey: KeyObject, { id, sealedCard }: SealedCard): CardSecrets {
  return openJson<CardSecrets>(dataKey, sealedCard, contextOf(id));
}

// Sixteen digits can be tried through; without the data key this says nothing of them.
function fingerprintOf(dataKey: KeyObject, number: string): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(hkdfSync("sha256", dataKey, "", "satchel card fingerprint", 32));
  return new Uint8Array(createHmac("sha256", key).update(number).digest());
}

function contextOf(id: string): string {
  return `card\0${id}`;
}

export const SEALED_CARDS: SealedTable = { name: "payment_cards", contextOf };
