/** JSON-RPC messages of a body, as received. */

export function methodOf(message: unknown): unknown {
  return (message as { readonly method?: unknown } | null | undefined)?.method;
}

/** Returns the messages of a body: one, or several of revision 2025-03-26. */
export function toMessages(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}
