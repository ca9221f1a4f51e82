/** Quote as stored with an order. */
const LINE = {
  ...{ sku: "gid://shopify/ProductVariant/1", productId: null, title: "Waxed jacket", variantTitle: "Navy / M" },
  ...{ quantity: 1, unitPriceMinor: 2_500, subtotalMinor: 2_500, discountMinor: 0, totalMinor: 2_500 },
  ...{
    available: true,
    requiresShipping: true,
    imageUrl: null,
    productUrl: "https://merchant.example/products/jacket",
  },
};
const DELIVERY = { id: "g|standard", type: "shipping", title: "Royal Mail 48", amountMinor: 395, currency: "GBP" };
export const QUOTE = {
  currency: "GBP",
  lines: [LINE, { ...LINE, sku: "2", title: "Wool socks", variantTitle: null }],
  options: [{ ...DELIVERY, description: null, location: null }],
  selectedOptionId: DELIVERY.id,
  basketUrl: "https://merchant.example/cart/1:1",
};
