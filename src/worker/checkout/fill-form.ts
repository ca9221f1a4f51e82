/** Fills in the buyer's form fields on any page of a checkout. */
import type { FieldPurpose, RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { Values } from "./buyer.ts";
import type { PageField } from "./document-view.ts";
import { isBilling, isOfCard, purposeOf } from "./field-purposes.ts";
import { check, fillField, hasValue } from "./fill-field.ts";
import { describe, type FrameView } from "./page-snapshot.ts";

/** Attempts per field and value. Limits repeated input on pages that change typed values. */
export type AttemptCounts = Map<string, number>;

interface FillOptions {
  readonly values: Values;
  /** Values of the billing address. Null before the card is released; its fields are then skipped. */
  readonly billing: Values | null;
  readonly recipe: RecipeDefinition | null;
  readonly attempts: AttemptCounts;
}

const MAX_ATTEMPTS = 2;
const AGREEMENT = /agree|accept|akzeptier|stimme|einverstanden|j'accepte|acepto|accetto|akkoord|同意/i;
const TERMS =
  /terms|conditions|\bagb\b|privacy|datenschutz|conditions générales|condiciones|condizioni|voorwaarden|規約/i;
const ADVERTISING = /newsletter|news|offers|marketing|updates|promotion|werbung|angebote/i;

/**
 * Fills in the fields of one document whose values differ, and accepts the terms where necessary. Returns the filled fields.
 * Stops after a change of the country, because other fields depend on it.
 */
export async function fillForm(view: FrameView, { values, billing, recipe, attempts }: FillOptions): Promise<string[]> {
  const fields = view.fields.filter(({ disabled }) => !disabled).map((field) => ({ field, purpose: purposeOf(field) }));
  await addFromRecipe(view, fields, recipe);
  const isBillingOnly = !fields.some(({ field, purpose }) => purpose === "address1" && !isBilling(field));
  const filled: string[] = [];
  const byCountryFirst = fields.toSorted(
    (one, other) => Number(other.purpose === "country") - Number(one.purpose === "country"),
  );
  for (const { field, purpose } of byCountryFirst) {
    if (purpose === null || isOfCard(purpose)) continue;
    const known = isBilling(field) && !isBillingOnly ? billing : isBilling(field) ? (billing ?? values) : values;
    const value = known?.[purpose];
    if (value === undefined || hasValue(field, purpose, value) || !countAttempt(attempts, view, field, value)) continue;
    if (!(await fillField(view, field, purpose, value))) continue;
    filled.push(describe(field));
    if (purpose === "country") break;
  }
  for (const field of view.fields) {
    if (!isAgreement(field) || !countAttempt(attempts, view, field, "ticked")) continue;
    if (await check(view, field)) filled.push(describe(field));
  }
  return filled;
}

/** Returns descriptions of required fields that are still empty. */
export function missingFieldsIn(view: FrameView): string[] {
  return view.fields
    .filter(
      ({ required, isEmpty, disabled, type }) =>
        required && isEmpty && !disabled && type !== "radio" && type !== "checkbox",
    )
    .filter((field) => !isOfCard(purposeOf(field)))
    .map((field) => describe(field));
}

function isAgreement({ type, checked, label, required, disabled }: PageField): boolean {
  if (type !== "checkbox" || checked || disabled || ADVERTISING.test(label)) return false;
  return TERMS.test(label) && (required || AGREEMENT.test(label));
}

function countAttempt(attempts: AttemptCounts, view: FrameView, field: PageField, value: string): boolean {
  const key = `${view.url.split(/[?#]/)[0]} ${describe(field)} ${value}`;
  const count = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, count);
  return count <= MAX_ATTEMPTS;
}

/** Sets the purposes of fields that the recipe names by selector. */
async function addFromRecipe(
  view: FrameView,
  fields: { field: PageField; purpose: FieldPurpose | null }[],
  recipe: RecipeDefinition | null,
): Promise<void> {
  for (const [purpose, selector] of Object.entries(recipe?.fields ?? {}) as [FieldPurpose, string][]) {
    const index = await view.indexOf(selector);
    const known = fields.find(({ field }) => field.index === index);
    if (known) known.purpose = purpose;
  }
}
