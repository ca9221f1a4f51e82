import { createHash } from "node:crypto";
import { type Address, addressErrors } from "../address.ts";
import { type Cart, type CartLine, findCart, findVariant, newCart } from "../carts.ts";
import { type DeliveryOption, deliveryOptions, needsDelivery, selectedOption } from "../delivery.ts";
import { type Faults, SLOW_MS } from "../faults.ts";
import { shownOf } from "../money.ts";
import { moneyIn, pricedLines, subtotalOf } from "../pricing.ts";
import type { Table } from "../table.ts";
import { gid, moneyNode, numberIn, type Visit, variantNode } from "./catalogue.ts";
import { connection } from "./connection.ts";

export interface CartDeps {
  carts: Table<Cart>;
  faults: Faults;
}

interface CartInput {
  lines?: { merchandiseId: string; quantity: number }[] | null;
  buyerIdentity?: {
    email?: string | null;
    phone?: string | null;
    countryCode?: string | null;
    preferences?: {
      delivery?: { deliveryMethod?: Cart["methods"] | null; pickupHandle?: string[] | null } | null;
    } | null;
  } | null;
  delivery?: {
    addresses?:
      | {
          address: { deliveryAddress?: Address | null };
          selected?: boolean | null;
          validationStrategy?: string | null;
        }[]
      | null;
  } | null;
}
interface UserError {
  field: string[] | null;
  code: string;
  message: string;
}
interface Warning {
  code: string;
  target: string;
  message: string;
}

const LARGEST_QUANTITY = 1_000_000;

/** Carts of the Storefront API: an id is `gid://shopify/Cart/<token>?key=<secret>`. */
export function cartFields(deps: CartDeps, visit: Visit) {
  const { carts } = deps;
  function find(id: string): Cart | undefined {
    const [, token = "", key] = /^gid:\/\/shopify\/Cart\/([\w-]+)\?key=(\w+)$/.exec(id) ?? [];
    return findCart(carts, visit.shop, token, key);
  }

  return {
    cart({ id }: { id: string }) {
      const cart = find(id);
      return cart ? cartNode(deps, visit, cart) : null;
    },
    cartCreate({ input }: { input?: CartInput | null }) {
      const errors: UserError[] = [];
      const warnings: Warning[] = [];
      const draft = draftCart(deps, visit, input ?? {}, errors, warnings);
      if (errors.length > 0) return { cart: null, userErrors: errors, warnings: [] };
      carts.put(draft);
      return { cart: cartNode(deps, visit, draft), userErrors: [], warnings };
    },
    cartSelectedDeliveryOptionsUpdate(args: {
      cartId: string;
      selectedDeliveryOptions: { deliveryGroupId: string; deliveryOptionHandle: string }[];
    }) {
      const refuse = (field: string[], code: string, message: string) => ({
        cart: null,
        userErrors: [{ field, code, message }],
        warnings: [],
      });
      const cart = find(args.cartId);
      if (!cart) return refuse(["cartId"], "INVALID", "The specified cart does not exist.");
      const [picked] = args.selectedDeliveryOptions;
      if (picked?.deliveryGroupId !== groupId(cart)) {
        return refuse(
          ["selectedDeliveryOptions", "0", "deliveryGroupId"],
          "INVALID_DELIVERY_GROUP",
          "Invalid delivery group",
        );
      }
      const option = deliveryOptions(visit.shop, cart).find(({ handle }) => handle === picked.deliveryOptionHandle);
      if (!option) {
        const field = ["selectedDeliveryOptions", "0", "deliveryOptionHandle"];
        return refuse(field, "INVALID_DELIVERY_OPTION", "Invalid delivery option");
      }
      const updated = { ...cart, selectedHandle: option.handle, isRated: true };
      carts.put(updated);
      return { cart: cartNode(deps, visit, updated), userErrors: [], warnings: [] };
    },
  };
}

/** A cart as it would be; what is wrong with it goes into `errors`, what was changed into `warnings`. */
function draftCart(deps: CartDeps, visit: Visit, input: CartInput, errors: UserError[], warnings: Warning[]): Cart {
  const { shop } = visit;
  const buyer = input.buyerIdentity ?? {};
  const given = (input.delivery?.addresses ?? []).find(({ selected }) => selected) ?? input.delivery?.addresses?.[0];
  const address = given?.address.deliveryAddress ?? null;
  if (address && given?.validationStrategy === "STRICT") {
    const at = String(input.delivery?.addresses?.indexOf(given) ?? 0);
    for (const { field, code, message } of addressErrors(address)) {
      errors.push({
        field: ["input", "delivery", "addresses", at, "address", "deliveryAddress", field],
        code,
        message,
      });
    }
  }
  const cart = newCart(shop, [], {
    email: buyer.email ?? null,
    phone: buyer.phone ?? null,
    countryCode: buyer.countryCode ?? address?.countryCode ?? visit.country,
    address,
    methods: buyer.preferences?.delivery?.deliveryMethod ?? [],
    pickupHandles: buyer.preferences?.delivery?.pickupHandle ?? [],
  });
  cart.faults = deps.faults.take(shop.name, "cart", cart.id);
  cart.lines = draftLines(visit, input.lines ?? [], cart.faults.includes("stock_out_cart"), errors, warnings);

  const minimum = moneyIn(shop, cart.countryCode, shop.minimumMinor ?? 0);
  const isBelow = cart.lines.length > 0 && subtotalOf(shop, cart).amountMinor < minimum.amountMinor;
  if (isBelow) {
    errors.push({
      field: ["input", "lines"],
      code: "MINIMUM_NOT_MET",
      message: `Orders start at ${shownOf(minimum)}.`,
    });
  }
  return cart;
}

