/** Where an order goes, sealed under a data key of the order's own: it is personal, and only the shop and the evidence need it. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { SealedTable } from "../../platform/crypto/sealing/rotate.ts";
import { openJson, sealJson } from "../../platform/crypto/sealing/sealed-box.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** The columns of an order that is about to be stored under `orderId`. */
export async function sealDeliveryAddress(keks: KeyEncryptionKeys, orderId: string, shipTo: ShipTo) {
  const { dataKey, ...wrapped } = await createDataKey(keks, contextOf(orderId));
  return { sealedShipTo: sealJson(dataKey, shipTo, contextOf(orderId)), ...wrapped };
}

/** Null where it goes to the cardholder, or nowhere. */
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
