import { createHash } from "node:crypto";
import { type Address, addressErrors } from "../address.ts";
import { type Cart, type CartLine, findCart, findVariant, newCart } from "../carts.ts";
import { type DeliveryOption, deliveryOptions, needsDelivery, selectedOption } from "../delivery.ts";
import { cartDiscounts, selectedDeliveryMinor } from "../discounts.ts";
import { type Faults, SLOW_MS } from "../faults.ts";
import { shownOf } from "../money.ts";
import { moneyIn, pricedLines, subtotalOf } from "../pricing.ts";
import type { Table } from "../table.ts";
import { gid, moneyNode, numberIn, type StorefrontContext, variantNode } from "./catalogue.ts";
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

const MAX_QUANTITY = 1_000_000;

/** Returns the resolvers of the Storefront API's cart fields. Cart ids are `gid://shopify/Cart/<token>?key=<secret>`. */
export function cartFields(deps: CartDeps, context: StorefrontContext) {
  const { carts } = deps;
  function find(id: string): Cart | undefined {
    const [, token = "", key] = /^gid:\/\/shopify\/Cart\/([\w-]+)\?key=(\w+)$/.exec(id) ?? [];
    return findCart(carts, context.store, token, key);
  }

  return {
    cart({ id }: { id: string }) {
      const cart = find(id);
      return cart ? cartNode(deps, context, cart) : null;
    },
    cartCreate({ input }: { input?: CartInput | null }) {
      const errors: UserError[] = [];
      const warnings: Warning[] = [];
      const draft = draftCart(deps, context, input ?? {}, errors, warnings);
      if (errors.length > 0) return { cart: null, userErrors: errors, warnings: [] };
      carts.put(draft);
      return { cart: cartNode(deps, context, draft), userErrors: [], warnings };
    },
    cartSelectedDeliveryOptionsUpdate(args: {
      cartId: string;
      selectedDeliveryOptions: { deliveryGroupId: string; deliveryOptionHandle: string }[];
    }) {
      const reject = (field: string[], code: string, message: string) => ({
        cart: null,
        userErrors: [{ field, code, message }],
        warnings: [],
      });
      const cart = find(args.cartId);
      if (!cart) return reject(["cartId"], "INVALID", "The specified cart does not exist.");
      const [picked] = args.selectedDeliveryOptions;
      if (picked?.deliveryGroupId !== groupId(cart)) {
        return reject(
          ["selectedDeliveryOptions", "0", "deliveryGroupId"],
          "INVALID_DELIVERY_GROUP",
          "Invalid delivery group",
        );
      }
      const option = deliveryOptions(context.store, cart).find(({ handle }) => handle === picked.deliveryOptionHandle);
      if (!option) {
        const field = ["selectedDeliveryOptions", "0", "deliveryOptionHandle"];
        return reject(field, "INVALID_DELIVERY_OPTION", "Invalid delivery option");
      }
      const updated = { ...cart, selectedHandle: option.handle, isRated: true };
      carts.put(updated);
      return { cart: cartNode(deps, context, updated), userErrors: [], warnings: [] };
    },
  };
}