function draftLines(
  { shop }: Visit,
  wanted: NonNullable<CartInput["lines"]>,
  isSoldOut: boolean,
  errors: UserError[],
  warnings: Warning[],
): CartLine[] {
  return wanted.flatMap(({ merchandiseId, quantity }, index) => {
    const field = (name: string) => ["input", "lines", String(index), name];
    const found = findVariant(shop, numberIn(merchandiseId, "ProductVariant") ?? -1);
    if (!found) {
      const message = `The merchandise with id ${merchandiseId} does not exist.`;
      errors.push({ field: field("merchandiseId"), code: "INVALID", message });
      return [];
    }
    if (quantity < 1) {
      errors.push({ field: field("quantity"), code: "LESS_THAN", message: "Quantity must be at least 1." });
      return [];
    }
    if (quantity > LARGEST_QUANTITY) {
      errors.push({ field: field("quantity"), code: "MAXIMUM_EXCEEDED", message: "Quantity is too large." });
      return [];
    }
    const { product, variant } = found;
    const stock = isSoldOut ? 0 : (variant.stock ?? quantity);
    if (stock === 0) {
      const message = `The product '${product.title}' is already sold out.`;
      warnings.push({ code: "MERCHANDISE_OUT_OF_STOCK", target: merchandiseId, message });
      return [];
    }
    const [line] = newCart(shop, [{ variantId: variant.id, quantity: Math.min(quantity, stock) }]).lines;
    if (stock < quantity && line) {
      const message = `Only ${stock} items of '${product.title}' are left and were added to your cart.`;
      warnings.push({ code: "MERCHANDISE_NOT_ENOUGH_STOCK", target: gid("CartLine", line.id), message });
    }
    return line ? [line] : [];
  });
}

function groupId({ id }: Cart): string {
  return gid("CartDeliveryGroup", createHash("sha256").update(id).digest("hex").slice(0, 32));
}

function cartNode({ carts }: CartDeps, { shop, url, country }: Visit, cart: Cart) {
  const visit = { shop, url, country: cart.countryCode || country };
  const lines = pricedLines(shop, cart).map(({ id, quantity, product, variant, unit, total }) => ({
    id: gid("CartLine", id),
    quantity,
    cost: { amountPerQuantity: moneyNode(unit), subtotalAmount: moneyNode(total), totalAmount: moneyNode(total) },
    merchandise: { ...variantNode(visit, product, variant), price: moneyNode(unit) },
  }));
  function cost() {
    // Read anew: in one query the rates may have been asked for meanwhile.
    const current = carts.get(cart.id) ?? cart;
    const subtotal = subtotalOf(shop, current);
    const delivery = current.isRated ? selectedOption(deliveryOptions(shop, current), current)?.cost.amountMinor : 0;
    const total = { ...subtotal, amountMinor: subtotal.amountMinor + (delivery ?? 0) };
    return {
      subtotalAmount: moneyNode(subtotal),
      subtotalAmountEstimated: true,
      totalAmount: moneyNode(total),
      totalAmountEstimated: true,
      checkoutChargeAmount: moneyNode(total),
    };
  }
  return {
    __typename: "Cart",
    id: gid("Cart", `${cart.id}?key=${cart.key}`),
    checkoutUrl: `${url}/cart/c/${cart.id}?key=${cart.key}`,
    totalQuantity: cart.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    createdAt: cart.createdAt,
    updatedAt: cart.createdAt,
    cost,
    buyerIdentity: { email: cart.email, phone: cart.phone, countryCode: cart.countryCode },
    lines: (page: { first?: number | null }) => connection(lines, page),
    async deliveryGroups({ withCarrierRates, ...page }: { first?: number | null; withCarrierRates: boolean }) {
      if (cart.faults.includes("rates_slow")) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      if (!needsDelivery(shop, cart)) return connection([], page);
      const options = deliveryOptions(shop, cart).filter((option) => withCarrierRates || !option.isCarrierRate);
      if (withCarrierRates && !cart.isRated) carts.put({ ...(carts.get(cart.id) ?? cart), isRated: true });
      const selected = selectedOption(options, carts.get(cart.id) ?? cart);
      const group = {
        id: groupId(cart),
        groupType: "ONE_TIME_PURCHASE",
        cartLines: (linePage: { first?: number | null }) => connection(lines, linePage),
        deliveryOptions: options.map(optionNode),
        selectedDeliveryOption: selected ? optionNode(selected) : null,
      };
      return connection([group], page);
    },
  };
}

function optionNode({ handle, title, code, description, method, cost }: DeliveryOption) {
  return { handle, title, code, description, deliveryMethodType: method, estimatedCost: moneyNode(cost) };
}
