/** Cards' numbers, each sealed under a data key of its own. Nothing else in the service holds one. */
import { createHmac, createSecretKey, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { PaymentCard } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database.ts";
import { open, seal } from "../../platform/sealing/sealed-box.ts";
import {
  type KeyEncryptionKeys,
  rewrapDataKey,
  unwrapDataKey,
  type WrappedKey,
} from "../../platform/sealing/wrapped-key.ts";
import type { ShipTo } from "../quote/ship-to.ts";

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

const DATA_KEY_BYTES = 32;

/** Seals a card that is about to be stored under `id`. */
export async function sealCard({ kek }: KeyEncryptionKeys, id: string, secrets: CardSecrets) {
  const dataKey = new Uint8Array(randomBytes(DATA_KEY_BYTES));
  try {
    const wrappedDataKey = await kek.wrap(dataKey, contextOf(id));
    const fingerprint = fingerprintOf(dataKey, secrets.number);
    return { sealedCard: sealBox(dataKey, id, secrets), wrappedDataKey, kekId: kek.id, fingerprint };
  } finally {
    dataKey.fill(0);
  }
}

/** The same card with another security code, under the data key it has. */
export async function resealSecurityCode(
  keks: KeyEncryptionKeys,
  row: SealedCard,
  securityCode: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return await withDataKey(keks, row, (dataKey) =>
    sealBox(dataKey, row.id, { ...openBox(dataKey, row), securityCode }),
  );
}

/** Whether the number is that card's, without opening it: its fingerprint is made with a key from its data key. */
export async function isNumberOf(
  keks: KeyEncryptionKeys,
  row: SealedCard & { readonly fingerprint: Uint8Array },
  number: string,
): Promise<boolean> {
  return await withDataKey(keks, row, (dataKey) => {
    const made = fingerprintOf(dataKey, number);
    return made.length === row.fingerprint.length && timingSafeEqual(made, row.fingerprint);
  });
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
  const secrets = await withDataKey(deps.keks, sealedOf(card), (dataKey) => openBox(dataKey, sealedOf(card)));
  const { brand, expMonth, expYear, cardholderName } = card;
  const billingAddress = card.billingAddress as unknown as ShipTo;
  return { ...secrets, brand, expMonth, expYear, cardholderName, billingAddress };
}

/** The card's data key under the current key-encryption key. @throws {UnknownKekError} */
export function rewrapCard(keks: KeyEncryptionKeys, row: WrappedKey & { readonly id: string }): Promise<WrappedKey> {
  return rewrapDataKey(keks, row, contextOf(row.id));
}

/** A card's columns as this file takes them. */
export function sealedOf(card: PaymentCard): SealedCard {
  const { id, kekId } = card;
  const [sealedCard, wrappedDataKey] = [Uint8Array.from(card.sealedCard), Uint8Array.from(card.wrappedDataKey)];
  return { id, kekId, sealedCard, wrappedDataKey };
}

async function withDataKey<Result>(
  keks: KeyEncryptionKeys,
  row: SealedCard,
  use: (dataKey: Uint8Array<ArrayBuffer>) => Result,
): Promise<Result> {
  const dataKey = await unwrapDataKey(keks, row, contextOf(row.id));
  try {
    return use(dataKey);
  } finally {
    dataKey.fill(0);
  }
}

function sealBox(dataKey: Uint8Array, id: string, { number, securityCode }: CardSecrets): Uint8Array<ArrayBuffer> {
  const plaintext = Buffer.from(JSON.stringify({ number, securityCode }));
  try {
    return seal(createSecretKey(dataKey), plaintext, contextOf(id));
  } finally {
    plaintext.fill(0);
  }
}

function openBox(dataKey: Uint8Array, { id, sealedCard }: SealedCard): CardSecrets {
  const plaintext = open(createSecretKey(dataKey), sealedCard, contextOf(id));
  try {
    return JSON.parse(Buffer.from(plaintext.buffer).toString()) as CardSecrets;
  } finally {
    plaintext.fill(0);
  }
}

// Sixteen digits can be tried through; without the data key this says nothing of them.
function fingerprintOf(dataKey: Uint8Array, number: string): Uint8Array<ArrayBuffer> {
  const key = new Uint8Array(hkdfSync("sha256", dataKey, "", "satchel card fingerprint", 32));
  return new Uint8Array(createHmac("sha256", key).update(number).digest());
}

function contextOf(id: string): string {
  return `card\0${id}`;
}
