/** Strips a leading byte order mark. A JSON parser may ignore one (RFC 8259 section 8.1), as fastify's does. */
export function stripByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
