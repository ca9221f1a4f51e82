/**
 * Delivery address of an order, sealed under its own data key. It is personal data needed only by the merchant and the
 * evidence.
 */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import { openJson, sealJson } from "../../platform/crypto/sealing/sealed-box.ts";
import { accountTable, type RowIdentity } from "../../platform/crypto/sealing/sealed-table.ts";
import { createDataKey, type KeyEncryptionKeys, openDataKey } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { ShipTo } from "../quote/ship-to.ts";

/** Addresses open only in their order, and only while it belongs to the account that placed it. */
export const SEALED_ORDERS = accountTable("checkout_orders", "order", { boxColumn: "sealed_ship_to", kind: "order" });

/** Seals the delivery address of a new order and returns its columns. */
export async function sealDeliveryAddress(keks: KeyEncryptionKeys, order: RowIdentity, shipTo: ShipTo) {
  const context = SEALED_ORDERS.contextOf(order);
  const { dataKey, ...wrapped } = await createDataKey(keks, context);
  return { sealedShipTo: sealJson(dataKey, shipTo, context), ...wrapped, isAccountBound: true };
}

/**
 * Decrypts the delivery address of an order; null if nothing is delivered.
 * @throws {SealBrokenError} the address was sealed for another account, or its ciphertext was changed
 */
export async function openDeliveryAddress(
  keks: KeyEncryptionKeys,
  order: Pick<CheckoutOrder, "id" | "accountId" | "sealedShipTo" | "wrappedDataKey" | "kekId">,
): Promise<ShipTo | null> {
  const { sealedShipTo, wrappedDataKey, kekId } = order;
  if (!sealedShipTo || !wrappedDataKey || kekId === null) return null;
  const context = SEALED_ORDERS.contextOf(order);
  const dataKey = await openDataKey(keks, { wrappedDataKey, kekId }, context);
  return openJson<ShipTo>(dataKey, sealedShipTo, context);
}
