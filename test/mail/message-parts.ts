/** Builders for raw messages. */

export const CRLF = "\r\n";

export interface TestMessage {
  /** What the message tests, for error messages. */
  readonly kind: string;
  readonly raw: Buffer;
}

function head(fields: readonly (readonly [string, string])[]): string {
  return fields.map(([name, value]) => `${name}: ${value}${CRLF}`).join("");
}

/** Builds a message with the usual header fields added. */
export function message(
  kind: string,
  id: string,
  fields: readonly (readonly [string, string])[],
  body: string | Buffer,
): TestMessage {
  const common = [
    ["Message-ID", `<${id}@corpus.example>`],
    ["Date", "Tue, 01 Dec 2026 10:00:00 +0000"],
    ["To", "agent@agents.example"],
  ] as const;
  const given = new Set(fields.map(([name]) => name));
  const all = [...common.filter(([name]) => !given.has(name)), ...fields];
  return { kind, raw: Buffer.concat([Buffer.from(head(all) + CRLF), Buffer.from(body)]) };
}

export function multipart(type: string, parts: readonly string[], boundary: string, isClosed = true): [string, string] {
  const body = parts.map((part) => `--${boundary}${CRLF}${part}${CRLF}`).join("");
  return [
    `multipart/${type}; boundary="${boundary}"`,
    `preamble${CRLF}${body}${isClosed ? `--${boundary}--${CRLF}` : ""}`,
  ];
}

export const plain = (content: string) => `Content-Type: text/plain; charset=utf-8${CRLF}${CRLF}${content}`;
export const html = (content: string) => `Content-Type: text/html; charset=utf-8${CRLF}${CRLF}${content}`;
export const file = (name: string, content: string) =>
  `Content-Type: application/octet-stream; name="${name}"${CRLF}Content-Disposition: attachment; filename="${name}"${CRLF}Content-Transfer-Encoding: base64${CRLF}${CRLF}${content}`;

/** Builds a message with one attachment of the given size and distinct content. */
export function largeMessage(id: string, attachmentBytes: number): Buffer {
  const content = Buffer.alloc(attachmentBytes, id).toString("base64").replace(/.{76}/g, "$&\r\n");
  const [type, body] = multipart("mixed", [plain("A large one."), file(`${id}.bin`, content)], `large-${id}`);
  return message(
    "large",
    id,
    [
      ["From", "ada@corpus.example"],
      ["Subject", `large ${id}`],
      ["Content-Type", type],
    ],
    body,
  ).raw;
}
