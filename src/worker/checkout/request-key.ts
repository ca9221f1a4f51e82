/** Identifies requests that have the same effect, regardless of the values they carry. */
import type { Request } from "playwright-core";

export interface RequestKey {
  /** Method, URL without query, operation and parameter names. Two requests with the same kind are repetitions. */
  readonly kind: string;
  /** The kind and the query. Requests that a page repeats while it is filled in share it. */
  readonly exact: string;
}

/** Body members that select the operation of an endpoint with several operations. */
const OPERATION = ["operationName", "operation", "action", "method"] as const;
const MAX_NAMES = 200;

export function keyOf(request: Request): RequestKey {
  const url = new URL(request.url());
  const { operation, names } = bodyOf(request.postData() ?? "");
  const kind = `${request.method()} ${url.origin}${url.pathname} ${operation} ${names}`;
  return { kind, exact: `${kind} ${url.search}` };
}

/** Whether the method is safe (RFC 9110, section 9.2.1). */
export function isSafe(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function bodyOf(text: string): { operation: string; names: string } {
  const members = jsonOf(text) ?? Object.fromEntries(isForm(text) ? new URLSearchParams(text) : []);
  const named = OPERATION.map((name) => members[name]).find((value) => typeof value === "string");
  const query =
    typeof members["query"] === "string" ? /\b(?:mutation|query)\s+(\w+)/.exec(members["query"])?.[1] : null;
  const operation = String(named ?? query ?? "").slice(0, 100);
  return { operation, names: Object.keys(members).slice(0, MAX_NAMES).toSorted().join(",") };
}

function jsonOf(text: string): Record<string, unknown> | null {
  if (!/^\s*[{[]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "object" && first !== null ? (first as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const isForm = (text: string) => /^[^=&\s{}]{1,200}=/.test(text);
