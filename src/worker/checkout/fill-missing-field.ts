/** Enters a value into a required field that was missing. */

import { isSameText } from "./field-values.ts";
import { check, chooseOption, typeInto } from "./fill-field.ts";
import type { FrameView } from "./page-snapshot.ts";
import type { MissingField } from "./required-fields.ts";

/**
 * Enters a value. Returns false if the document has the field no longer, or no such option.
 * @param view the document as it is now
 * @param missing the field, as `missingRequiredFields(view)` returns it for this view
 * @param value text, date (`YYYY-MM-DD`), value of a choice, or `yes`
 */
export async function fillMissingField(view: FrameView, missing: MissingField, value: string): Promise<boolean> {
  const isOf = ({ index }: { readonly index: number }) => missing.indexes.includes(index);
  const [field, ...others] = view.fields.filter(isOf);
  if (!field) return false;
  if (field.type === "radio") {
    const chosen = [field, ...others].find(({ label }) => isSameText(label, value));
    return chosen !== undefined && (await check(view, chosen));
  }
  if (field.type === "checkbox") return value === "yes" && (await check(view, field));
  if (field.type === "select" || field.type === "combobox") {
    const choose = (options: typeof field.options) =>
      options.find((option) => option.value === value) ?? options.find(({ text }) => isSameText(text, value)) ?? null;
    return await chooseOption(view, field, choose, value);
  }
  return await typeInto(view, field, value);
}
