/** Checks of untrusted JSON before it is stored, echoed or traversed. */
import type { JsonObject } from "./requirement.ts";

/** Returns whether the value is a JSON object, as opposed to an array, null or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the size of the value as UTF-8 JSON; infinity if it cannot be serialised. */
export function jsonByteLength(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Decodes Base64 (either alphabet, padded or not) of UTF-8 JSON. Returns undefined if invalid or longer than `maxChars`. */
export function decodeBase64Json(text: string, maxChars: number): unknown {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > maxChars || !/^[\w+/-]+={0,2}$/.test(trimmed)) return undefined;
  return parseJson(Buffer.from(trimmed, "base64").toString("utf8"));
}

/** Parses JSON text. Returns undefined if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
