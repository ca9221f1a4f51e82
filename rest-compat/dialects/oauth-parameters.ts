/** Parameters as browsers and clients send them: a query string, a form, or JSON; all three come to the same. */
import { InvalidRequestError } from "../../src/platform/errors.ts";
import { withoutMark } from "../byte-order-mark.ts";

/** In the order they came; a name may come again. */
export type Parameters = readonly (readonly [name: string, value: string])[];

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
/** A JSON string, and the colon behind it when it is a key; or what opens or closes an object or a list. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")\s*(:)?|([[{])|([\]}])/g;

/** @throws {InvalidRequestError} when it is not percent-encoded UTF-8. */
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
 * Those of an object that are asked for. A null counts as absent.
 * @throws {InvalidRequestError} when it is no object, or one of them is no string; it is named
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
  return keysOf(text)
    .filter((key) => values.has(key))
    .map((key) => [key, String(values.get(key))] as const);
}

/** The names of an object as they were sent: a parsed object has each once. */
function keysOf(text: string): string[] {
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
 * @param names which are asked for; of a form all are read
 * @throws {InvalidRequestError} when the body is neither a form nor JSON
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
 * A client's id and secret from `Authorization: Basic` (RFC 6749 section 2.3.1: form-encoded before base64); null where
 * there is no such header, and undefined where it is not readable.
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
    return JSON.parse(withoutMark(text));
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
