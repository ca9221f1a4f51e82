import type { Readable } from "node:stream";

/** Reads a body whole. @throws Error when it is longer than `maxBytes`, or breaks off. */
export async function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop destroys the stream, and with it the connection.
    if (sizeBytes > maxBytes) throw new Error(`The body is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
