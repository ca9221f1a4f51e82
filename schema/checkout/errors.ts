/** Failures of finding and pricing goods, with what stands behind them. No money moved in any of them. */
import {
  CatalogUnavailableError,
  ConstraintExceededError,
  ConstraintsInvalidError,
  ConstraintUnverifiableError,
  ItemCapExceededError,
  MissingQueryError,
  MissingUrlError,
  type NearestProduct,
  NotAProductUrlError,
  NotShopifyError,
  ShipToInvalidError,
  ShipToUnsupportedError,
  ShipToWithPickupError,
  SkuNotFoundError,
  UnsupportedCountryError,
  VariantNotFoundError,
} from "../../src/checkout/errors.ts";
import { UrlNotAllowedError } from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";
import { errorOf, INPUT_ERRORS } from "../errors.ts";

builder.objectType(ShipToInvalidError, {
  name: "ShipToInvalidError",
  ...errorOf("A field of the delivery address is missing or malformed."),
  fields: (t) => ({
    detail: t.exposeString("detail", { description: "The field's name, such as `postalCode`." }),
  }),
});

builder.objectType(ShipToUnsupportedError, {
  name: "ShipToUnsupportedError",
  ...errorOf("The shop cannot be told another delivery address."),
});

builder.objectType(ShipToWithPickupError, {
  name: "ShipToWithPickupError",
  ...errorOf("An order is either collected or delivered."),
});

builder.objectType(ConstraintsInvalidError, {
  name: "ConstraintsInvalidError",
  ...errorOf("A cap is not an integer of at least 0, or not known."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The cap." }) }),
});

builder.objectType(ConstraintExceededError, {
  name: "ConstraintExceededError",
  ...errorOf("The cart costs more than one of the caps."),
  fields: (t) => ({
    capMinor: t.exposeInt("capMinor", { description: "The cap, in minor units." }),
    actualMinor: t.exposeInt("actualMinor", { description: "What it would be." }),
    optionId: t.exposeString("optionId", { nullable: true, description: "The delivery it is about." }),
  }),
});

builder.objectType(ItemCapExceededError, {
  name: "ItemCapExceededError",
  ...errorOf("One item costs more than its cap."),
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The item." }),
    capMinor: t.exposeInt("capMinor", { description: "The cap, in minor units." }),
    actualMinor: t.exposeInt("actualMinor", { description: "What it costs." }),
  }),
});

builder.objectType(ConstraintUnverifiableError, {
  name: "ConstraintUnverifiableError",
  ...errorOf("The shop prices delivery at checkout only, so a cap cannot be checked before."),
});

const NearestProductType = builder.objectRef<NearestProduct>("NearestProduct").implement({
  description: "A product that comes close to the number asked for.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "Its number." }),
    title: t.exposeString("title", { description: "Its name." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "Which of its variants." }),
    priceMinor: t.exposeInt("priceMinor", { description: "Its price in minor units." }),
    score: t.exposeFloat("score", { description: "How close, from 0 to 1." }),
  }),
});

builder.objectType(SkuNotFoundError, {
  name: "SkuNotFoundError",
  ...errorOf("The shop sells nothing under that number."),
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The number." }),
    nearest: t.field({
      type: [NearestProductType],
      description: "What comes close, best first.",
      resolve: ({ nearest }) => [...nearest],
    }),
  }),
});

builder.objectType(MissingQueryError, {
  name: "MissingQueryError",
  ...errorOf("The words to search for are missing."),
});

builder.objectType(UnsupportedCountryError, {
  name: "UnsupportedCountryError",
  ...errorOf("Products cannot be searched in that market. Final, not transient."),
  fields: (t) => ({
    supported: t.stringList({ description: "Markets that can be.", resolve: ({ supported }) => [...supported] }),
  }),
});

builder.objectType(CatalogUnavailableError, {
  name: "CatalogUnavailableError",
  ...errorOf("The catalogue or the shop did not answer, which says nothing about what is on sale."),
});

builder.objectType(MissingUrlError, { name: "MissingUrlError", ...errorOf("The product page's address is missing.") });
builder.objectType(NotAProductUrlError, {
  name: "NotAProductUrlError",
  ...errorOf("The link leads to a shop or a collection."),
});
builder.objectType(NotShopifyError, { name: "NotShopifyError", ...errorOf("The page is not of a Shopify shop.") });
builder.objectType(VariantNotFoundError, {
  name: "VariantNotFoundError",
  ...errorOf("The shop has no such product or variant."),
});

/** What pricing a cart may be refused with. */
export const QUOTE_CART_ERRORS = [
  ...INPUT_ERRORS,
  ShipToInvalidError,
  ShipToUnsupportedError,
  ShipToWithPickupError,
  ConstraintsInvalidError,
  ConstraintExceededError,
  ItemCapExceededError,
  ConstraintUnverifiableError,
  SkuNotFoundError,
  CatalogUnavailableError,
  NotShopifyError,
];
export const SEARCH_ERRORS = [...INPUT_ERRORS, MissingQueryError, UnsupportedCountryError, CatalogUnavailableError];
export const LOOKUP_ERRORS = [
  ...INPUT_ERRORS,
  UrlNotAllowedError,
  MissingUrlError,
  NotAProductUrlError,
  NotShopifyError,
  VariantNotFoundError,
  CatalogUnavailableError,
];
