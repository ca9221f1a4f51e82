import type { Constraints } from "../../src/checkout/quote/constraints.ts";
import type { FulfillmentOption, PickupLocation } from "../../src/checkout/quote/fulfillment.ts";
import type { PickupResolution } from "../../src/checkout/quote/pickup.ts";
import type { Quote, QuoteLine, Unfulfillable } from "../../src/checkout/quote/quote.ts";
import { type MerchantQuote, quoteCart } from "../../src/checkout/quote/quote-cart.ts";
import type { ShipToEcho } from "../../src/checkout/quote/ship-to.ts";
import { MoneyType, toMoney } from "../amounts.ts";
import { builder } from "../builder.ts";
import { wireEnum } from "../wire-enum.ts";
import { QUOTE_CART_ERRORS } from "./errors.ts";
import { CartRequestFields } from "./input.ts";
import { MerchantNode, RailEnum } from "./merchants.ts";

/** Part of a quote, with the quote's currency. */
type WithCurrency<Part> = Part & { readonly currency: string };

/** Returns the lines of a quote for fields of type `QuoteLine`. */
export function toQuoteLines({ lines, currency }: Pick<Quote, "lines" | "currency">): WithCurrency<QuoteLine>[] {
  return lines.map((line) => ({ ...line, currency }));
}

/** Returns caps for fields of type `CartConstraints`; null if there are none. */
export function toCartConstraints(constraints: Constraints | null | undefined, currency: string | null) {
  return constraints && currency !== null ? { ...constraints, currency } : null;
}

export const QuoteLineType = builder.objectRef<WithCurrency<QuoteLine>>("QuoteLine").implement({
  description: "A line of a quote.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The requested sku." }),
    productId: t.exposeString("productId", { nullable: true, description: "The merchant's id of the product." }),
    title: t.exposeString("title", { description: "The title of the product." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "The title of the variant." }),
    quantity: t.exposeInt("quantity", { description: "The quantity." }),
    unitPrice: t.field({
      type: MoneyType,
      description: "The unit price.",
      resolve: ({ unitPriceMinor, currency }) => toMoney(unitPriceMinor, currency),
    }),
    subtotal: t.field({
      type: MoneyType,
      description: "Unit price times quantity.",
      resolve: ({ subtotalMinor, currency }) => toMoney(subtotalMinor, currency),
    }),
    discount: t.field({
      type: MoneyType,
      description: "The merchant's discount.",
      resolve: ({ discountMinor, currency }) => toMoney(discountMinor, currency),
    }),
    total: t.field({
      type: MoneyType,
      description: "The subtotal less the discount.",
      resolve: ({ totalMinor, currency }) => toMoney(totalMinor, currency),
    }),
    available: t.exposeBoolean("available", { description: "Whether the variant is available." }),
    requiresShipping: t.exposeBoolean("requiresShipping", {
      description: "Whether the item is physical and must be shipped or collected.",
    }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "The URL of an image." }),
    productUrl: t.expose("productUrl", { type: "Url", nullable: true, description: "The URL of the product page." }),
  }),
});

const PickupLocationType = builder.objectRef<PickupLocation>("PickupLocation").implement({
  description: "A store that offers pickup.",
  fields: (t) => ({
    pickupLocationId: t.exposeString("id", { description: "The id of the store, to send as `pickupLocationId`." }),
    name: t.exposeString("name", { description: "The name of the store." }),
    address: t.exposeString("address", {
      nullable: true,
      description: "The address of the store, as formatted by the merchant.",
    }),
  }),
});

const FulfillmentTypeEnum = wireEnum("FulfillmentType", "The type of a fulfilment option.", {
  shipping: "Shipped to an address.",
  pickup: "Collected from a store of the merchant.",
  pickup_point: "Collected from a parcel point.",
  local_delivery: "Delivered locally by the merchant.",
  digital: "Digital goods; nothing is shipped.",
});

export const FulfillmentOptionType = builder.objectRef<FulfillmentOption>("FulfillmentOption").implement({
  description: "A delivery or pickup option for a cart.",
  fields: (t) => ({
    optionId: t.exposeString("id", { description: "The id of the option, to send as `fulfillmentOptionId`." }),
    type: t.expose("type", { type: FulfillmentTypeEnum, description: "The type of the option." }),
    title: t.exposeString("title", { description: "The merchant's title of the option." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The merchant's description of the option.",
    }),
    amount: t.field({
      type: MoneyType,
      description: "The price of the option.",
      resolve: ({ amountMinor, currency }) => toMoney(amountMinor, currency),
    }),
    location: t.expose("location", {
      type: PickupLocationType,
      nullable: true,
      description: "The store to collect from; null for other types.",
    }),
  }),
});

