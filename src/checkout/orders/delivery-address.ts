/**
 * Delivery address of an order, sealed under its own data key. It is personal data needed only by the merchant and the
 * evidence.
 */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { SealedTable } from "../../platform/crypto/sealing/rotate.ts";
import { openJson, sealJson } from "../../platform/crypto/sealing/sealed-box.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** Seals the delivery address of a new order and returns its columns. */
export async function sealDeliveryAddress(keks: KeyEncryptionKeys, orderId: string, shipTo: ShipTo) {
  const { dataKey, ...wrapped } = await createDataKey(keks, contextOf(orderId));
  return { sealedShipTo: sealJson(dataKey, shipTo, contextOf(orderId)), ...wrapped };
}

/** Decrypts the delivery address of an order; null if nothing is delivered. */
export async function openDeliveryAddress(
  keks: KeyEncryptionKeys,
  order: Pick<CheckoutOrder, "id" | "sealedShipTo" | "wrappedDataKey" | "kekId">,
): Promise<ShipTo | null> {
  const { id, sealedShipTo, wrappedDataKey, kekId } = order;
  if (!sealedShipTo || !wrappedDataKey || kekId === null) return null;
  const dataKey = await openDataKey(keks, { wrappedDataKey, kekId }, contextOf(id));
  return openJson<ShipTo>(dataKey, sealedShipTo, contextOf(id));
}

function contextOf(orderId: string): string {
  return `order\0${orderId}`;
}

export const SEALED_ORDERS: SealedTable = { name: "checkout_orders", contextOf };
