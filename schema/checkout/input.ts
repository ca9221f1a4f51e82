/** What a cart is asked for with: the same for a quote and for the dispatch that is bound to it. */
import type { InputFieldBuilder } from "../builder.ts";
import { builder } from "../builder.ts";
import { StorableText } from "../text.ts";

const CartItemInput = builder.inputType("CartItemInput", {
  description: "One thing to buy.",
  fields: (t) => ({
    sku: t.string({ required: true, validate: StorableText, description: "As search or lookup gave it." }),
    quantity: t.int({ description: "How many; default 1." }),
  }),
});

export const ShipToInput = builder.inputType("ShipToInput", {
  description: "Somebody else's address. Contact details stay the cardholder's.",
  fields: (t) => ({
    firstName: t.string({ description: "First name; needed." }),
    lastName: t.string({ description: "Last name; needed." }),
    company: t.string({ description: "Company." }),
    address1: t.string({ description: "Street and number; needed." }),
    address2: t.string({ description: "Apartment, floor." }),
    city: t.string({ description: "City; needed." }),
    provinceCode: t.string({ description: "Province's or state's code, where there are any." }),
    postalCode: t.string({ description: "Postal code; needed." }),
    countryCode: t.string({ description: "Country (ISO 3166); needed." }),
    phone: t.string({ description: "The recipient's telephone, for the carrier." }),
  }),
});

const CartConstraintsInput = builder.inputType("CartConstraintsInput", {
  description: "Caps in minor units of the order's currency: checked now, and again before any card is used.",
  fields: (t) => ({
    maxTotalMinor: t.field({ type: "MinorAmount", description: "On the total." }),
    maxShippingMinor: t.field({ type: "MinorAmount", description: "On delivery." }),
    maxSubtotalMinor: t.field({ type: "MinorAmount", description: "On the goods." }),
    maxItemMinor: t.field({ type: "MinorAmount", description: "On each item." }),
  }),
});

/** Fields of an input that names a cart. */
export const CartRequestFields = (t: InputFieldBuilder) => ({
  merchantId: t.string({ required: true, validate: StorableText, description: "The shop's own id: `mer_…`." }),
  items: t.field({ type: [CartItemInput], required: true, description: "What to buy." }),
  fulfillmentOptionId: t.string({ description: "The chosen one of the quote's options." }),
  pickupLocation: t.string({
    validate: StorableText,
    description: "The store to collect from, in the person's words.",
  }),
  pickupLocationId: t.string({ validate: StorableText, description: "Its id; goes before the words." }),
  shipTo: t.field({ type: ShipToInput, description: "Another address than the cardholder's." }),
  constraints: t.field({ type: CartConstraintsInput, description: "Caps." }),
});
