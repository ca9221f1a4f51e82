/** Parsers for OAuth parameters in a query string, a form or JSON. All three return the same list. */
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { stripByteOrderMark } from "../byte-order-mark.ts";

/** Name and value pairs in the order received. A name may occur more than once. */
export type Parameters = readonly (readonly [name: string, value: string])[];

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
/** Matches a JSON string with the colon after it if the string is a key, or a bracket of an object or array. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")\s*(:)?|([[{])|([\]}])/g;

/**
 * Parses `application/x-www-form-urlencoded` text.
 *
 * @throws {InvalidRequestError} if the text is not percent-encoded UTF-8.
 */
export function readForm(text: string): Parameters {
  if (text === "") return [];
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const end = pair.includes("=") ? pair.indexOf("=") : pair.length;
      return [decode(pair.slice(0, end)), decode(pair.slice(end + 1))] as const;
    });
}

/**
 * Parses a JSON object and returns its members in `names`. A null counts as absent.
 *
 * @throws {InvalidRequestError} if the text is not a JSON object, or a member is not a string; the message names it.
 */
export function readJson(text: string, names: readonly string[]): Parameters {
  const parsed = parse(text);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    throw new InvalidRequestError("The body must be a JSON object.");
  }
  const values = new Map(Object.entries(parsed).filter(([name, value]) => names.includes(name) && value !== null));
  for (const [name, value] of values) {
    if (typeof value !== "string") throw new InvalidRequestError(`${name} must be a string.`);
  }
  return readTopLevelKeys(text)
    .filter((key) => values.has(key))
    .map((key) => [key, String(values.get(key))] as const);
}

/** Returns the keys of the top-level object in the order sent, with repetitions: a parsed object has each key once. */
function readTopLevelKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [, string, colon, opens, closes] of text.matchAll(JSON_TOKEN)) {
    if (opens) depth++;
    else if (closes) depth--;
    else if (string && colon && depth === 1) keys.push(JSON.parse(string) as string);
  }
  return keys;
}

/**
 * Parses a form or JSON body.
 *
 * @param names JSON members to return; a form is returned in full
 * @throws {InvalidRequestError} if the body is neither a form nor JSON
 */
export function readBodyParameters(
  contentType: string | undefined,
  text: string,
  names: readonly string[],
): Parameters {
  if (text === "") return [];
  if (contentType !== undefined && FORM.test(contentType)) return readForm(text);
  if (contentType !== undefined && JSON_TYPE.test(contentType)) return readJson(text, names);
  throw new InvalidRequestError("The body must be application/x-www-form-urlencoded or application/json.");
}

/**
 * Returns the client ID and secret from `Authorization: Basic` (RFC 6749 section 2.3.1: form-encoded before base64).
 * Returns null without such a header, and undefined if it cannot be decoded.
 */
export function readBasic(header: string | undefined): { clientId: string; clientSecret: string } | null | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return /^Basic\b/i.test(header ?? "") ? undefined : null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return undefined;
  try {
    return { clientId: decode(text.slice(0, colon)), clientSecret: decode(text.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(stripByteOrderMark(text));
  } catch {
    throw new InvalidRequestError("The body is not valid JSON.");
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new InvalidRequestError("A parameter is not percent-encoded UTF-8.");
  }
}
