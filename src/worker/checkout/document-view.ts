/** What `in-page/read-document.js` tells of a document. It is a stranger's word: nothing of another form is taken. */
import { z } from "zod";

const text = z.string().max(12_000);
const texts = z.array(text).max(400).readonly();

/** A field that a person sees. Texts are as the page writes them, bounded. */
const PageField = z
  .object({
    index: z.int(),
    /** `text`, `email`, `radio`, `select`, `textarea` … */
    type: text,
    autocomplete: text,
    name: text,
    id: text,
    label: text,
    placeholder: text,
    described: text,
    /** The legend or heading of what it stands in, innermost first. */
    group: text,
    inputMode: text,
    maxLength: z.int().nullable(),
    /** Null where it is not read: passwords, and what looks like the number of a card. */
    value: text.nullable(),
    isEmpty: z.boolean(),
    checked: z.boolean(),
    required: z.boolean(),
    disabled: z.boolean(),
    invalid: z.boolean(),
    /** Which form of the document; -1: none. */
    form: z.int(),
    options: z
      .array(z.object({ value: text, text, disabled: z.boolean() }).readonly())
      .max(400)
      .readonly(),
  })
  .readonly();
export type PageField = z.output<typeof PageField>;

/** What can be clicked. */
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
    form: z.int(),
    /** Where its form is posted to. */
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
  })
  .readonly();

export const DocumentView = z
  .object({
    title: text,
    isComplete: z.boolean(),
    text,
    headings: texts,
    alerts: texts,
    /** Texts of the rows that say a total. */
    totals: texts,
    fields: z.array(PageField).max(400).readonly(),
    controls: z.array(PageControl).max(400).readonly(),
    frames: z.array(ChildFrame).max(50).readonly(),
  })
  .readonly();
export type DocumentView = z.output<typeof DocumentView>;
