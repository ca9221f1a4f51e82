/**
 * How a shop's checkout begins: one product goes into the basket, and from there on only what is shown is read. Nothing is
 * typed, for nobody has agreed to tell the shop anything: where it asks who buys, the walk ends.
 */
import type { FoundProduct } from "../../checkout/worker-protocol/exploration.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { fillBasket, openCheckout } from "../checkout/basket.ts";
import { cardFieldsOf } from "../checkout/card-fields.ts";
import { choiceSetsOf } from "../checkout/choices.ts";
import { type Course, lookPastWalls } from "../checkout/course.ts";
import { purposeOf } from "../checkout/field-purposes.ts";
import { documentsOf, type PageView } from "../checkout/page-snapshot.ts";
import { codeOf } from "./site-facts.ts";

export interface CheckoutFacts {
  /** Countries that can be chosen; empty where there is no choice. */
  readonly shipsTo: readonly string[];
  /** The one that is chosen at first. */
  readonly chosenCountry: string | null;
  readonly supportsPickup: boolean;
  readonly recipe: RecipeDefinition;
  /** What the pages on the way say. */
  readonly texts: readonly string[];
}

const PICKUP = /pick ?up|collect|abhol|retrait|retirer|recog|ritir|ophalen|店頭受取/i;

/** @throws {CheckoutEndedError} a wall stands in the way, or nothing leads on */
export async function readCheckout(
  course: Course,
  { title, variantTitle, sku, productUrl }: FoundProduct,
): Promise<CheckoutFacts> {
  const { page, traffic } = course;
  await fillBasket(course, [{ sku, quantity: 1, title, variantTitle, productUrl }], null);
  const basket = await lookPastWalls(course);
  await openCheckout(course, null);
  await traffic.settled(page);
  const till = await lookPastWalls(course);
  return {
    ...(await countriesOf(till)),
    supportsPickup: choiceSetsOf(till.main).some(({ choices }) => choices.some(({ text }) => PICKUP.test(text))),
    recipe: await recipeOf(till, { productUrl, basketUrl: basket.main.url }),
    texts: [basket.main.text, till.main.text],
  };
}

async function countriesOf(till: PageView): Promise<Pick<CheckoutFacts, "shipsTo" | "chosenCountry">> {
  const fields = documentsOf(till).flatMap((document) => document.fields);
  const list = fields.find((field) => field.type === "select" && purposeOf(field) === "country");
  if (!list) return { shipsTo: [], chosenCountry: null };
  const countries = list.options.map(({ value, text }) => codeOf(value) ?? codeOf(text));
  return {
    shipsTo: [...new Set(countries.filter((code) => code !== null))],
    chosenCountry: codeOf(list.value ?? "") ?? null,
  };
}

/** What the generic way finds is in no recipe: it finds it again, on pages that change. */
async function recipeOf(
  till: PageView,
  { productUrl, basketUrl }: { readonly productUrl: string; readonly basketUrl: string },
): Promise<RecipeDefinition> {
  const { origin } = new URL(productUrl);
  const checkoutOrigin = new URL(till.main.url).origin;
  const cardFields = await cardFieldsOf(till, null);
  const frames = new Set(cardFields.map(({ view }) => new URL(view.url).origin));
  const isBasket = new URL(basketUrl).origin === origin && new URL(basketUrl).pathname !== new URL(productUrl).pathname;
  return {
    format: 1,
    basketUrl: isBasket ? basketUrl : null,
    checkoutOrigins: [...new Set([origin, checkoutOrigin])],
    cardFrameOrigins: cardFields.length === 0 ? null : [...frames].filter((one) => one !== checkoutOrigin),
    ...{ fields: {}, controls: {}, payPath: null },
  };
}
