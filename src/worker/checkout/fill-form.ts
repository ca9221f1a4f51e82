/** Fills in the buyer's form fields on any page of a checkout. */
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { isAgreement, isUnwanted } from "./agreements.ts";
import type { Values } from "./buyer.ts";
import type { PageField } from "./document-view.ts";
import { isBilling, isOfCard, type Purpose, purposeOf } from "./field-purposes.ts";
import { hasValue, neutralSalutation } from "./field-values.ts";
import { check, chooseOption, fillField, uncheck } from "./fill-field.ts";
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
const SALUTATION = /salutation|anrede|civilité|tratamiento|titolo|aanhef|\btitle\b|tilltal|敬称/i;

/** A field with what it should contain. */
interface Assigned {
  readonly field: PageField;
  readonly purpose: Purpose;
  readonly values: Values;
}

/**
 * Fills in the fields of one document whose values differ, accepts the terms where necessary, and unticks what the buyer did not order.
 * Returns the filled fields. Stops after a change of the country, because other fields depend on it.
 */
export async function fillForm(view: FrameView, options: FillOptions): Promise<string[]> {
  const { attempts } = options;
  const assigned = await assignValues(view, options);
  const filled: string[] = [];
  for (const { field, purpose, values } of assigned) {
    if (hasValue(field, purpose, values) || !countAttempt(attempts, view, field, values[purpose] ?? "")) continue;
    const hasPrefixField = assigned.some((one) => one.purpose === "phone_country" && one.field.form === field.form);
    if (!(await fillField(view, field, { purpose, values, hasPrefixField }))) continue;
    filled.push(describe(field));
    if (purpose === "country") return filled;
  }
  for (const field of view.fields) {
    if (isAgreement(field) && countAttempt(attempts, view, field, "ticked") && (await check(view, field)))
      filled.push(describe(field));
    if (isUnwanted(field) && countAttempt(attempts, view, field, "cleared") && (await uncheck(view, field)))
      filled.push(describe(field));
  }
  filled.push(...(await declineSalutation(view, attempts)));
  return filled;
}

/** Values that decide where and to whom the order is sent. */
const DECISIVE = new Set<Purpose>([
  ...(["first_name", "last_name", "full_name", "address1", "house_number", "city", "province"] as const),
  ...(["postal_code", "country"] as const),
]);

/**
 * Returns the fields of the delivery address that contain another value than the approved one, or none where one is known.
 * Pages change values, for example by suggestions.
 */
export async function findUnapprovedFields(
  view: FrameView,
  options: Omit<FillOptions, "attempts">,
): Promise<PageField[]> {
  const assigned = await assignValues(view, { ...options, attempts: new Map() });
  return (
    assigned
      .filter(
        ({ field, purpose, values }) =>
          DECISIVE.has(purpose) && field.value !== null && !hasValue(field, purpose, values),
      )
      .filter(({ field, purpose }) => !(purpose === "province" && field.isEmpty))
      // The list of a search for addresses; the fields that it fills in decide.
      .filter(({ field, purpose }) => !(purpose === "address1" && /^(?:select|combobox)$/.test(field.type)))
      .map(({ field }) => field)
  );
}

/** Returns the fields for which a value is known, the country first. */
async function assignValues(view: FrameView, { values, billing, recipe }: FillOptions): Promise<Assigned[]> {
  const fields = view.fields.filter(({ disabled }) => !disabled).map((field) => ({ field, purpose: purposeOf(field) }));
  await addFromRecipe(view, fields, recipe);
  const addresses = fields.filter(({ purpose }) => purpose === "address1").map(({ field }) => isBilling(field));
  // Without two addresses, the billing address is the only one, or it has only a few fields, such as the postal code.
  const hasBoth = addresses.includes(true) && addresses.includes(false);
  const assigned = fields.flatMap(({ field, purpose }): Assigned[] => {
    if (purpose === null || isOfCard(purpose) || isOfOverlay(field, fields)) return [];
    const known = isBilling(field) ? (billing ?? (hasBoth ? null : values)) : values;
    const isSplit = fields.some(
      (one) =>
        one.purpose === "house_number" && isBilling(one.field) === isBilling(field) && one.field.form === field.form,
    );
    const own = known && isSplit && known.street !== undefined ? { ...known, address1: known.street } : known;
    return own?.[purpose] === undefined ? [] : [{ field, purpose, values: own }];
  });
  return assigned.toSorted((one, other) => Number(other.purpose === "country") - Number(one.purpose === "country"));
}

/** Whether a field belongs to a dialog or a fixed box without an address, such as a newsletter or a chat. */
function isOfOverlay(field: PageField, fields: readonly { field: PageField; purpose: Purpose | null }[]): boolean {
  if (field.overlay < 0) return false;
  return !fields.some(
    (one) =>
      one.field.overlay === field.overlay && one.purpose !== null && !/^(?:email|phone|full_name)$/.test(one.purpose),
  );
}

/** Selects the option that states no salutation, where there is one. A salutation is never guessed. */
async function declineSalutation(view: FrameView, attempts: AttemptCounts): Promise<string[]> {
  const radios = view.fields.filter(
    ({ type, group, name, disabled }) => type === "radio" && !disabled && SALUTATION.test(`${group} ${name}`),
  );
  const neutral = radios[neutralSalutation(radios.map(({ label }) => label))];
  if (neutral && !radios.some(({ checked }) => checked) && countAttempt(attempts, view, neutral, "salutation"))
    return (await check(view, neutral)) ? [describe(neutral)] : [];
  for (const field of view.fields) {
    if (purposeOf(field) !== "salutation" || !field.isEmpty || field.disabled) continue;
    const choose = (options: PageField["options"]) =>
      options[neutralSalutation(options.map(({ text }) => text))] ?? null;
    // The options of a combobox may not exist before it is opened.
    const canChoose = choose(field.options) !== null || (field.type === "combobox" && field.options.length === 0);
    if (!canChoose || !countAttempt(attempts, view, field, "salutation")) continue;
    if (await chooseOption(view, field, choose, "")) return [describe(field)];
  }
  return [];
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
  fields: { field: PageField; purpose: Purpose | null }[],
  recipe: RecipeDefinition | null,
): Promise<void> {
  for (const [purpose, selector] of Object.entries(recipe?.fields ?? {}) as [Purpose, string][]) {
    const index = await view.indexOf(selector);
    const known = fields.find(({ field }) => field.index === index);
    if (known) known.purpose = purpose;
  }
}
