/** Carts of the Storefront API. A cart's id contains a secret key and must never be logged. */
import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { queryStorefront } from "./client.ts";
import { moneySchema } from "./products.ts";

export type DeliveryMethod = "SHIPPING" | "PICK_UP" | "PICKUP_POINT";

export interface CartRequest {
  readonly lines: readonly { readonly sku: string; readonly quantity: number }[];
  readonly country: string;
  /** Delivery address; null if not yet known. */
  readonly address: ShipTo | null;
  readonly methods: readonly DeliveryMethod[];
}

const TOTAL_FIELDS = `cost { totalAmount { amount currencyCode } }
  discountAllocations { targetType discountedAmount { amount currencyCode } }`;
const CREATE = `mutation CartCreate($input: CartInput!) {
  cartCreate(input: $input) {
    cart { id checkoutUrl ${TOTAL_FIELDS} cost { subtotalAmount { amount currencyCode } }
      lines(first: 50) { nodes { id quantity cost { subtotalAmount { amount currencyCode } totalAmount { amount currencyCode } }
        merchandise { ... on ProductVariant { id title price { amount currencyCode } } } } } }
    userErrors { field code message }
    warnings { code target message }
  }
}`;
const RATES = `query Rates($id: ID!) {
  cart(id: $id) { ... @defer { deliveryGroups(first: 10, withCarrierRates: true) { nodes { id groupType selectedDeliveryOption { handle }
    deliveryOptions { handle title code description deliveryMethodType estimatedCost { amount currencyCode } } } } } }
}`;
const PICK = `mutation Pick($cartId: ID!, $options: [CartSelectedDeliveryOptionInput!]!) {
  cartSelectedDeliveryOptionsUpdate(cartId: $cartId, selectedDeliveryOptions: $options) {
    cart { ${TOTAL_FIELDS} } userErrors { code message }
  }
}`;

const userError = z.object({ field: z.array(z.string()).nullish(), code: z.string().nullish(), message: z.string() });
const priced = z.object({
  cost: z.object({ totalAmount: moneySchema }),
  /** Discounts on the whole cart or on its delivery; those on single lines are part of the lines' totals. */
  discountAllocations: z.array(z.object({ targetType: z.string(), discountedAmount: moneySchema })),
});
const cart = priced.extend({
  id: z.string(),
  checkoutUrl: z.url({ protocol: /^https?$/ }),
  cost: z.object({ subtotalAmount: moneySchema, totalAmount: moneySchema }),
  lines: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        quantity: z.int().positive(),
        cost: z.object({ subtotalAmount: moneySchema, totalAmount: moneySchema }),
        merchandise: z.object({ id: z.string(), title: z.string(), price: moneySchema }),
      }),
    ),
  }),
});
const created = z.object({
  cartCreate: z.object({
    cart: cart.nullable(),
    userErrors: z.array(userError),
    warnings: z.array(z.object({ code: z.string().nullish(), target: z.string(), message: z.string() })),
  }),
});
const rated = z.object({
  cart: z.object({
    deliveryGroups: z.object({
      nodes: z.array(
        z.object({
          id: z.string(),
          deliveryOptions: z.array(
            z.object({
              handle: z.string(),
              title: z.string().nullish(),
              code: z.string().nullish(),
              description: z.string().nullish(),
              deliveryMethodType: z.string(),
              estimatedCost: moneySchema,
            }),
          ),
        }),
      ),
    }),
  }),
});
const picked = z.object({
  cartSelectedDeliveryOptionsUpdate: z.object({
    cart: priced.nullable(),
    userErrors: z.array(userError),
  }),
});

export type CreatedCart = z.output<typeof created>["cartCreate"];
export type StorefrontCart = z.output<typeof cart>;
/** A cart's own total and the discounts in it. */
export type PricedCart = z.output<typeof priced>;
export type CartUserError = z.output<typeof userError>;
export type DeliveryGroup = z.output<typeof rated>["cart"]["deliveryGroups"]["nodes"][number];

/** Creates a cart. The result includes user errors and warnings. @throws {CatalogUnavailableError} */
export async function createCart(egress: Egress, storeUrl: string, request: CartRequest): Promise<CreatedCart> {
  const { lines, country, address, methods } = request;
  const input = {
    lines: lines.map(({ sku, quantity }) => ({ merchandiseId: sku, quantity })),
    buyerIdentity: { countryCode: country, preferences: { delivery: { deliveryMethod: methods } } },
    ...(address === null ? {} : { delivery: { addresses: [toSelectedAddress(address)] } }),
  };
  const variables = { input };
  return (await queryStorefront(egress, storeUrl, { query: CREATE, variables, schema: created })).cartCreate;
}

/** Returns the delivery groups of a cart; an empty list means no delivery. @throws {CatalogUnavailableError} */
export async function readDelivery(
  egress: Egress,
  storeUrl: string,
  cartId: string,
): Promise<readonly DeliveryGroup[]> {
  const response = await queryStorefront(egress, storeUrl, { query: RATES, variables: { id: cartId }, schema: rated });
  return response.cart.deliveryGroups.nodes;
}

/**
 * Selects one delivery option per group and returns the priced cart; null if the merchant rejects the selection.
 * @throws {CatalogUnavailableError}
 */
export async function pickDelivery(
  egress: Egress,
  storeUrl: string,
  { cartId, picks }: { cartId: string; picks: readonly { readonly groupId: string; readonly handle: string }[] },
): Promise<PricedCart | null> {
  const options = picks.map(({ groupId, handle }) => ({ deliveryGroupId: groupId, deliveryOptionHandle: handle }));
  const response = await queryStorefront(egress, storeUrl, {
    query: PICK,
    variables: { cartId, options },
    schema: picked,
  });
  const { cart: found, userErrors } = response.cartSelectedDeliveryOptionsUpdate;
  return userErrors.length > 0 ? null : found;
}

function toSelectedAddress(address: ShipTo) {
  const deliveryAddress = {
    firstName: address.firstName,
    lastName: address.lastName,
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    provinceCode: address.provinceCode,
    zip: address.postalCode,
    countryCode: address.countryCode,
    phone: address.phone,
  };
  return { selected: true, oneTimeUse: true, validationStrategy: "STRICT", address: { deliveryAddress } };
}
