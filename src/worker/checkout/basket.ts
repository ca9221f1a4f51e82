/** From a product to the till. */
import type { JobItem } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { choiceSetsOf } from "./choices.ts";
import { findControl } from "./controls.ts";
import { clickThrough, type Navigation, openPage, snapshotUnblocked } from "./course.ts";
import { CheckoutEndedError } from "./ending.ts";
import { typeInto } from "./fill-field.ts";
import type { FrameView, PageView } from "./page-snapshot.ts";

const CART = /\b(?:basket|cart|bag|trolley)\b|warenkorb|panier|carrito|cesta|carrello|winkel(?:wagen|mand)|カート/i;
const SOLD_OUT =
  /sold[ -]?out|out of stock|unavailable|ausverkauft|épuisé|agotado|esaurito|uitverkocht|売り切れ|在庫切れ/i;
const QUANTITY = /quantity|\bqty\b|\bmenge\b|anzahl|quantité|cantidad|quantità|aantal|数量/i;

/** Puts items of a shop without baskets by address into its basket, one page of a product after another. */
export async function fillCart(
  navigation: Navigation,
  items: readonly JobItem[],
  recipe: RecipeDefinition | null,
): Promise<void> {
  for (const item of items) {
    if (item.productUrl === null) throw new CheckoutEndedError("missing_field", "a product has no page");
    await openPage(navigation, item.productUrl);
    await addToCart(navigation, item, recipe);
  }
}

/** From the page of a product, with the variant and the quantity that are wanted. */
async function addToCart(navigation: Navigation, item: JobItem, recipe: RecipeDefinition | null): Promise<void> {
  const { main } = await productPage(navigation);
  await pickVariant(main, item);
  await navigation.traffic.waitUntilSettled(navigation.page);
  const { main: ready } = await productPage(navigation);
  const quantity = ready.fields.find(({ label, name, id }) => QUANTITY.test(`${label} ${name} ${id}`));
  if (item.quantity !== 1) {
    if (!quantity || !(await typeInto(ready, quantity, String(item.quantity)))) {
      throw new CheckoutEndedError("missing_field", "the quantity has no field");
    }
  }
  const add = await findControl(ready, "add_to_basket", recipe);
  const element = add && (await ready.element(add.index));
  if (!element) {
    const isSoldOut = ready.controls.some(({ text }) => SOLD_OUT.test(text));
    throw isSoldOut
      ? new CheckoutEndedError("out_of_stock", "the product is sold out")
      : new CheckoutEndedError("missing_field", "nothing adds the product to the basket");
  }
  await clickThrough(navigation, element);
  await snapshotUnblocked(navigation);
}

/** A product that is not there any more cannot be bought. */
async function productPage(navigation: Navigation): Promise<PageView> {
  const status = navigation.traffic.statusOf(navigation.page.url());
  if (status === 404 || status === 410) throw new CheckoutEndedError("out_of_stock", "the product's page is gone");
  return await snapshotUnblocked(navigation);
}

/** By the words of the variant, each of which may be a choice of its own: `M / Navy`. */
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
      throw new CheckoutEndedError("out_of_stock", "the variant cannot be chosen");
    }
  }
  if (isFound || sets.length === 0) return;
  const isListed = view.fields.some(({ options, label }) =>
    [label, ...options.map(({ text }) => text)].some((text) => folded(text).startsWith(variant)),
  );
  throw isListed
    ? new CheckoutEndedError("out_of_stock", "the variant is sold out")
    : new CheckoutEndedError("missing_field", "the variant is not among the choices");
}

/**
 * From the basket to the first page of the checkout. Where a recipe or the shop's links do not lead to the basket, the page
 * is left as it is: some shops go on by themselves.
 */
export async function openCheckout(navigation: Navigation, recipe: RecipeDefinition | null): Promise<void> {
  const view = await snapshotUnblocked(navigation);
  if (await clickCheckout(navigation, view, recipe)) return;
  const basketUrl = recipe?.basketUrl ?? cartLinkOf(view.main);
  if (basketUrl === null) throw new CheckoutEndedError("missing_field", "the basket was not found");
  await openPage(navigation, basketUrl);
  const cartView = await snapshotUnblocked(navigation);
  if (await clickCheckout(navigation, cartView, recipe)) return;
  const [alert] = cartView.main.alerts;
  // A shop that takes no order below some sum says so, and shows no way on.
  throw alert === undefined
    ? new CheckoutEndedError("missing_field", "the basket does not lead to a checkout")
    : new CheckoutEndedError("form_rejected", "the basket says why it cannot be ordered");
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
