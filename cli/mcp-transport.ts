/** Framing of messages: lines on standard input and output, JSON and event streams over HTTP. */
import { createParser } from "eventsource-parser";

const NEWLINE = 0x0a;

/** Yields the lines of a stream. Only `\n` ends a line: JSON may contain other line separators, such as U+2028. */
export async function* readLines(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes a line, without a byte order mark. With a fault, the text is only good for finding ids. */
export function decodeLine(line: Buffer): { readonly text: string; readonly fault: string | null } {
  try {
    return { text: strictDecoder.decode(line), fault: null };
  } catch {
    return { text: line.toString("utf8"), fault: "A line is not valid UTF-8. It was not sent." };
  }
}

/** Returns JSON as one line. Its raw line breaks are between tokens, since strings escape them. */
export function toLine(json: string): string {
  return `${json.replace(/[\r\n]+/g, " ")}\n`;
}

/** Yields the messages of a response: one as JSON, or several as an event stream. */
export async function* readMessages(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  if (!type.startsWith("text/event-stream")) {
    yield await response.text();
    return;
  }
  const received: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void received.push(data) });
  const decoder = new TextDecoder();
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* received.splice(0);
  }
  // The last event may lack the blank line that ends it.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* received;
}
