/** Adds products to the cart and opens the checkout. */
import type { JobItem } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { isAgreement } from "./agreements.ts";
import { choiceSetsOf } from "./choices.ts";
import { findControl } from "./controls.ts";
import { CheckoutEndedError } from "./ending.ts";
import { purposeOf } from "./field-purposes.ts";
import { check, typeInto } from "./fill-field.ts";
import { clickThrough, type Navigation, openPage, snapshotUncovered } from "./navigation.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";

const CART = /\b(?:basket|cart|bag|trolley)\b|warenkorb|panier|carrito|cesta|carrello|winkel(?:wagen|mand)|カート/i;
const SOLD_OUT =
  /sold[ -]?out|out of stock|unavailable|ausverkauft|épuisé|agotado|esaurito|uitverkocht|売り切れ|在庫切れ/i;
/** Paths such as `/checkout`, `/checkouts/cn/token` and `/kasse`. */
const CHECKOUT_PATH =
  /\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:onepage)?(?:checkouts?|kasse|kassa|caisse|commande|cassa|afrekenen|zamowienie|onestepcheckout)(?:[/.]|$)/i;
/** Purposes of fields that only checkouts have. A cart may request a country and postcode, and any page for an email. */
const CHECKOUT_ONLY: ReadonlySet<string> = new Set([
  ...["first_name", "last_name", "full_name", "address1", "card_number"],
]);
const QUANTITY = /quantity|\bqty\b|\bmenge\b|anzahl|quantité|cantidad|quantità|aantal|数量/i;

/** Adds items through their product pages, one after another. Used for merchants without cart URLs. */
export async function fillCart(
  navigation: Navigation,
  items: readonly JobItem[],
  recipe: RecipeDefinition | null,
): Promise<void> {
  for (const item of items) {
    if (item.productUrl === null) throw new CheckoutEndedError("missing_field", "A product has no page");
    await openPage(navigation, item.productUrl);
    await addToCart(navigation, item, recipe);
  }
}

/** Adds the requested variant and quantity from the open product page. */
async function addToCart(navigation: Navigation, item: JobItem, recipe: RecipeDefinition | null): Promise<void> {
  const { main } = await productPage(navigation);
  await pickVariant(main, item);
  await navigation.traffic.waitUntilSettled(navigation.page);
  const { main: ready } = await productPage(navigation);
  const quantity = ready.fields.find(({ label, name, id }) => QUANTITY.test(`${label} ${name} ${id}`));
  if (item.quantity !== 1) {
    if (!quantity || !(await typeInto(ready, quantity, String(item.quantity)))) {
      throw new CheckoutEndedError("missing_field", "Quantity field not found");
    }
  }
  const add = await findControl(ready, "add_to_basket", recipe);
  const element = add && (await ready.element(add.index));
  if (!element) {
    const isSoldOut = ready.controls.some(({ text }) => SOLD_OUT.test(text));
    throw isSoldOut
      ? new CheckoutEndedError("out_of_stock", "The product is sold out")
      : new CheckoutEndedError("missing_field", "Button that adds to the cart not found");
  }
  await clickThrough(navigation, element);
  await snapshotUncovered(navigation);
}

/** Reads the product page. A page with status 404 or 410 counts as out of stock. */
async function productPage(navigation: Navigation): Promise<PageView> {
  const status = navigation.traffic.statusOf(navigation.page.url());
  if (status === 404 || status === 410)
    throw new CheckoutEndedError("out_of_stock", "The product page no longer exists");
  return await snapshotUncovered(navigation);
}

