/** Errors of product search, look-up and pricing, with their details. None of them follows a charge. */
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
import { MoneyType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { createErrorOptions, INPUT_ERRORS } from "../errors.ts";

builder.objectType(ShipToInvalidError, {
  name: "ShipToInvalidError",
  ...createErrorOptions("A field of the delivery address is missing or malformed."),
  fields: (t) => ({
    detail: t.exposeString("detail", { description: "The name of the field, such as `postalCode`." }),
  }),
});

builder.objectType(ShipToUnsupportedError, {
  name: "ShipToUnsupportedError",
  ...createErrorOptions("The merchant delivers to the cardholder's address only."),
});

builder.objectType(ShipToWithPickupError, {
  name: "ShipToWithPickupError",
  ...createErrorOptions("The request contains both a delivery address and a pickup location."),
});

builder.objectType(ConstraintsInvalidError, {
  name: "ConstraintsInvalidError",
  ...createErrorOptions("A cap is unknown, or not a non-negative integer."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The name of the cap." }) }),
});

builder.objectType(ConstraintExceededError, {
  name: "ConstraintExceededError",
  ...createErrorOptions("The cart exceeds a cap."),
  fields: (t) => ({
    cap: t.expose("cap", { type: MoneyType, description: "The cap." }),
    actual: t.expose("actual", { type: MoneyType, description: "The actual amount." }),
    optionId: t.exposeString("optionId", {
      nullable: true,
      description: "The id of the fulfilment option that exceeds the cap.",
    }),
  }),
});

builder.objectType(ItemCapExceededError, {
  name: "ItemCapExceededError",
  ...createErrorOptions("The price of an item exceeds the cap per item."),
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The sku of the item." }),
    cap: t.expose("cap", { type: MoneyType, description: "The cap." }),
    actual: t.expose("actual", { type: MoneyType, description: "The price of the item." }),
  }),
});

builder.objectType(ConstraintUnverifiableError, {
  name: "ConstraintUnverifiableError",
  ...createErrorOptions("The merchant prices delivery only at checkout, so a cap cannot be verified in advance."),
});

const NearestProductType = builder.objectRef<NearestProduct>("NearestProduct").implement({
  description: "A product similar to the requested sku.",
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The sku of the product." }),
    title: t.exposeString("title", { description: "The title of the product." }),
    variantTitle: t.exposeString("variantTitle", { nullable: true, description: "The title of the variant." }),
    price: t.expose("price", { type: MoneyType, description: "The price." }),
    score: t.exposeFloat("score", { description: "Similarity from 0 to 1." }),
  }),
});

builder.objectType(SkuNotFoundError, {
  name: "SkuNotFoundError",
  ...createErrorOptions("The merchant sells no product with this sku."),
  fields: (t) => ({
    sku: t.exposeString("sku", { description: "The requested sku." }),
    nearest: t.field({
      type: [NearestProductType],
      description: "Similar products, best match first.",
      resolve: ({ nearest }) => [...nearest],
    }),
  }),
});

builder.objectType(MissingQueryError, {
  name: "MissingQueryError",
  ...createErrorOptions("The search query is missing."),
});

builder.objectType(UnsupportedCountryError, {
  name: "UnsupportedCountryError",
  ...createErrorOptions("Product search is not available in this market. Final, not transient."),
  fields: (t) => ({
    supported: t.field({
      type: ["CountryCode"],
      description: "The available markets.",
      resolve: ({ supported }) => [...supported],
    }),
  }),
});

builder.objectType(CatalogUnavailableError, {
  name: "CatalogUnavailableError",
  ...createErrorOptions("The catalogue or merchant did not respond. Product availability is unknown."),
});

builder.objectType(MissingUrlError, {
  name: "MissingUrlError",
  ...createErrorOptions("The URL of the product page is missing."),
});
builder.objectType(NotAProductUrlError, {
  name: "NotAProductUrlError",
  ...createErrorOptions("The URL is that of a store or a collection."),
});
builder.objectType(NotShopifyError, {
  name: "NotShopifyError",
  ...createErrorOptions("The page does not belong to a Shopify store."),
});
builder.objectType(VariantNotFoundError, {
  name: "VariantNotFoundError",
  ...createErrorOptions("The merchant has no such product or variant."),
});

/** Errors of pricing a cart. */
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
