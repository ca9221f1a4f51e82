/** HTML that is safe to send, made by `html` alone. */
export interface SafeHtml {
  readonly safeHtml: string;
}

type Part = string | number | SafeHtml | readonly SafeHtml[];

/** A tagged template: strings in it are escaped, in text as in quoted attributes; safe HTML goes in as it is. */
export function html(literals: TemplateStringsArray, ...parts: Part[]): SafeHtml {
  const written = parts.map((part) => {
    if (typeof part !== "object") return escapeHtml(String(part));
    return "safeHtml" in part ? part.safeHtml : part.map(({ safeHtml }) => safeHtml).join("");
  });
  return { safeHtml: String.raw({ raw: literals }, ...written) };
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** A run that begins like a web address, up to a space, a bracket or a quotation mark. */
const WEB_ADDRESS = /(https?:\/\/[^\s<>"'`]+)/i;
/** What ends a sentence or closes a bracket is not of the address. */
const AFTERTHOUGHTS = ".,;:!?)]}*_";

/**
 * Plain text with its http and https addresses as links; every other scheme stays text. Linear in the text's length,
 * which libraries that also guess bare host names are not.
 */
export function linked(text: string): SafeHtml {
  const pieces = text.split(WEB_ADDRESS).map((piece, index) => {
    // A split by one group alternates: text, address, text.
    if (index % 2 === 0) return html`${piece}`;
    let end = piece.length;
    while (AFTERTHOUGHTS.includes(piece.charAt(end - 1))) end -= 1;
    const address = piece.slice(0, end);
    if (!URL.canParse(address)) return html`${piece}`;
    return html`<a href="${address}" rel="noopener noreferrer">${address}</a>${piece.slice(end)}`;
  });
  return html`${pieces}`;
}
