/** JSON that others wrote: measured before it is kept, echoed or walked. */
import { isStorableText } from "../../platform/database/text.ts";
import type { JsonObject } from "./requirement.ts";

/** A plain JSON object, as opposed to an array, null or a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Size of the value as UTF-8 JSON; infinite when it cannot be written. */
export function jsonByteLength(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Whether no part of the value lies deeper than `maxDepth`. Walks without recursion: depth is what an attacker chooses. */
export function isWithinDepth(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return true;
}

/** Whether every text in the value, names of members included, can be kept. Walks without recursion, as above. */
export function isStorable(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === "string" && !isStorableText(item))) return false;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? [...Object.keys(item), ...Object.values(item)] : [],
    );
  }
  return true;
}

/** Base64 (either alphabet, padded or not) of UTF-8 JSON → value; undefined when it is not that or longer than `maxChars`. */
export function decodeBase64Json(text: string, maxChars: number): unknown {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > maxChars || !/^[\w+/-]+={0,2}$/.test(trimmed)) return undefined;
  return parseJson(Buffer.from(trimmed, "base64").toString("utf8"));
}

/** JSON text → value; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
