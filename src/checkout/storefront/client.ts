/** Client of Shopify's tokenless Storefront API (shopify.dev/docs/api/storefront/2026-10), through the egress guard. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { meros } from "meros/node";
import { z } from "zod";
import { toStorableText } from "../../platform/database/text.ts";
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress, EgressResponse } from "../../platform/egress/egress.ts";
import { CatalogUnavailableError, MerchantThrottledError } from "../errors.ts";
import { postToStore, toMerchantError } from "./post-to-store.ts";
import { retryThrottled } from "./retry-throttled.ts";

const VERSION = "2026-10";
const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

type Json = Record<string, unknown>;

const errors = z
  .array(z.object({ message: z.string(), extensions: z.object({ code: z.unknown() }).partial().nullish() }))
  .min(1);
const part = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  incremental: z
    .array(
      z.object({
        path: z.array(z.union([z.string(), z.number()])).default([]),
        data: z.record(z.string(), z.unknown()).nullish(),
        errors: z.unknown().optional(),
      }),
    )
    .optional(),
  errors: z.unknown().optional(),
});

/** A GraphQL document for a store. */
interface StorefrontRequest<Data> {
  readonly query: string;
  readonly variables: Json;
  readonly schema: z.ZodType<Data>;
  /** Whether a throttled request fails at once. For jobs, which schedule their next attempt themselves. */
  readonly isScheduled?: boolean;
}

/**
 * Executes a GraphQL document at a store and parses the response with `schema`. Waits for deferred parts and merges them.
 * Sends a throttled request again until the timeout.
 * @param storeUrl the store's origin
 * @throws {NotShopifyError} the site has no Storefront API
 * @throws {CatalogUnavailableError} the store did not respond, throttles requests, or returned an invalid response
 */
export async function queryStorefront<Data>(
  egress: Egress,
  storeUrl: string,
  { query, variables, schema, isScheduled = false }: StorefrontRequest<Data>,
): Promise<Data> {
  const request = { url: `${storeUrl}/api/${VERSION}/graphql.json`, body: JSON.stringify({ query, variables }) };
  const untilMs = performance.now() + TIMEOUT_MS;
  const send = async () => await readResponse(await postToStore(egress, { ...request, untilMs }));
  const data = isScheduled ? await send() : await retryThrottled(send, untilMs);
  const parsed = schema.safeParse(JSON.parse(JSON.stringify(data), toStorable));
  if (!parsed.success) throw new CatalogUnavailableError("The merchant returned an invalid response.");
  return parsed.data;
}

function toStorable(_key: string, value: unknown): unknown {
  return typeof value === "string" ? toStorableText(value) : value;
}

async function readResponse(response: EgressResponse): Promise<Json> {
  try {
    const read = { data: {} as Json };
    const text = await readBounded(response.body, MAX_RESPONSE_BYTES);
    if (/^multipart\//.test(String(response.headers["content-type"]))) {
      // In one chunk: meros merges two parts if a chunk starts within a boundary.
      const whole = Object.assign(Readable.from([Buffer.from(text)]), { headers: response.headers });
      const parts = await meros<unknown>(whole as unknown as IncomingMessage, { multiple: false });
      if (!(Symbol.asyncIterator in parts)) throw new SyntaxError("Not multipart.");
      for await (const one of parts as AsyncIterable<{ json: boolean; body: unknown }>) {
        if (!one.json) throw new SyntaxError("A part is not JSON.");
        mergePart(read, one.body);
      }
    } else {
      mergePart(read, JSON.parse(text));
    }
    return read.data;
  } catch (error) {
    // Any failure here originates at the merchant.
    throw toMerchantError(error);
  }
}

/** Merges one part of a response (GraphQL incremental delivery, version 2022-08-24). */
function mergePart(read: { data: Json }, body: unknown): void {
  const { data, incremental = [], errors: failures } = part.parse(body);
  const failed = errors.safeParse(failures);
  if (failed.data?.some(({ extensions }) => extensions?.code === "THROTTLED")) throw new MerchantThrottledError(null);
  if (failed.success)
    throw new CatalogUnavailableError(`The merchant rejected the request: ${failed.data[0]?.message.slice(0, 200)}.`);
  if (data) read.data = data;
  for (const one of incremental) {
    if (one.errors) throw new CatalogUnavailableError("The merchant could not price delivery.");
    const target = one.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], read.data);
    if (typeof target !== "object" || target === null) throw new SyntaxError("The path of a part does not exist.");
    merge(target as Json, one.data ?? {});
  }
}

function merge(into: Json, from: Json): void {
  for (const [key, value] of Object.entries(from)) {
    const present = into[key];
    if (isObject(present) && isObject(value)) merge(present, value);
    else if (key !== "__proto__") into[key] = value;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
