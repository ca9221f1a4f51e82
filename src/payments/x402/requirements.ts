/** Parser of 402 Payment Required responses (spec section 2.9; X402 versions 1 and 2). */
import { MAX_RESPONSE_HEADER_BYTES } from "../../platform/egress/pools.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { isWithinDepth } from "../../platform/json-depth.ts";
import { parseEntry, type SharedMembers } from "./entry.ts";
import { type HeaderBag, headerValue } from "./headers.ts";
import { decodeBase64Json, isJsonObject, jsonByteLength, parseJson } from "./json.ts";
import type { JsonObject, PaymentRequired, RefusedEntry } from "./requirement.ts";

/** Bounds the response that lists why each entry was refused. The size of the 402 response bounds everything else. */
const MAX_ENTRIES = 1_024;
const MAX_DEPTH = 64;

export interface PaymentRequiredInput {
  /** The 402 body as parsed JSON or text; from sign-payment the body, `accepts` alone, or one entry. */
  readonly body: unknown;
  /** Headers of the 402 response: version 2 sends its requirements in `PAYMENT-REQUIRED`. */
  readonly headers?: HeaderBag;
  /** Name of the input in error paths; default `paymentRequirements`. */
  readonly field?: string;
}

/**
 * Parses every entry independently, so an unusable entry does not affect the others. A fault of the whole document, such as an
 * unknown version, is one refused entry.
 *
 * @throws {InvalidRequestError} when the input is no X402 document: neither an entry, nor an object with `accepts` or
 *   `x402Version`.
 */
export function parsePaymentRequired(input: PaymentRequiredInput): PaymentRequired {
  const field = input.field ?? "paymentRequirements";
  const document = fromHeader(input.headers) ?? fromBody(input.body);
  const isEntry = isJsonObject(document) && isBareEntry(document);
  const isList = Array.isArray(document);
  const { accepts, ...envelope } = isEntry || isList ? wrapEntries(document) : asEnvelope(document, field);
  const path = isEntry || isList ? field : `${field}.accepts`;
  const error = shortError(envelope["error"]);
  const refuse = (member: string, problem: string, echoed: readonly unknown[] = []): PaymentRequired => {
    const refused = {
      index: 0,
      ok: false,
      reason: "malformed",
      message: `${member} ${problem}.`,
      field: member,
    } as const;
    return { entries: [refused], accepts: echoed, error };
  };
  if (!isWithinDepth(document, MAX_DEPTH)) return refuse(field, "is nested too deeply");
  if (!Array.isArray(accepts)) return refuse(path, accepts === undefined ? "is missing" : "must be an array");
  if (accepts.length === 0) return refuse(path, "must contain at least one entry");
  if (accepts.length > MAX_ENTRIES) return refuse(path, `has more than ${MAX_ENTRIES} entries`);
  const x402Version = envelope["x402Version"] ?? null;
  if (x402Version !== null && x402Version !== 1 && x402Version !== 2) {
    return refuse(`${field}.x402Version`, "must be the number 1 or 2", accepts);
  }

  const shared = readSharedMembers(envelope);
  const entries = accepts.map((raw, index) =>
    parseEntry(raw, { index, field: isEntry ? path : `${path}[${index}]`, x402Version, shared }),
  );
  return { entries, accepts, error };
}

/** @throws {InvalidRequestError} when every entry is malformed; names the first invalid member */
export function assertWellFormed({ entries }: PaymentRequired): void {
  const faults = entries.filter((entry): entry is RefusedEntry => !entry.ok && entry.reason === "malformed");
  const [first] = faults;
  if (first && faults.length === entries.length) throw new InvalidRequestError(first.message, first.field);
}

function fromHeader(headers: HeaderBag | undefined): JsonObject | undefined {
  const header = headers && headerValue(headers, "payment-required");
  const value = header === undefined ? undefined : decodeBase64Json(header, MAX_RESPONSE_HEADER_BYTES);
  return isJsonObject(value) && isEnvelope(value) ? value : undefined;
}

function fromBody(body: unknown): unknown {
  if (typeof body !== "string") return body;
  // A caller may also pass the version 2 header unchanged.
  return parseJson(body) ?? decodeBase64Json(body, MAX_RESPONSE_HEADER_BYTES);
}

function isBareEntry(document: JsonObject): boolean {
  return !("accepts" in document) && ("scheme" in document || "payTo" in document);
}

/** Returns an envelope for entries without one. The `resource` of an entry is its own, not the envelope's. */
function wrapEntries(document: JsonObject | unknown[]): JsonObject {
  return Array.isArray(document)
    ? { accepts: document }
    : { accepts: [document], x402Version: document["x402Version"] };
}

function isEnvelope(document: JsonObject): boolean {
  return "accepts" in document || "x402Version" in document;
}

function asEnvelope(document: unknown, field: string): JsonObject {
  if (!isJsonObject(document)) {
    throw new InvalidRequestError(`${field} must be the body of a 402 response: an object with accepts.`, field);
  }
  if (!isEnvelope(document)) throw new InvalidRequestError(`${field}.accepts is missing.`, `${field}.accepts`);
  return document;
}

/** Version 2: the members that a payment repeats whichever entry it pays. */
function readSharedMembers({ resource, extensions }: JsonObject): SharedMembers {
  const members = { resource: resource ?? null, extensions: isJsonObject(extensions) ? extensions : null };
  return { ...members, sizeBytes: jsonByteLength(members) };
}

function shortError(error: unknown): string | null {
  return typeof error === "string" && error.length > 0 ? error.slice(0, 200) : null;
}
