/** Parser of 402 Payment Required responses (spec section 2.9; X402 versions 1 and 2). */
import { InvalidRequestError } from "../../platform/errors.ts";
import { parseEntry } from "./entry.ts";
import { type HeaderBag, headerValue } from "./headers.ts";
import { decodeBase64Json, isJsonObject, isStorable, isWithinDepth, jsonByteLength, parseJson } from "./json.ts";
import type { JsonObject, ParsedEntry, PaymentRequired, X402Version } from "./requirement.ts";

const MAX_ENTRIES = 64;
const MAX_HEADER_CHARS = 64 * 1024;
const MAX_DEPTH = 32;
const MAX_ECHO_BYTES = 1_024;

export interface PaymentRequiredInput {
  /** The 402 body as parsed JSON or text; from sign-payment the body, `accepts` alone, or one entry. */
  readonly body: unknown;
  /** Headers of the 402 response: version 2 sends its requirements in `PAYMENT-REQUIRED`. */
  readonly headers?: HeaderBag;
  /** Name of the input in error paths; default `paymentRequirements`. */
  readonly field?: string;
}

/**
 * Parses every entry independently, so an unusable entry does not affect the others.
 *
 * @throws {InvalidRequestError} when there are no entries, more than 64, or only malformed ones.
 */
export function parsePaymentRequired(input: PaymentRequiredInput): PaymentRequired {
  const field = input.field ?? "paymentRequirements";
  const document = fromHeader(input.headers) ?? fromBody(input.body);
  if (!isWithinDepth(document, MAX_DEPTH)) throw new InvalidRequestError(`${field} is nested too deeply.`, field);

  const { accepts, path, envelope } = locateAccepts(document, field);
  if (accepts.length === 0) throw new InvalidRequestError(`${path} must contain at least one entry.`, path);
  if (accepts.length > MAX_ENTRIES) {
    throw new InvalidRequestError(`${path} has more than ${MAX_ENTRIES} entries.`, path);
  }
  const shared = {
    x402Version: readVersion(envelope, field),
    resource: echoableResource(envelope["resource"]),
    gasSponsoring: echoableOffer(envelope["extensions"]),
  };
  const isSingle = accepts[0] === document;
  const entries = accepts.map((raw, index) =>
    parseEntry(raw, { index, field: isSingle ? path : `${path}[${index}]`, ...shared }),
  );
  const faults = entries.filter(isMalformed);
  const [first] = faults;
  if (first && faults.length === entries.length) throw new InvalidRequestError(first.message, first.field);
  return { entries, accepts, error: shortError(envelope["error"]) };
}

function isMalformed(entry: ParsedEntry): entry is Extract<ParsedEntry, { ok: false }> {
  return !entry.ok && entry.reason === "malformed";
}

function fromHeader(headers: HeaderBag | undefined): JsonObject | undefined {
  const header = headers && headerValue(headers, "payment-required");
  const value = header === undefined ? undefined : decodeBase64Json(header, MAX_HEADER_CHARS);
  return isJsonObject(value) && Array.isArray(value["accepts"]) ? value : undefined;
}

function fromBody(body: unknown): unknown {
  if (typeof body !== "string") return body;
  // A caller may also pass the version 2 header unchanged.
  return parseJson(body) ?? decodeBase64Json(body, MAX_HEADER_CHARS);
}

function locateAccepts(document: unknown, field: string): { accepts: unknown[]; path: string; envelope: JsonObject } {
  if (Array.isArray(document)) return { accepts: document, path: field, envelope: {} };
  if (!isJsonObject(document)) {
    throw new InvalidRequestError(`${field} must be the body of a 402 response: an object with accepts.`, field);
  }
  const { accepts } = document;
  if (Array.isArray(accepts)) return { accepts, path: `${field}.accepts`, envelope: document };
  if (accepts !== undefined) {
    throw new InvalidRequestError(`${field}.accepts must be an array.`, `${field}.accepts`);
  }
  if ("scheme" in document || "payTo" in document) {
    // A single entry: `resource` belongs to the entry, not to an envelope.
    return { accepts: [document], path: field, envelope: { x402Version: document["x402Version"] } };
  }
  throw new InvalidRequestError(`${field}.accepts is missing.`, `${field}.accepts`);
}

function readVersion(envelope: JsonObject, field: string): X402Version | null {
  const version = envelope["x402Version"] ?? null;
  if (version === null || version === 1 || version === 2) return version;
  throw new InvalidRequestError(`${field}.x402Version must be 1 or 2.`, `${field}.x402Version`);
}

/** Returns the resource description to echo. A long one is reduced to its URL, which identifies the resource. */
function echoableResource(resource: unknown): JsonObject | null {
  if (!isJsonObject(resource) || typeof resource["url"] !== "string" || !isStorable(resource)) return null;
  if (jsonByteLength(resource) <= MAX_ECHO_BYTES) return resource;
  const short = { url: resource["url"] };
  return jsonByteLength(short) <= MAX_ECHO_BYTES ? short : null;
}

function echoableOffer(extensions: unknown): JsonObject | null {
  const offer = isJsonObject(extensions) ? extensions["eip2612GasSponsoring"] : undefined;
  if (!isJsonObject(offer)) return null;
  // Only `info` is echoed; `schema` describes its format.
  const info = isJsonObject(offer["info"]) ? offer["info"] : {};
  return jsonByteLength(info) <= MAX_ECHO_BYTES && isStorable(info) ? info : null;
}

function shortError(error: unknown): string | null {
  return typeof error === "string" && error.length > 0 ? error.slice(0, 200) : null;
}
