/** Selections on a page: radio buttons with the same name, or the options of a list. */

import type { PageField } from "./document-view.ts";
import { purposeOf } from "./field-purposes.ts";
import { check, selectOption } from "./fill-field.ts";
import type { FrameView } from "./page-snapshot.ts";

export interface Choice {
  readonly text: string;
  readonly isChosen: boolean;
  choose(): Promise<boolean>;
}

export interface ChoiceSet {
  /** Caption of the group and name of the field. */
  readonly title: string;
  /** Index of the form; -1 without a form. */
  readonly form: number;
  readonly choices: readonly Choice[];
}

export function choiceSetsOf(view: FrameView): ChoiceSet[] {
  const radios = Map.groupBy(
    view.fields.filter(({ type, disabled }) => type === "radio" && !disabled),
    ({ form, name }) => `${form} ${name}`,
  );
  const sets = [...radios.values()].map((fields) => ({
    title: titleOf(fields),
    form: fields[0]?.form ?? -1,
    choices: fields.map((field) => ({
      text: field.label,
      isChosen: field.checked,
      choose: () => check(view, field),
    })),
  }));
  const lists = view.fields.filter((field) => field.type === "select" && !field.disabled && purposeOf(field) === null);
  return [...sets, ...lists.map((field) => listOf(view, field))];
}

function listOf(view: FrameView, field: PageField): ChoiceSet {
  return {
    title: `${field.label} ${titleOf([field])}`,
    form: field.form,
    choices: field.options
      .filter(({ disabled, text }) => !disabled && text !== "")
      .map(({ value, text }) => ({
        text,
        isChosen: field.value === value,
        async choose() {
          const element = await view.element(field.index);
          return element !== null && (await selectOption(element, value));
        },
      })),
  };
}

const titleOf = ([first]: readonly PageField[]) => `${first?.group ?? ""} ${first?.name ?? ""}`;
