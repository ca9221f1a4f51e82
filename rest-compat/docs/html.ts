/** HTML template tag. Every value is escaped unless it is HTML itself. */
const RAW = Symbol("html");

export interface Html {
  readonly [RAW]: string;
}

type Value = string | number | Html | readonly Html[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { [RAW]: parts.map((part, i) => part + toHtmlText(values[i] ?? null)).join("") };
}

export function toText(page: Html): string {
  return page[RAW];
}

function toHtmlText(value: Value): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "number") {
    return String(value).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
  }
  return RAW in value ? value[RAW] : value.map((item) => item[RAW]).join("");
}

/** Converts text to HTML, with `code` elements for parts in backticks. */
export function prose(text: string): Html[] {
  return text.split("`").map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
