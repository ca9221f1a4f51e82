import type { Constraints } from "../../src/checkout/quote/constraints.ts";
import type { FulfillmentOption, PickupLocation } from "../../src/checkout/quote/fulfillment.ts";
import type { PickupResolution } from "../../src/checkout/quote/pickup.ts";
import type { Quote, QuoteLine, Unfulfillable } from "../../src/checkout/quote/quote.ts";
import { quoteCart } from "../../src/checkout/quote/quote-cart.ts";
import type { ShipToEcho } from "../../src/checkout/quote/ship-to.ts";
import { builder } from "../builder.ts";
import { QUOTE_CART_ERRORS } from "./errors.ts";
import { CartRequestFields } from "./input.ts";

export const QuoteLineType = builder.objectRef<QuoteLine>("QuoteLine").implement({
  description: "A line of a priced cart.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "What was asked for." }),
    productId: t.exposeString("productId", { nullable: true, description: "The shop's id of the product." }),
    title: t.exposeString("title", { description: "Its name." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "Which of its variants." }),
    quantity: t.exposeInt("quantity", { description: "How many." }),
    unitPriceMinor: t.expose("unitPriceMinor", { type: "MinorAmount", description: "The price of one." }),
    subtotalMinor: t.expose("subtotalMinor", { type: "MinorAmount", description: "Price times quantity." }),
    discountMinor: t.expose("discountMinor", { type: "MinorAmount", description: "What the shop takes off." }),
    totalMinor: t.expose("totalMinor", { type: "MinorAmount", description: "What is left." }),
    available: t.exposeBoolean("available", { description: "Whether it can be bought now." }),
    requiresShipping: t.exposeBoolean("requiresShipping", { description: "Whether it has to travel." }),
    imageUrl: t.expose("imageUrl", { type: "Url", nullable: true, description: "A picture of it." }),
    productUrl: t.expose("productUrl", { type: "Url", nullable: true, description: "Its page." }),
  }),
});

const PickupLocationType = builder.objectRef<PickupLocation>("PickupLocation").implement({
  description: "A store where purchases can be collected.",
  fields: (t) => ({
    pickupLocationId: t.exposeString("id", { description: "Its id: pass it as `pickupLocationId`." }),
    name: t.exposeString("name", { description: "Its name." }),
    address: t.exposeString("address", { nullable: true, description: "Its address, as the shop writes it." }),
  }),
});

const FulfillmentTypeEnum = builder.enumType("FulfillmentType", {
  description: "How goods get to the buyer.",
  values: {
    shipping: { description: "Sent." },
    pickup: { description: "Collected from a store of the shop." },
    pickup_point: { description: "Collected from a parcel point." },
    local_delivery: { description: "Brought by the shop." },
    digital: { description: "Nothing travels." },
  },
});

export const FulfillmentOptionType = builder.objectRef<FulfillmentOption>("FulfillmentOption").implement({
  description: "A way to get what is in the cart.",
  fields: (t) => ({
    optionId: t.exposeString("id", { description: "Pass it as `fulfillmentOptionId`." }),
    type: t.expose("type", { type: FulfillmentTypeEnum, description: "How." }),
    title: t.exposeString("title", { description: "What the shop calls it." }),
    description: t.exposeString("description", { nullable: true, description: "What the shop says of it." }),
    amountMinor: t.expose("amountMinor", { type: "MinorAmount", description: "What it costs." }),
    currency: t.exposeString("currency", { description: "Its currency (ISO 4217)." }),
    location: t.expose("location", { type: PickupLocationType, nullable: true, description: "Where to collect." }),
  }),
});

const UnfulfillableEnum = builder.enumType("UnfulfillableCode", {
  description: "Why a shop cannot serve a buyer.",
  values: {
    address_undeliverable: { description: "It sends nothing to that country." },
    no_rates: { description: "It offers no way to that address." },
    item_unavailable: { description: "It does not have an item, or not as many." },
    pickup_only: { description: "The items can be collected only." },
    minimum_not_met: { description: "The order is below its minimum." },
  },
});

const UnfulfillableType = builder.objectRef<Unfulfillable>("Unfulfillable").implement({
  description: "Why the shop cannot serve this buyer at all.",
  fields: (t) => ({
    code: t.expose("code", { type: UnfulfillableEnum, description: "The reason." }),
    message: t.exposeString("message", { description: "The same in words." }),
    skus: t.stringList({ description: "The items it is about; empty: all.", resolve: ({ skus }) => [...skus] }),
    countryCode: t.exposeString("countryCode", { nullable: true, description: "The country it is about." }),
  }),
});

const PickupStatusEnum = builder.enumType("PickupStatus", {
  description: "Which store a collection would come from.",
  values: {
    resolved: { description: "It is clear." },
    ambiguous: { description: "Several stores have that name: `candidates` names them." },
    not_found: { description: "None has that name: `candidates` names those there are." },
    unavailable: { description: "These items cannot be collected." },
    not_requested: { description: "Nobody asked to collect." },
  },
});

