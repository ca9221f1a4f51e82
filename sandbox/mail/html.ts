/** HTML that is safe to send. Only `html` creates it. */
export interface SafeHtml {
  readonly safeHtml: string;
}

type Part = string | number | SafeHtml | readonly SafeHtml[];

/** Tagged template for HTML. Escapes strings, in text and in quoted attributes; inserts safe HTML unchanged. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): SafeHtml {
  const escaped = parts.map((part) => {
    if (typeof part !== "object") return escapeHtml(String(part));
    return "safeHtml" in part ? part.safeHtml : part.map(({ safeHtml }) => safeHtml).join("");
  });
  return { safeHtml: String.raw({ raw: literals }, ...escaped) };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** An http or https URL, up to white space, an angle bracket or a quotation mark. */
const WEB_URL = /(https?:\/\/[^\s<>"'`]+)/i;
/** Trailing punctuation that is not part of a URL. */
const TRAILING_PUNCTUATION = ".,;:!?)]}*_";

/**
 * Returns plain text as HTML with http and https URLs as links. Other schemes remain text. Linear time, unlike libraries that
 * also detect bare host names.
 */
export function linkUrls(text: string): SafeHtml {
  const pieces = text.split(WEB_URL).map((piece, index) => {
    // A split by one capture group alternates between text and URL.
    if (index % 2 === 0) return html`${piece}`;
    let end = piece.length;
    while (TRAILING_PUNCTUATION.includes(piece.charAt(end - 1))) end -= 1;
    const address = piece.slice(0, end);
    if (!URL.canParse(address)) return html`${piece}`;
    return html`<a href="${address}" rel="noopener noreferrer">${address}</a>${piece.slice(end)}`;
  });
  return html`${pieces}`;
}
