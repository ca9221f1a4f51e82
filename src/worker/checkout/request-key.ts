/** Identifies requests that have the same effect, regardless of the values they carry. */
import type { Request } from "playwright-core";

interface RequestKey {
  /** Method, URL without query, operation and parameter names. Two requests with the same kind are repetitions. */
  readonly kind: string;
  /** The kind and the query. Requests that a page repeats while it is filled in share it. */
  readonly exact: string;
}

/** Body members that select the operation of an endpoint with several operations. */
const OPERATION = ["operationName", "operation", "action", "method", "documentId", "doc_id", "queryId"] as const;
/** Headers that do so, such as those of Next.js, SOAP and October CMS. */
const OPERATION_HEADERS = [
  "next-action",
  "soapaction",
  "x-october-request-handler",
  "x-winter-request-handler",
] as const;
const MAX_OPERATION_LENGTH = 1_000;
const MAX_NAMES = 200;

export function keyOf(request: Request): RequestKey {
  const url = new URL(request.url());
  const headers = request.headers();
  const named = OPERATION_HEADERS.flatMap((name) => headers[name] ?? []);
  const { operation, names } = bodyOf(request.postData() ?? "");
  const kind = `${request.method()} ${url.origin}${url.pathname} ${[...named, operation].join(" ")} ${names}`;
  return { kind, exact: `${kind} ${url.search}` };
}

/** Identifies requests with a safe method that read the same. Numbers in the query, such as times, do not distinguish them. */
export function readKeyOf(request: Request): string {
  const { origin, pathname, search } = new URL(request.url());
  return `READ ${origin}${pathname}${search.replaceAll(/\d+/g, "0")}`;
}

/** Identifies requests with the same contents. @param body fingerprint of the body */
export const contentKeyOf = (method: string, url: string, body: string): string => `SAME ${method} ${url} ${body}`;

/** Returns the name of the operation that a body selects; empty if it selects none, several names if it selects several. */
export function operationIn(body: string): string {
  return bodyOf(body).operation;
}

/** Whether the method is safe (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

/** A batch selects the operations of all its parts. */
function bodyOf(text: string): { operation: string; names: string } {
  const parts: readonly Record<string, unknown>[] = jsonOf(text) ?? [
    Object.fromEntries(isForm(text) ? new URLSearchParams(text) : []),
  ];
  const operation = parts.map(operationOf).join(" ").trim().slice(0, MAX_OPERATION_LENGTH);
  const names = new Set(parts.flatMap((members) => Object.keys(members)));
  return { operation, names: [...names].slice(0, MAX_NAMES).toSorted().join(",") };
}

function operationOf(members: Record<string, unknown>): string {
  const named = OPERATION.map((name) => members[name]).find((value) => typeof value === "string" && value !== "");
  if (named !== undefined) return String(named).slice(0, 100);
  const { query, extensions } = members;
  const persisted = (extensions as { persistedQuery?: { sha256Hash?: unknown } } | null | undefined)?.persistedQuery;
  if (typeof persisted?.sha256Hash === "string") return persisted.sha256Hash.slice(0, 100);
  if (typeof query !== "string") return "";
  const name = /\b(?:mutation|query)\s+(\w+)/.exec(query)?.[1];
  // Anonymous GraphQL documents differ in their fields. Their arguments may be literals.
  if (name !== undefined || !query.includes("{")) return name ?? "";
  return query.replaceAll(/"(?:[^"\\]|\\.)*"|[^A-Za-z"]+/g, " ").trim();
}

function jsonOf(text: string): Record<string, unknown>[] | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    const objects = parts.filter((part): part is Record<string, unknown> => typeof part === "object" && part !== null);
    return objects.length > 0 ? objects : null;
  } catch {
    return null;
  }
}

const isForm = (text: string) => /^[^=&\s{}]{1,200}=/.test(text);
