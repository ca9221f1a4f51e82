import type { Readable } from "node:stream";

/** Reads a body whole. @throws Error when it is longer than `maxBytes`, or breaks off. */
export function readBounded(body: Readable, maxBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  body.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.byteLength;
    // Destroying the stream ends the connection.
    if (sizeBytes > maxBytes) body.destroy(new Error(`The body is longer than ${maxBytes} bytes.`));
    else chunks.push(chunk);
  });
  body.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
  body.once("error", reject);
  body.once("close", () => reject(new Error("The body broke off.")));
  return promise;
}
