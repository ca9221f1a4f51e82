/** Fills in form fields. */
import type { ElementHandle } from "playwright-core";
import type { Values } from "./buyer.ts";
import { click } from "./click.ts";
import type { PageField } from "./document-view.ts";
import { dismissSuggestions, enterText } from "./enter-text.ts";
import { isSameText, optionFor, textsFor } from "./field-values.ts";
import type { Purpose } from "./field-words.ts";
import type { FrameView } from "./page-snapshot.ts";
import { isSamePhone, phoneForms } from "./phone-forms.ts";
import { type Choose, pickFromList } from "./pick-from-list.ts";
import { withTimeout } from "./with-timeout.ts";

const ACTION_MS = 5_000;
const UPDATE_MS = 600;
const POLL_INTERVAL_MS = 50;

/** Returns false if the field has no matching option or no longer exists. No error contains the value. */
export async function fillField(
  view: FrameView,
  field: PageField,
  {
    purpose,
    values,
    hasPrefixField,
  }: { readonly purpose: Purpose; readonly values: Values; readonly hasPrefixField: boolean },
): Promise<boolean> {
  const texts = textsFor(field, purpose, values, hasPrefixField);
  const choose: Choose = (options) => optionFor({ options }, purpose, values);
  if (field.type === "select" || field.type === "combobox")
    return await chooseOption(view, field, choose, texts[0] ?? "");
  const isList = field.isCombobox && (purpose === "country" || purpose === "province");
  if (isList && (await chooseOption(view, field, choose, texts[0] ?? ""))) return true;
  const element = await view.element(field.index);
  if (!element) return false;
  const isAccepted = (typed: string) => (shown: string) =>
    purpose === "phone"
      ? isSamePhone(shown, phoneForms(values.phone ?? "", values.country)) || digitsOf(shown) === digitsOf(typed)
      : isSameText(shown, typed);
  let isEntered = false;
  for (const text of texts) {
    if (field.maxLength !== null && text.length > field.maxLength && text !== texts.at(-1)) continue;
    if (!(await enterText(element, text, isAccepted(text)))) continue;
    isEntered = true;
    if (await isValid(element)) break;
  }
  if (isEntered) await dismissSuggestions(element);
  return isEntered;
}

/** Chooses an option of a list. A hidden select is set first; if its widget does not show the choice, the widget is used. */
export async function chooseOption(
  view: FrameView,
  field: PageField,
  choose: Choose,
  search: string,
): Promise<boolean> {
  const element = await view.element(field.index);
  if (!element) return false;
  if (field.type !== "select") return await pickFromList(element, choose, search);
  const option = choose(field.options);
  if (!option) return false;
  if (field.widget === null) return await selectOption(element, option.value);
  const trigger = await view.element(field.widget);
  if (!trigger) return false;
  const isSet = await succeeded(element.selectOption({ value: option.value }, { timeout: ACTION_MS, force: true }));
  return (isSet && (await shows(trigger, option.text))) || (await pickFromList(trigger, choose, search));
}

async function shows(trigger: ElementHandle<HTMLElement>, text: string): Promise<boolean> {
  const untilMs = performance.now() + UPDATE_MS;
  do {
    const shown = await withTimeout(trigger.textContent(), ACTION_MS).catch(() => null);
    if (shown?.replace(/\s+/g, " ").includes(text)) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  } while (performance.now() < untilMs);
  return false;
}

export async function typeInto(view: FrameView, { index }: PageField, text: string): Promise<boolean> {
  const element = await view.element(index);
  return element !== null && (await enterText(element, text, (value) => text === "" || value !== ""));
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

/** Clears a box. */
export async function uncheck(view: FrameView, field: PageField): Promise<boolean> {
  const element = await view.element(field.index);
  if (!element) return false;
  return (await succeeded(element.uncheck({ timeout: 1_500 }))) || (await click(element));
}

/** Whether the browser's validation accepts the field. */
async function isValid(element: ElementHandle<HTMLElement>): Promise<boolean> {
  const validity = element.evaluate(
    (field) => (field as unknown as { validity?: { valid: boolean } }).validity?.valid ?? true,
  );
  return (await withTimeout(validity, ACTION_MS).catch(() => true)) ?? true;
}

async function succeeded(action: Promise<unknown>): Promise<boolean> {
  // Playwright's errors are dropped, because they contain the value.
  return await action.then(
    () => true,
    () => false,
  );
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");