const UnfulfillableEnum = wireEnum("UnfulfillableCode", "The reason for which a merchant cannot serve a buyer.", {
  address_undeliverable: "The merchant does not ship to the country.",
  no_rates: "The merchant offers no fulfilment option for the cart and address.",
  item_unavailable: "An item is out of stock, or not available in the requested quantity.",
  pickup_only: "The items are available for pickup only.",
  minimum_not_met: "The order is below the merchant's minimum.",
});

const UnfulfillableType = builder.objectRef<Unfulfillable>("Unfulfillable").implement({
  description: "The reason for which the merchant cannot serve the buyer.",
  fields: (t) => ({
    code: t.expose("code", { type: UnfulfillableEnum, description: "The code of the reason." }),
    message: t.exposeString("message", { description: "User-facing text of the reason." }),
    skus: t.stringList({
      description: "The skus of the affected items; empty if all are affected.",
      resolve: ({ skus }) => [...skus],
    }),
    countryCode: t.expose("countryCode", {
      type: "CountryCode",
      nullable: true,
      description: "The affected country; null if the reason concerns none.",
    }),
  }),
});

const PickupStatusEnum = wireEnum("PickupStatus", "The status of resolving a pickup location to a store.", {
  resolved: "Exactly one store matches.",
  ambiguous: "Several stores match; `candidates` lists them.",
  not_found: "No store matches; `candidates` lists all stores.",
  unavailable: "Pickup is not available for the order.",
  not_requested: "The request contains no pickup location.",
});

export const PickupResolutionType = builder.objectRef<PickupResolution>("PickupResolution").implement({
  description: "The result of resolving a pickup location to a store.",
  fields: (t) => ({
    status: t.expose("status", { type: PickupStatusEnum, description: "The status of the resolution." }),
    requested: t.exposeString("requested", { nullable: true, description: "The requested name or id." }),
    location: t.expose("location", { type: PickupLocationType, nullable: true, description: "The resolved store." }),
    candidates: t.field({
      type: [PickupLocationType],
      description: "The candidate stores.",
      resolve: ({ candidates }) => [...candidates],
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "User-facing text of the reason, unless resolved.",
    }),
  }),
});

export const ShipToEchoType = builder.objectRef<ShipToEcho>("ShipToEcho").implement({
  description: "A redacted delivery address.",
  fields: (t) => ({
    recipient: t.exposeString("recipient", { description: "The initials of the recipient." }),
    city: t.exposeString("city", { description: "The city." }),
    provinceCode: t.exposeString("provinceCode", { nullable: true, description: "The province or state code." }),
    postalCodePrefix: t.exposeString("postalCodePrefix", { description: "The first half of the postal code." }),
    countryCode: t.expose("countryCode", { type: "CountryCode", description: "The country." }),
  }),
});

export const CartConstraintsType = builder.objectRef<WithCurrency<Constraints>>("CartConstraints").implement({
  description: "Spending caps on a cart. Null without such a cap.",
  fields: (t) => ({
    maxTotal: t.field({
      type: MoneyType,
      nullable: true,
      description: "Cap on the total.",
      resolve: ({ maxTotalMinor, currency }) => toMoney(maxTotalMinor, currency),
    }),
    maxShipping: t.field({
      type: MoneyType,
      nullable: true,
      description: "Cap on the delivery price.",
      resolve: ({ maxShippingMinor, currency }) => toMoney(maxShippingMinor, currency),
    }),
    maxSubtotal: t.field({
      type: MoneyType,
      nullable: true,
      description: "Cap on the goods, without delivery.",
      resolve: ({ maxSubtotalMinor, currency }) => toMoney(maxSubtotalMinor, currency),
    }),
    maxItem: t.field({
      type: MoneyType,
      nullable: true,
      description: "Cap on the unit price of each item.",
      resolve: ({ maxItemMinor, currency }) => toMoney(maxItemMinor, currency),
    }),
  }),
});

