/** GraphQL representation of response bodies and headers from other servers. */
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

/** Placeholder body of a response that is streamed elsewhere. */
export const NO_BODY: FetchedBody = { bytes: Buffer.alloc(0), isTruncated: false, text: () => null, json: () => null };

/**
 * Reads the first 4 MiB of a body and drops the rest.
 *
 * @throws {TargetTimeoutError} when these bytes have not arrived after `timeoutMs`, even if data is still arriving
 */
export async function readFetchedBody(body: Readable, timeoutMs: number): Promise<FetchedBody> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const onTimeout = () => body.destroy(new TargetTimeoutError("The target did not complete its response in time."));
  const timer = setTimeout(onTimeout, timeoutMs);
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
    name: t.exposeString("name", { description: "The name of the header, in lower case." }),
    value: t.exposeString("value", { description: "The value of the header." }),
  }),
});

export const HeaderInput = builder.inputType("HttpHeaderInput", {
  description: "An HTTP header.",
  fields: (t) => ({
    name: t.string({
      required: true,
      validate: z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/, "must be an HTTP header name"),
      description: "The name of the header.",
    }),
    value: t.string({
      required: true,
      validate: z.string().regex(/^[\t\x20-\x7e\x80-\xff]{0,8192}$/, "must be an HTTP header value"),
      description: "The value of the header, at most 8,192 characters.",
    }),
  }),
});

/** Returns one entry for each value of each header. */
export function listHeaders(headers: Readonly<Record<string, string | string[]>>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value })));
}
