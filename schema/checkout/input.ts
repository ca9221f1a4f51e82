/** Input fields of a cart, shared by quotes and the dispatches bound to them. */
import type { InputFieldBuilder } from "../builder.ts";
import { builder } from "../builder.ts";
import { idOf } from "../global-id.ts";
import { StorableText } from "../text.ts";

const CartItemInput = builder.inputType("CartItemInput", {
  description: "An item to buy.",
  fields: (t) => ({
    sku: t.string({
      required: true,
      validate: StorableText,
      description: "The sku, as returned by search or look-up.",
    }),
    quantity: t.int({ description: "The quantity, from 1 to 999. Default: 1." }),
  }),
});

export const ShipToInput = builder.inputType("ShipToInput", {
  description: "A postal address. As a delivery address it does not replace the cardholder's contact details.",
  fields: (t) => ({
    firstName: t.string({ description: "First name. Required." }),
    lastName: t.string({ description: "Last name. Required." }),
    company: t.string({ description: "Company." }),
    address1: t.string({ description: "Street and number. Required." }),
    address2: t.string({ description: "Apartment or floor." }),
    city: t.string({ description: "City. Required." }),
    provinceCode: t.string({ description: "Province or state code, such as CA, in countries that have them." }),
    postalCode: t.string({ description: "Postal code. Required." }),
    countryCode: t.field({ type: "CountryCode", description: "Country. Required." }),
    phone: t.string({ description: "The recipient's phone number, for the carrier." }),
  }),
});

const CartConstraintsInput = builder.inputType("CartConstraintsInput", {
  description:
    "Spending caps in minor units of the order's currency. They are checked now, and again before any card is used.",
  fields: (t) => ({
    maxTotalMinor: t.field({ type: "MinorAmount", description: "Cap on the total." }),
    maxShippingMinor: t.field({ type: "MinorAmount", description: "Cap on the delivery price." }),
    maxSubtotalMinor: t.field({ type: "MinorAmount", description: "Cap on the goods, without delivery." }),
    maxItemMinor: t.field({ type: "MinorAmount", description: "Cap on the unit price of each item." }),
  }),
});

/** Returns the input fields of a cart. */
export const CartRequestFields = (t: InputFieldBuilder) => ({
  merchantId: t.id({ required: true, description: "The id of the merchant.", validate: idOf("Merchant") }),
  items: t.field({ type: [CartItemInput], required: true, description: "The items to buy, 1 to 50." }),
  fulfillmentOptionId: t.string({ description: "The id of the selected fulfilment option of the quote." }),
  pickupLocation: t.string({
    validate: StorableText,
    description: "The store to collect from, in the user's words.",
  }),
  pickupLocationId: t.string({
    validate: StorableText,
    description: "The id of the store to collect from. Takes precedence over `pickupLocation`.",
  }),
  shipTo: t.field({ type: ShipToInput, description: "A delivery address other than the cardholder's." }),
  constraints: t.field({ type: CartConstraintsInput, description: "Spending caps." }),
});
