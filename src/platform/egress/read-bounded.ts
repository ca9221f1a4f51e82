import type { Readable } from "node:stream";
import { joined, ReceivedBody } from "./body.ts";

/** Reads a body whole. @throws Error when it is longer than `maxBytes`, or breaks off. */
export async function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const tooLong = () => new Error(`The body is longer than ${maxBytes} bytes.`);
  return (await readBoundedBytes(body, maxBytes, tooLong)).toString("utf8");
}

/** The same as bytes. @throws what `tooLong` makes when it is longer than `maxBytes`; what the body breaks off with. */
export async function readBoundedBytes(body: Readable, maxBytes: number, tooLong: () => Error): Promise<Buffer> {
  if (body instanceof ReceivedBody) {
    if (body.bytes.byteLength > maxBytes) throw tooLong();
    return body.bytes;
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop destroys the stream, and with it the connection.
    if (sizeBytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return joined(chunks);
}