/** Selects a variant by its title. Each part of the title may be a choice of its own, as in `M / Navy`. */
async function pickVariant(view: FrameView, { variantTitle }: JobItem): Promise<void> {
  if (variantTitle === null) return;
  const variant = folded(variantTitle);
  const parts = variantTitle.split("/").map(folded);
  const sets = choiceSetsOf(view).filter(({ title, choices }) => choices.length > 0 && !QUANTITY.test(title));
  let isFound = false;
  for (const { choices } of sets) {
    const whole = choices.find(({ text }) => folded(text).startsWith(variant));
    const choice = whole ?? choices.find(({ text }) => parts.includes(folded(text)));
    if (!choice) continue;
    isFound = true;
    if (!choice.isChosen && !(await choice.choose())) {
      throw new CheckoutEndedError("out_of_stock", "The variant cannot be selected");
    }
  }
  if (isFound || sets.length === 0) return;
  const isListed = view.fields.some(({ options, label }) =>
    [label, ...options.map(({ text }) => text)].some((text) => folded(text).startsWith(variant)),
  );
  throw isListed
    ? new CheckoutEndedError("out_of_stock", "The variant is sold out")
    : new CheckoutEndedError("missing_field", "The variant is not offered");
}

/**
 * Opens the first page of the checkout. A permalink may lead there directly; that page is not left. Without a checkout control
 * on the current page, it opens the cart from the recipe or a cart link. Some merchants lead to the cart automatically.
 */
export async function openCheckout(navigation: Navigation, recipe: RecipeDefinition | null): Promise<void> {
  const early = await snapshotUncovered(navigation);
  if (isCheckoutPage(early) || (await clickCheckout(navigation, early, recipe))) return;
  // Scripts may add the control after the document has loaded.
  await navigation.traffic.waitUntilSettled(navigation.page);
  const view = await snapshotUncovered(navigation);
  if (isCheckoutPage(view) || (await clickCheckout(navigation, view, recipe))) return;
  // The control may be off until the terms are accepted.
  if ((await acceptTerms(view)) && (await clickCheckout(navigation, await snapshotUncovered(navigation), recipe)))
    return;
  const basketUrl = recipe?.basketUrl ?? cartLinkOf(view.main);
  if (basketUrl === null) throw new CheckoutEndedError("missing_field", "Cart not found");
  await openPage(navigation, basketUrl);
  const cartView = await snapshotUncovered(navigation);
  if (await clickCheckout(navigation, cartView, recipe)) return;
  if ((await acceptTerms(cartView)) && (await clickCheckout(navigation, await snapshotUncovered(navigation), recipe)))
    return;
  const [alert] = cartView.main.alerts;
  // Below a minimum order value, merchants show an alert and no checkout button.
  throw alert === undefined
    ? new CheckoutEndedError("missing_field", "The cart has no checkout button")
    : new CheckoutEndedError("form_rejected", "The cart shows an alert and cannot be ordered");
}

/** Accepts the terms that a cart requests. Returns whether there were any. */
async function acceptTerms({ main }: PageView): Promise<boolean> {
  const accepted = await Promise.all(main.fields.filter(isAgreement).map((field) => check(main, field)));
  return accepted.includes(true);
}

/** Whether a page is part of the checkout already: by its path, or by fields that a cart does not have. */
function isCheckoutPage(view: PageView): boolean {
  const { pathname, hash } = new URL(view.main.url);
  if (CHECKOUT_PATH.test(pathname) && !CART.test(pathname + hash)) return true;
  return documentsOf(view).some(({ fields }) => fields.some((field) => CHECKOUT_ONLY.has(purposeOf(field) ?? "")));
}

async function clickCheckout(
  navigation: Navigation,
  { main }: PageView,
  recipe: RecipeDefinition | null,
): Promise<boolean> {
  const control = await findControl(main, "checkout", recipe);
  const element = control && (await main.element(control.index));
  return element !== null && (await clickThrough(navigation, element));
}

function cartLinkOf(view: FrameView): string | null {
  const { origin } = new URL(view.url);
  const link = view.controls.find(
    ({ href, text }) =>
      href !== null && URL.parse(href)?.origin === origin && CART.test(`${text} ${new URL(href).pathname}`),
  );
  return link?.href ?? null;
}

const folded = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
