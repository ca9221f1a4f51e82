/** Fields as a document would be read. */
import type { PageField } from "../../src/worker/checkout/document-view.ts";

let lastIndex = 0;

export function fieldWith(members: Partial<PageField>): PageField {
  lastIndex += 1;
  return {
    ...{ index: lastIndex, type: "text", autocomplete: "", name: "", id: "", label: "", nearby: "", placeholder: "" },
    ...{ described: "", group: "", inputMode: "", maxLength: null, minLength: null, pattern: "", min: "", max: "" },
    ...{ validity: "", value: "", isEmpty: true, checked: false, required: false, disabled: false, invalid: false },
    ...{ form: 0, overlay: -1, widget: null, isCombobox: false, shown: "", options: [] },
    ...members,
  };
}
