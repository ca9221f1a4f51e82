/**
 * Reads the first page of a merchant's checkout with one product in the cart. No field is filled in, because no user has
 * consented to share data with the merchant. The exploration ends at the first form for the buyer's details.
 */
import type { FoundProduct } from "../../checkout/worker-protocol/exploration.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { cardDocumentsOf } from "../checkout/card-fields.ts";
import { fillCart, openCheckout } from "../checkout/cart.ts";
import { choiceSetsOf } from "../checkout/choices.ts";
import { findControl, submitOfForm } from "../checkout/controls.ts";
import { purposeOf } from "../checkout/field-purposes.ts";
import { frameChainOf, isFrameInFormOf } from "../checkout/frame-elements.ts";
import type { MerchantOrigins } from "../checkout/merchant-origins.ts";
import { type Navigation, snapshotUnblocked } from "../checkout/navigation.ts";
import { documentsOf, type PageView } from "../checkout/page-snapshot.ts";
import type { PageTrail } from "../checkout/page-trail.ts";
import { codeOf } from "./site-facts.ts";

export interface CheckoutFacts {
  /** Selectable destination countries (ISO 3166-1 alpha-2). Empty if the page has no selection. */
  readonly shipsTo: readonly string[];
  /** The preselected country. */
  readonly chosenCountry: string | null;
  readonly supportsPickup: boolean;
  readonly recipe: RecipeDefinition;
  /** Visible texts of the cart and checkout pages. */
  readonly texts: readonly string[];
}

const PICKUP = /pick ?up|collect|abhol|retrait|retirer|recog|ritir|ophalen|店頭受取/i;

/**
 * Adds the product to the cart and opens the checkout. Null if anything but the merchant's own pages led to the cart or
 * checkout. @throws {CheckoutEndedError} the page is blocked or has no next step
 */
export async function readCheckout(
  navigation: Navigation,
  { title, variantTitle, sku, productUrl }: FoundProduct,
  { trail, merchantOrigins }: { readonly trail: PageTrail; readonly merchantOrigins: MerchantOrigins },
): Promise<CheckoutFacts | null> {
  const { page, traffic } = navigation;
  await fillCart(navigation, [{ sku, quantity: 1, title, variantTitle, productUrl }], null);
  const cartView = await snapshotUnblocked(navigation);
  await openCheckout(navigation, null);
  await traffic.waitUntilSettled(page);
  const checkoutView = await snapshotUnblocked(navigation);
  const isElsewhere = [cartView, checkoutView].some(({ main }) => !merchantOrigins.has(main.url));
  if (isElsewhere && !trail.isLedBy(merchantOrigins)) return null;
  return {
    ...(await countriesOf(checkoutView)),
    supportsPickup: choiceSetsOf(checkoutView.main).some(({ choices }) =>
      choices.some(({ text }) => PICKUP.test(text)),
    ),
    recipe: await recipeOf(checkoutView, { productUrl, basketUrl: cartView.main.url }),
    texts: [cartView.main.text, checkoutView.main.text],
  };
}

async function countriesOf(checkoutView: PageView): Promise<Pick<CheckoutFacts, "shipsTo" | "chosenCountry">> {
  const fields = documentsOf(checkoutView).flatMap((document) => document.fields);
  const list = fields.find((field) => field.type === "select" && purposeOf(field) === "country");
  if (!list) return { shipsTo: [], chosenCountry: null };
  const countries = list.options.map(({ value, text }) => codeOf(value) ?? codeOf(text));
  return {
    shipsTo: [...new Set(countries.filter((code) => code !== null))],
    chosenCountry: codeOf(list.value ?? "") ?? null,
  };
}

/** The recipe contains no selectors that generic detection finds, because generic detection also works after page changes. */
async function recipeOf(
  checkoutView: PageView,
  { productUrl, basketUrl }: { readonly productUrl: string; readonly basketUrl: string },
): Promise<RecipeDefinition> {
  const { origin } = new URL(productUrl);
  const checkoutOrigin = new URL(checkoutView.main.url).origin;
  const isCartPage =
    new URL(basketUrl).origin === origin && new URL(basketUrl).pathname !== new URL(productUrl).pathname;
  return {
    format: 1,
    basketUrl: isCartPage ? basketUrl : null,
    checkoutOrigins: [...new Set([origin, checkoutOrigin])],
    cardFrameOrigins: await cardFrameOriginsOf(checkoutView),
    ...{ fields: {}, controls: {}, payPath: null },
  };
}

/**
 * Returns the origin of the frame that requests the card in the paying form; empty if the page itself does, without any
 * other frame. Null in all other cases, because a recipe with wrong origins would prevent purchases.
 */
async function cardFrameOriginsOf(view: PageView): Promise<string[] | null> {
  const { main, inner } = view;
  const requesting = (await cardDocumentsOf(view, null)).filter(({ hasNumberField }) => hasNumberField);
  const [origin = "null", ...others] = new Set(requesting.map(({ view: { url } }) => new URL(url).origin));
  if (origin === "null" || others.length > 0) return null;
  const isOfPage = ({ url }: { readonly url: string }) => new URL(url).origin === new URL(main.url).origin;
  if (requesting.every(({ view: document }) => isOfPage(document))) return inner.every(isOfPage) ? [] : null;
  const pay = (await findControl(main, "pay", null)) ?? submitOfForm(main);
  const payElement = pay && (await main.element(pay.index));
  if (!payElement) return null;
  for (const {
    view: { frame },
  } of requesting) {
    const chain = frameChainOf(frame);
    const outermost = chain.at(-1);
    const isDirect = chain.every((at) => URL.parse(at.url())?.origin === origin);
    if (!outermost || !isDirect || !(await isFrameInFormOf(outermost, payElement))) return null;
  }
  return [origin];
}
