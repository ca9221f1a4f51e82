import { isAvailable } from "../carts.ts";
import type { Product, Store } from "../definition.ts";
import { type Money, themePriceOf } from "../money.ts";
import { imageUrl } from "../storefront/catalogue.ts";

/** `GET /products/<handle>.js` as themes receive it: prices in subunits (hundredths of a yen), without a currency. */
export function productJson({ currency }: Store, product: Product, url: string) {
  const price = (amountMinor: number) => themePriceOf({ amountMinor, currency } satisfies Money);
  const prices = product.variants.map(({ priceMinor }) => price(priceMinor));
  const names = product.variants[0]?.options.map(({ name }) => name) ?? [];
  const image = imageUrl(url, product).replace(/^https?:/, "");
  return {
    id: product.id,
    title: product.title,
    handle: product.handle,
    description: product.description,
    vendor: product.vendor,
    type: product.productType,
    tags: product.tags,
    price: Math.min(...prices),
    price_min: Math.min(...prices),
    price_max: Math.max(...prices),
    price_varies: new Set(prices).size > 1,
    available: product.variants.some(isAvailable),
    variants: product.variants.map((variant) => ({
      id: variant.id,
      title: variant.title,
      option1: variant.options[0]?.value ?? null,
      option2: variant.options[1]?.value ?? null,
      option3: variant.options[2]?.value ?? null,
      sku: variant.sku,
      requires_shipping: variant.requiresShipping,
      taxable: variant.taxable,
      available: isAvailable(variant),
      name: variant.title === "Default Title" ? product.title : `${product.title} - ${variant.title}`,
      public_title: variant.title === "Default Title" ? null : variant.title,
      options: variant.options.map(({ value }) => value),
      price: price(variant.priceMinor),
      compare_at_price: variant.compareAtMinor === null ? null : price(variant.compareAtMinor),
      inventory_management: variant.stock === null ? null : "shopify",
    })),
    images: [image],
    featured_image: image,
    options: names.map((name, index) => ({
      name,
      position: index + 1,
      values: [...new Set(product.variants.map(({ options }) => options[index]?.value ?? ""))],
    })),
    url: `/products/${product.handle}`,
  };
}
