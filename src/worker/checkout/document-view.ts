/** Schema for results of `in-page/read-document.js`. The document is untrusted, so anything else is rejected. */
import { z } from "zod";

const text = z.string().max(12_000);
const texts = z.array(text).max(400).readonly();

/** A visible field. Texts are the page's own, with a length limit. */
const PageField = z
  .object({
    index: z.int(),
    /** `text`, `email`, `radio`, `select`, `textarea` …; `combobox` for lists without a select or text input. */
    type: text,
    autocomplete: text,
    name: text,
    id: text,
    label: text,
    /** The text before a field without a label. */
    nearby: text,
    placeholder: text,
    described: text,
    /** Legends or headings of the enclosing groups, innermost first. */
    group: text,
    inputMode: text,
    maxLength: z.int().nullable(),
    minLength: z.int().nullable(),
    /** Attributes of the HTML standard; empty if absent. */
    pattern: text,
    min: text,
    max: text,
    /** Flag of the `ValidityState` that prevents submission, such as `valueMissing`; empty for valid fields. */
    validity: text,
    /** Null for values that are not read: passwords, and values that look like a card number. */
    value: text.nullable(),
    isEmpty: z.boolean(),
    checked: z.boolean(),
    required: z.boolean(),
    disabled: z.boolean(),
    invalid: z.boolean(),
    /** Index of the form in the document; -1 without a form. */
    form: z.int(),
    /** Position in `overlays`; -1 outside of any. */
    overlay: z.int(),
    /** Index of the visible element that stands for a hidden select; null for other fields. */
    widget: z.int().nullable(),
    /** Whether the field opens a list of options that scripts draw. */
    isCombobox: z.boolean(),
    /** Text that a widget shows as its value. */
    shown: text,
    options: z
      .array(z.object({ value: text, text, disabled: z.boolean() }).readonly())
      .max(400)
      .readonly(),
  })
  .readonly();
export type PageField = z.output<typeof PageField>;

/** A clickable element. */
const PageControl = z
  .object({
    index: z.int(),
    tag: text,
    text,
    name: text,
    id: text,
    href: text.nullable(),
    disabled: z.boolean(),
    isSubmit: z.boolean(),
    /** Whether the page marks the control as chosen. */
    isPressed: z.boolean(),
    form: z.int(),
    overlay: z.int(),
    /** Text around one of several controls with the same text, such as its row of a table; empty for others. */
    row: text,
    /** Target URL of the control's POST form; null for other controls. */
    posts: text.nullable(),
  })
  .readonly();
export type PageControl = z.output<typeof PageControl>;

const ChildFrame = z
  .object({
    src: text,
    title: text,
    isShown: z.boolean(),
    isBadge: z.boolean(),
    width: z.number(),
    height: z.number(),
    overlay: z.int(),
  })
  .readonly();

/** A dialog, or a box that stays in place while the page scrolls. */
const Overlay = z
  .object({
    index: z.int(),
    isDialog: z.boolean(),
    text,
    /** Id, classes and accessible name. */
    marks: text,
    /** Share of the window in percent. */
    area: z.number(),
  })
  .readonly();
export type Overlay = z.output<typeof Overlay>;

export const DocumentView = z
  .object({
    title: text,
    isComplete: z.boolean(),
    text,
    headings: texts,
    alerts: texts,
    /** Texts of the rows that contain a total. */
    totals: texts,
    fields: z.array(PageField).max(400).readonly(),
    controls: z.array(PageControl).max(400).readonly(),
    frames: z.array(ChildFrame).max(50).readonly(),
    overlays: z.array(Overlay).max(50).readonly(),
  })
  .readonly();
export type DocumentView = z.output<typeof DocumentView>;
