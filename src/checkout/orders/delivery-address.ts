/** Where an order goes, sealed under a data key of the order's own: it is personal, and only the shop and the evidence need it. */
import { createSecretKey, randomBytes } from "node:crypto";
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { open, seal } from "../../platform/sealing/sealed-box.ts";
import {
  type KeyEncryptionKeys,
  rewrapDataKey,
  unwrapDataKey,
  type WrappedKey,
} from "../../platform/sealing/wrapped-key.ts";
import type { ShipTo } from "../quote/ship-to.ts";

const DATA_KEY_BYTES = 32;

/** The columns of an order that is about to be stored under `orderId`. */
export async function sealDeliveryAddress({ kek }: KeyEncryptionKeys, orderId: string, shipTo: ShipTo) {
  const dataKey = new Uint8Array(randomBytes(DATA_KEY_BYTES));
  const plaintext = Buffer.from(JSON.stringify(shipTo));
  try {
    const wrappedDataKey = await kek.wrap(dataKey, contextOf(orderId));
    const sealedShipTo = seal(createSecretKey(dataKey), plaintext, contextOf(orderId));
    return { sealedShipTo, wrappedDataKey, kekId: kek.id };
  } finally {
    plaintext.fill(0);
    dataKey.fill(0);
  }
}

/** Null where it goes to the cardholder, or nowhere. */
export async function openDeliveryAddress(
  keks: KeyEncryptionKeys,
  order: Pick<CheckoutOrder, "id" | "sealedShipTo" | "wrappedDataKey" | "kekId">,
): Promise<ShipTo | null> {
  const { id, sealedShipTo, wrappedDataKey, kekId } = order;
  if (!sealedShipTo || !wrappedDataKey || kekId === null) return null;
  const dataKey = await unwrapDataKey(keks, { wrappedDataKey, kekId }, contextOf(id));
  try {
    const plaintext = open(createSecretKey(dataKey), sealedShipTo, contextOf(id));
    try {
      return JSON.parse(Buffer.from(plaintext.buffer).toString()) as ShipTo;
    } finally {
      plaintext.fill(0);
    }
  } finally {
    dataKey.fill(0);
  }
}

/** The order's data key under the current key-encryption key. @throws {UnknownKekError} */
export function rewrapDeliveryAddress(
  keks: KeyEncryptionKeys,
  row: WrappedKey & { readonly id: string },
): Promise<WrappedKey> {
  return rewrapDataKey(keks, row, contextOf(row.id));
}

function contextOf(orderId: string): string {
  return `order\0${orderId}`;
}