const CartQuoteSuccess = builder.objectRef<MerchantQuote>("CartQuoteSuccess").implement({
  description: "The current price of a cart. Nothing is reserved or charged.",
  fields: (t) => ({
    merchant: t.expose("merchant", { type: MerchantNode, description: "The merchant." }),
    rail: t.expose("rail", {
      type: RailEnum,
      description: "The source of the price: `SHOPIFY` for live prices, `WORKER` for a stored catalogue.",
    }),
    currency: t.expose("currency", {
      type: "CurrencyCode",
      description: "The currency of all amounts. Send it to dispatch with the amount.",
    }),
    lines: t.field({
      type: [QuoteLineType],
      description: "The lines of the cart.",
      resolve: toQuoteLines,
    }),
    subtotal: t.field({
      type: MoneyType,
      description: "The price of the goods.",
      resolve: ({ subtotalMinor, currency }) => toMoney(subtotalMinor, currency),
    }),
    fulfillmentOptions: t.field({
      type: [FulfillmentOptionType],
      description:
        "The fulfilment options. Empty if the merchant prices delivery only at checkout, or cannot serve the buyer.",
      resolve: ({ options }) => [...options],
    }),
    requiresFulfillmentChoice: t.exposeBoolean("requiresChoice", {
      description: "Whether several options exist and none is selected. The amount is null until one is selected.",
    }),
    selectedOptionId: t.exposeString("selectedOptionId", {
      nullable: true,
      description: "The id of the priced option.",
    }),
    expectedAmount: t.field({
      type: MoneyType,
      nullable: true,
      description:
        "The amount to approve and send to dispatch. Null until an option is selected, or if the merchant cannot serve the buyer.",
      resolve: ({ expectedMinor, currency }) => toMoney(expectedMinor, currency),
    }),
    amountIsFinal: t.exposeBoolean("isFinal", {
      description:
        "Whether `expectedAmount` is the exact charge. Otherwise it is a ceiling that the charge does not exceed.",
    }),
    chargeEstimate: t.field({
      type: MoneyType,
      nullable: true,
      description: "The price of goods and delivery, without tax that is added at checkout. Null like the amount.",
      resolve: ({ estimateMinor, currency }) => toMoney(estimateMinor, currency),
    }),
    chargeCap: t.field({
      type: MoneyType,
      nullable: true,
      description: "The maximum charge. Null like the amount.",
      resolve: ({ capMinor, currency }) => toMoney(capMinor, currency),
    }),
    basketUrl: t.expose("basketUrl", {
      type: "Url",
      nullable: true,
      description:
        "The URL of the same cart on the merchant's site. If the user pays there, do not also dispatch the order.",
    }),
    shipTo: t.expose("shipToEcho", {
      type: ShipToEchoType,
      nullable: true,
      description: "The redacted delivery address; null if none was sent.",
    }),
    shipToSha256: t.exposeString("shipToSha256", {
      nullable: true,
      description: "SHA-256 of the delivery address, hexadecimal. The dispatch is bound to it.",
    }),
    billingUsesShipTo: t.exposeBoolean("billingUsesShipTo", {
      description:
        "Whether the merchant receives the delivery address as the card's billing address too, as at the latest order to another address. Show it to the user before the approval.",
    }),
    constraints: t.field({
      type: CartConstraintsType,
      nullable: true,
      description: "The spending caps; null if the request has none.",
      resolve: ({ constraints, currency }) => toCartConstraints(constraints, currency),
    }),
    unfulfillable: t.expose("unfulfillable", {
      type: UnfulfillableType,
      nullable: true,
      description: "The reason for which the merchant cannot serve the buyer; null if it can.",
    }),
    pickupResolution: t.expose("pickup", {
      type: PickupResolutionType,
      description: "The result of resolving the pickup location.",
    }),
  }),
});

const CartQuoteInput = builder.inputType("CartQuoteInput", {
  description: "The cart to price.",
  fields: (t) => CartRequestFields(t),
});

builder.queryField("cartQuote", (t) =>
  t.field({
    type: CartQuoteSuccess,
    complexity: 100,
    authScopes: { account: true },
    description: "Prices a cart at a merchant, including delivery. Never charges.",
    errors: {
      types: QUOTE_CART_ERRORS,
      union: { name: "CartQuoteResult", description: "The quote, or an error." },
    },
    args: { input: t.arg({ type: CartQuoteInput, required: true, description: "The cart to price." }) },
    resolve: (_root, { input }, { deps, viewer }) => quoteCart(deps, viewer, input),
  }),
);