/** Returns a new cart without storing it. Appends to `errors` if the input is invalid, to `warnings` if stock is insufficient. */
function draftCart(
  deps: CartDeps,
  context: StorefrontContext,
  input: CartInput,
  errors: UserError[],
  warnings: Warning[],
): Cart {
  const { store } = context;
  const buyer = input.buyerIdentity ?? {};
  const chosen = (input.delivery?.addresses ?? []).find(({ selected }) => selected) ?? input.delivery?.addresses?.[0];
  const address = chosen?.address.deliveryAddress ?? null;
  if (address && chosen?.validationStrategy === "STRICT") {
    const at = String(input.delivery?.addresses?.indexOf(chosen) ?? 0);
    for (const { field, code, message } of addressErrors(address)) {
      errors.push({
        field: ["input", "delivery", "addresses", at, "address", "deliveryAddress", field],
        code,
        message,
      });
    }
  }
  const cart = newCart(store, [], {
    email: buyer.email ?? null,
    phone: buyer.phone ?? null,
    countryCode: buyer.countryCode ?? address?.countryCode ?? context.country,
    address,
    methods: buyer.preferences?.delivery?.deliveryMethod ?? [],
    pickupHandles: buyer.preferences?.delivery?.pickupHandle ?? [],
  });
  cart.faults = deps.faults.consume(store.name, "cart", cart.id);
  cart.lines = draftLines(context, input.lines ?? [], cart.faults.includes("stock_out_cart"), errors, warnings);

  const minimum = moneyIn(store, cart.countryCode, store.minimumMinor ?? 0);
  const isBelow = cart.lines.length > 0 && subtotalOf(store, cart).amountMinor < minimum.amountMinor;
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
  { store }: StorefrontContext,
  requested: NonNullable<CartInput["lines"]>,
  isSoldOut: boolean,
  errors: UserError[],
  warnings: Warning[],
): CartLine[] {
  return requested.flatMap(({ merchandiseId, quantity }, index) => {
    const field = (name: string) => ["input", "lines", String(index), name];
    const found = findVariant(store, numberIn(merchandiseId, "ProductVariant") ?? -1);
    if (!found) {
      const message = `The merchandise with id ${merchandiseId} does not exist.`;
      errors.push({ field: field("merchandiseId"), code: "INVALID", message });
      return [];
    }
    if (quantity < 1) {
      errors.push({ field: field("quantity"), code: "LESS_THAN", message: "Quantity must be at least 1." });
      return [];
    }
    if (quantity > MAX_QUANTITY) {
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
    const [line] = newCart(store, [{ variantId: variant.id, quantity: Math.min(quantity, stock) }]).lines;
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

function cartNode({ carts }: CartDeps, { store, url, country }: StorefrontContext, cart: Cart) {
  const context = { store, url, country: cart.countryCode || country };
  const lines = pricedLines(store, cart).map(({ id, quantity, product, variant, unit, subtotal, total }) => ({
    id: gid("CartLine", id),
    quantity,
    cost: { amountPerQuantity: moneyNode(unit), subtotalAmount: moneyNode(subtotal), totalAmount: moneyNode(total) },
    merchandise: { ...variantNode(context, product, variant), price: moneyNode(unit) },
  }));
  function cost() {
    // The cart is read again, because `deliveryGroups` of the same query may have updated it.
    const current = carts.get(cart.id) ?? cart;
    const subtotal = subtotalOf(store, current);
    const deliveryMinor = selectedDeliveryMinor(store, current);
    const discountMinor = cartDiscounts(store, current, deliveryMinor).reduce((sum, it) => sum + it.amountMinor, 0);
    const total = { ...subtotal, amountMinor: subtotal.amountMinor + (deliveryMinor ?? 0) - discountMinor };
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
    discountAllocations() {
      const current = carts.get(cart.id) ?? cart;
      return cartDiscounts(store, current, selectedDeliveryMinor(store, current)).map((allocation) => ({
        __typename: "CartAutomaticDiscountAllocation",
        title: allocation.title,
        targetType: allocation.targetType,
        discountedAmount: moneyNode({ ...subtotalOf(store, current), amountMinor: allocation.amountMinor }),
      }));
    },
    buyerIdentity: { email: cart.email, phone: cart.phone, countryCode: cart.countryCode },
    lines: (page: { first?: number | null }) => connection(lines, page),
    async deliveryGroups({ withCarrierRates, ...page }: { first?: number | null; withCarrierRates: boolean }) {
      if (cart.faults.includes("rates_slow")) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      if (!needsDelivery(store, cart)) return connection([], page);
      const options = deliveryOptions(store, cart).filter((option) => withCarrierRates || !option.isCarrierRate);
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
