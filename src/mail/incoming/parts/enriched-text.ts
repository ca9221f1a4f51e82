/** `text/enriched` (RFC 1896) as HTML, so that the rules for hidden text apply to its colours and sizes as well. */

/** Commands with the element and style that they stand for. Others have no effect on the text. */
const ELEMENTS: Readonly<Record<string, string>> = {
  bold: "b",
  italic: "i",
  underline: "u",
  fixed: "code",
  excerpt: "blockquote",
  center: "div",
  indent: "div",
};
const STYLES: Readonly<Record<string, string>> = { smaller: "font-size:smaller", bigger: "font-size:larger" };
const TOKEN = /<<|<(\/?)([a-z0-9-]{1,60})>|\n+|[^<\n]+|</gi;
const MAX_PARAMETER_LENGTH = 100;
/** Deeper commands have no effect. */
const MAX_OPEN = 100;

/** Returns HTML with the same text. */
export function enrichedToHtml(text: string): string {
  const html: string[] = [];
  /** Commands that are open, with the elements that they stand for. */
  const open: { name: string; tag: string }[] = [];
  let unfilled = 0;
  let parameter: string | null = null;
  let colorAt: number | null = null;
  for (const [token, slash, command] of text.matchAll(TOKEN)) {
    const name = command?.toLowerCase();
    if (name === "param") {
      if (slash === "/" && parameter !== null && colorAt !== null) html[colorAt] = toColorTag(parameter);
      parameter = slash === "/" ? null : "";
      continue;
    }
    if (parameter !== null) {
      if (parameter.length < MAX_PARAMETER_LENGTH) parameter += token;
      continue;
    }
    if (name === undefined) {
      html.push(
        token === "<<" ? "&lt;" : token.startsWith("\n") ? breakLines(token.length, unfilled > 0) : escapeText(token),
      );
      continue;
    }
    if (slash !== "/") {
      if (open.length >= MAX_OPEN) continue;
      if (name === "nofill") unfilled += 1;
      const tag = ELEMENTS[name] ?? "span";
      const style = STYLES[name];
      colorAt = name === "color" ? html.length : null;
      html.push(style ? `<${tag} style="${style}">` : `<${tag}>`);
      open.push({ name, tag });
      continue;
    }
    if (open.at(-1)?.name !== name) continue;
    if (name === "nofill") unfilled -= 1;
    html.push(`</${open.pop()?.tag}>`);
  }
  return html.join("");
}

/** One line break is a space; of several, one is dropped (section 3). */
function breakLines(count: number, isUnfilled: boolean): string {
  if (isUnfilled) return "<br>".repeat(count);
  return count === 1 ? " " : "<br>".repeat(count - 1);
}

/** A colour is a name, or three values of 16 bits in hexadecimal form. */
function toColorTag(parameter: string): string {
  const value = parameter.trim().toLowerCase();
  const [, ...parts] = /^([\da-f]{2,4}),([\da-f]{2,4}),([\da-f]{2,4})$/.exec(value) ?? [];
  if (parts.length > 0) return `<span style="color:#${parts.map((part) => part.slice(0, 2)).join("")}">`;
  // An unknown colour hides the text, as any other doubt does.
  return `<span style="color:${/^[a-z]{1,30}$/.test(value) ? value : "transparent"}">`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
