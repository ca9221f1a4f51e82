/** Fills in form fields. */
import type { ElementHandle } from "playwright-core";
import type { FieldPurpose } from "../../checkout/worker-protocol/recipe.ts";
import type { PageField } from "./document-view.ts";
import { enterText } from "./enter-text.ts";
import type { FrameView } from "./page-snapshot.ts";

const ACTION_MS = 5_000;
const COUNTRY_NAMES = ["en", "de", "fr", "es", "it", "nl", "ja"].map(
  (locale) => new Intl.DisplayNames(locale, { type: "region" }),
);

/** Whether the field already contains the value. False if its value cannot be read. */
export function hasValue(field: PageField, purpose: FieldPurpose, value: string): boolean {
  if (field.value === null) return false;
  if (field.type === "select") return optionFor(field, purpose, value) === field.value;
  if (purpose === "country") return countryWords(value).includes(folded(field.value));
  if (purpose === "phone") return digitsOf(field.value).endsWith(digitsOf(value)) && digitsOf(value) !== "";
  return folded(field.value) === folded(value);
}

/** Returns false if the field has no matching option or no longer exists. No error contains the value. */
export async function fillField(
  view: FrameView,
  field: PageField,
  purpose: FieldPurpose,
  value: string,
): Promise<boolean> {
  if (field.type !== "select") {
    return await typeInto(view, field, purpose === "country" ? (COUNTRY_NAMES[0]?.of(value) ?? value) : value);
  }
  const element = await view.element(field.index);
  const option = optionFor(field, purpose, value);
  return element !== null && option !== null && (await selectOption(element, option));
}

export async function typeInto(view: FrameView, { index }: PageField, text: string): Promise<boolean> {
  const element = await view.element(index);
  return element !== null && (await enterText(element, text, (value) => text === "" || value !== ""));
}

/** Returns the `value` of the matching option, or null. */
export function optionFor({ options }: PageField, purpose: FieldPurpose, value: string): string | null {
  const matches = purpose === "country" ? countryWords(value) : [folded(value)];
  const open = options.filter(({ disabled }) => !disabled);
  const exact = open.find((option) => matches.includes(folded(option.value)) || matches.includes(folded(option.text)));
  if (exact) return exact.value;
  if (purpose !== "province") return null;
  // Matches `US-CA`, `CA - California`, and subdivision codes with a country prefix, such as `JP-13`.
  const code = folded(value.replace(/^[A-Z]{2}-/, ""));
  const parts = (text: string) => folded(text).split(/[^\p{L}\p{N}]+/u);
  return open.find((option) => parts(option.value).at(-1) === code || parts(option.text)[0] === code)?.value ?? null;
}

/** @param value the option's `value` attribute */
export async function selectOption(element: ElementHandle<HTMLElement>, value: string): Promise<boolean> {
  return await succeeded(element.selectOption({ value }, { timeout: ACTION_MS }));
}

/** Checks a box or a radio button. Merchants often hide the input behind a styled label, so a click event is the fallback. */
export async function check(view: FrameView, field: PageField): Promise<boolean> {
  const element = await view.element(field.index);
  if (!element) return false;
  return (await succeeded(element.check({ timeout: 1_500 }))) || (await succeeded(element.dispatchEvent("click")));
}

async function succeeded(action: Promise<unknown>): Promise<boolean> {
  // Playwright's errors are dropped, because they contain the value.
  return await action.then(
    () => true,
    () => false,
  );
}

function countryWords(code: string): string[] {
  return [code, ...COUNTRY_NAMES.map((names) => names.of(code) ?? code)].map(folded);
}

const folded = (text: string) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
const digitsOf = (text: string) => text.replaceAll(/\D/g, "");
