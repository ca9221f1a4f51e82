/** The text without the mark that some clients put before it. A parser of JSON may ignore it (RFC 8259 section 8.1), as fastify's does. */
export function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
