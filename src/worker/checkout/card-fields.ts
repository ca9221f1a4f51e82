/** Finds the card fields of a page. `card-receivers.ts` decides which of them may receive the card. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { PageField } from "./document-view.ts";
import { isOfCard, type Purpose, purposeOf } from "./field-purposes.ts";
import { isFrameVisible } from "./frame-elements.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";

export interface CardField {
  readonly purpose: Purpose;
  readonly view: FrameView;
  readonly field: PageField;
}

/** A visible document with card fields, or with the cardholder's country and postcode in a frame. */
export interface CardDocument {
  readonly view: FrameView;
  readonly fields: readonly CardField[];
  readonly hasNumberField: boolean;
}

/** Origins whose documents may receive the card. */
export type PinnedOrigins = ReadonlySet<string>;

/** Labels such as "Month" identify card fields only next to a card number field. */
const MONTH = /^(?:month|mm|monat|mois|mes|mese|maand|月)\b/i;
const YEAR = /^(?:year|yy|yyyy|jahr|année|año|anno|jaar|年)\b/i;

/** Returns the visible documents with card fields, the main one first. */
export async function cardDocumentsOf(view: PageView, recipe: RecipeDefinition | null): Promise<CardDocument[]> {
  const documents = await Promise.all(
    documentsOf(view).map(async (document): Promise<CardDocument | null> => {
      const fields = [...(await fieldsIn(document, recipe)), ...addressFieldsIn(document)];
      // A third party with a frame on the page could request the card invisibly.
      if (fields.length === 0 || !(await isFrameVisible(document.frame))) return null;
      return { view: document, fields, hasNumberField: fields.some(({ purpose }) => purpose === "card_number") };
    }),
  );
  return documents.filter((document) => document !== null);
}

/** Whether a field is labelled as a month or a year without saying of what. */
export function isBareExpiry({ label, placeholder, name }: PageField): boolean {
  return [label, placeholder, name].some((text) => MONTH.test(text) || YEAR.test(text));
}

/** Processors request the cardholder's country and postcode in their frames. The merchant's pages have a billing address. */
function addressFieldsIn(view: FrameView): CardField[] {
  if (!view.frame.parentFrame()) return [];
  return view.fields.flatMap((field): CardField[] => {
    const purpose = field.disabled ? null : purposeOf(field);
    return purpose === "postal_code" || purpose === "country" ? [{ purpose, view, field }] : [];
  });
}

async function fieldsIn(view: FrameView, recipe: RecipeDefinition | null): Promise<CardField[]> {
  const fields = view.fields.flatMap((field): CardField[] => {
    const purpose = field.disabled ? null : purposeOf(field);
    return purpose !== null && isOfCard(purpose) ? [{ purpose, view, field }] : [];
  });
  for (const [purpose, selector] of Object.entries(recipe?.fields ?? {}) as [Purpose, string][]) {
    if (!isOfCard(purpose)) continue;
    const index = await view.indexOf(selector);
    const field = view.fields.find((one) => one.index === index);
    if (field) fields.unshift({ purpose, view, field });
  }
  if (!fields.some(({ purpose }) => purpose === "card_number")) return fields;
  const bare = view.fields.flatMap((field): CardField[] => {
    if (purposeOf(field) !== null) return [];
    const caption = [field.label, field.placeholder, field.name].find((text) => MONTH.test(text) || YEAR.test(text));
    return caption === undefined
      ? []
      : [{ purpose: MONTH.test(caption) ? "card_expiry_month" : "card_expiry_year", view, field }];
  });
  return [...fields, ...bare];
}
