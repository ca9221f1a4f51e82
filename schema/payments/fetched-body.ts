/** Bodies and headers of other servers, as GraphQL carries them. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { z } from "zod";
import { TargetTimeoutError } from "../../src/platform/egress/errors.ts";
import { builder } from "../builder.ts";

const MAX_BYTES = 4 * 1024 * 1024;

export interface FetchedBody {
  readonly bytes: Buffer;
  readonly isTruncated: boolean;
  text(): string | null;
  json(): unknown;
}

/** The body of an answer that is streamed elsewhere. */
export const NO_BODY: FetchedBody = { bytes: Buffer.alloc(0), isTruncated: false, text: () => null, json: () => null };

/**
 * Reads a body up to 4 MiB and lets go of the rest.
 * @throws {TargetTimeoutError} so much of it is not there after `timeoutMs`, however steadily it comes
 */
export async function readFetchedBody(body: Readable, timeoutMs: number): Promise<FetchedBody> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const late = () => body.destroy(new TargetTimeoutError("The target did not finish its answer in time."));
  const timer = setTimeout(late, timeoutMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      chunks.push(chunk);
      // Leaving the loop destroys the stream, and with it the connection.
      if (sizeBytes > MAX_BYTES) break;
    }
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks).subarray(0, MAX_BYTES);
  const text = () => (isUtf8(bytes) ? bytes.toString("utf8") : null);
  return {
    bytes,
    isTruncated: sizeBytes > MAX_BYTES,
    text,
    json() {
      try {
        return JSON.parse(text() ?? "null");
      } catch {
        return null;
      }
    },
  };
}

export const HttpHeader = builder.objectRef<{ name: string; value: string }>("HttpHeader").implement({
  description: "An HTTP header.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name, in lower case." }),
    value: t.exposeString("value", { description: "Its value." }),
  }),
});

export const HeaderInput = builder.inputType("HttpHeaderInput", {
  description: "An HTTP header.",
  fields: (t) => ({
    name: t.string({
      required: true,
      validate: z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, "must be an HTTP header name"),
      description: "Its name.",
    }),
    value: t.string({
      required: true,
      validate: z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/, "must be an HTTP header value"),
      description: "Its value.",
    }),
  }),
});

/** Each value of each header. */
export function headersOf(headers: Readonly<Record<string, string | string[]>>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}