export const PickupResolutionType = builder.objectRef<PickupResolution>("PickupResolution").implement({
  description: "Which store a collection would come from.",
  fields: (t) => ({
    status: t.expose("status", { type: PickupStatusEnum, description: "Whether it is clear." }),
    requested: t.exposeString("requested", { nullable: true, description: "What was asked for." }),
    location: t.expose("location", { type: PickupLocationType, nullable: true, description: "The store." }),
    candidates: t.field({
      type: [PickupLocationType],
      description: "Stores to choose from.",
      resolve: ({ candidates }) => [...candidates],
    }),
    reason: t.exposeString("reason", { nullable: true, description: "Why it is not clear." }),
  }),
});

export const ShipToEchoType = builder.objectRef<ShipToEcho>("ShipToEcho").implement({
  description: "A delivery address, shown so far that one recognises it.",
  fields: (t) => ({
    recipient: t.exposeString("recipient", { description: "Initials." }),
    city: t.exposeString("city", { description: "The city." }),
    provinceCode: t.exposeString("provinceCode", { nullable: true, description: "The province's code." }),
    postalCodePrefix: t.exposeString("postalCodePrefix", { description: "The postal code's first half." }),
    countryCode: t.exposeString("countryCode", { description: "The country (ISO 3166)." }),
  }),
});

export const CartConstraintsType = builder.objectRef<Constraints>("CartConstraints").implement({
  description: "Caps on a cart, in minor units of its currency.",
  fields: (t) => ({
    maxTotalMinor: t.expose("maxTotalMinor", { type: "MinorAmount", nullable: true, description: "On the total." }),
    maxShippingMinor: t.expose("maxShippingMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "On delivery.",
    }),
    maxSubtotalMinor: t.expose("maxSubtotalMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "On the goods.",
    }),
    maxItemMinor: t.expose("maxItemMinor", { type: "MinorAmount", nullable: true, description: "On one item." }),
  }),
});

const CartQuoteSuccess = builder.objectRef<Quote>("CartQuoteSuccess").implement({
  description: "What a cart costs now. Nothing is reserved or charged.",
  fields: (t) => ({
    merchantId: t.exposeString("merchantId", { description: "The shop." }),
    rail: t.exposeString("rail", { description: "How it was priced: `shopify` live, `worker` from a catalogue." }),
    currency: t.exposeString("currency", { description: "The currency of all amounts (ISO 4217)." }),
    lines: t.field({ type: [QuoteLineType], description: "The items.", resolve: ({ lines }) => [...lines] }),
    subtotalMinor: t.expose("subtotalMinor", { type: "MinorAmount", description: "The goods." }),
    fulfillmentOptions: t.field({
      type: [FulfillmentOptionType],
      description: "The ways to get them; empty where the shop prices delivery at checkout, or cannot serve the buyer.",
      resolve: ({ options }) => [...options],
    }),
    requiresFulfillmentChoice: t.exposeBoolean("requiresChoice", {
      description: "There is a real choice and none was made: the amount is withheld until it is.",
    }),
    selectedOptionId: t.exposeString("selectedOptionId", { nullable: true, description: "The way that is priced." }),
    expectedAmountMinor: t.expose("expectedMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "The figure to approve and to pass to dispatch; null while a choice is missing or nobody can serve.",
    }),
    amountIsFinal: t.exposeBoolean("isFinal", {
      description: "Whether that figure is the charge. Otherwise it is a ceiling that the charge stays under.",
    }),
    chargeEstimateMinor: t.expose("estimateMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "Goods and delivery, without tax that is added at checkout.",
    }),
    chargeCapMinor: t.expose("capMinor", {
      type: "MinorAmount",
      nullable: true,
      description: "The most that may be charged.",
    }),
    basketUrl: t.expose("basketUrl", {
      type: "Url",
      nullable: true,
      description: "The same cart on the shop's site. Whoever pays there must not also order here.",
    }),
    shipTo: t.expose("shipToEcho", {
      type: ShipToEchoType,
      nullable: true,
      description: "The address that was sent, recognisable.",
    }),
    shipToSha256: t.exposeString("shipToSha256", {
      nullable: true,
      description: "Its digest: dispatch is bound to it.",
    }),
    billingUsesShipTo: t.boolean({
      description: "Whether the shop sees the delivery address as the card's. The card's own address is always used.",
      resolve: () => false,
    }),
    constraints: t.expose("constraints", { type: CartConstraintsType, nullable: true, description: "The caps." }),
    unfulfillable: t.expose("unfulfillable", {
      type: UnfulfillableType,
      nullable: true,
      description: "Why the shop cannot serve this buyer at all; null when it can.",
    }),
    pickupResolution: t.expose("pickup", {
      type: PickupResolutionType,
      description: "Which store a collection would come from.",
    }),
  }),
});

const CartQuoteInput = builder.inputType("CartQuoteInput", {
  description: "A cart to price.",
  fields: (t) => CartRequestFields(t),
});

builder.queryField("cartQuote", (t) =>
  t.field({
    type: CartQuoteSuccess,
    complexity: 100,
    authScopes: { account: true },
    description: "Prices a cart at a shop, delivery included. Never charges.",
    errors: {
      types: QUOTE_CART_ERRORS,
      union: { name: "CartQuoteResult", description: "The quote, or why there is none." },
    },
    args: { input: t.arg({ type: CartQuoteInput, required: true, description: "The cart." }) },
    resolve: (_root, { input }, { deps, viewer }) => quoteCart(deps, viewer, input),
  }),
);
