import type { Variables } from "./compile-operation.ts";
import type { Operation } from "./operation-store.ts";

/** Returns a text that is equal for the same operation of the same document with equal variables and an equal `owner`. */
export function identifyOperation(
  owner: string,
  { operationName, query }: Operation,
  variables: Variables | null | undefined,
): string {
  return JSON.stringify([owner, operationName ?? null, sortMembers(variables ?? {}), query]);
}

/** Returns the value with sorted object members, so equal variables have equal JSON. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortMembers(member)]));
}
