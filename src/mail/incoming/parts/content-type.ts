/** The type of a part that a reader's client would show, of correct and of malformed `Content-Type` fields. */

const TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
/** What senders write for a type, without its subtype or with another name. */
const MEANT: Readonly<Record<string, string>> = {
  "": "text/plain",
  text: "text/plain",
  txt: "text/plain",
  plain: "text/plain",
  "plain/text": "text/plain",
  "text/txt": "text/plain",
  "text/text": "text/plain",
  "text/plaintext": "text/plain",
  "text/ascii": "text/plain",
  "text/us-ascii": "text/plain",
  "text/utf-8": "text/plain",
  html: "text/html",
  htm: "text/html",
  "html/text": "text/html",
  "text/htm": "text/html",
  "text/xhtml": "text/html",
  "application/xhtml+xml": "text/html",
  multipart: "multipart/mixed",
};
const MAX_FIELD_LENGTH = 1_000;

/** Returns the type in lower case, without parameters. Of a type that cannot be read: `application/octet-stream`. */
export function readMediaType(field: string): string {
  const start = field
    .slice(0, MAX_FIELD_LENGTH)
    .toLowerCase()
    .replace(/^[\s"'<]+/, "")
    .replace(/^([\w.+-]*)\s*[/\\]\s*/, "$1/");
  const token = (/^[^\s;,:"'<>()]*/.exec(start)?.[0] ?? "").replace(/[/.]+$/, "");
  return MEANT[token] ?? (TYPE.test(token) ? token : "application/octet-stream");
}

/** Returns the charset of a field whose parameters are not separated as they should be; null if there is none. */
export function findCharset(field: string): string | null {
  return /\bcharset\s*=\s*["']?([\w.:+-]{1,60})/i.exec(field.slice(0, MAX_FIELD_LENGTH))?.[1] ?? null;
}
