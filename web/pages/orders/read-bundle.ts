/** Signed mandate in an evidence bundle. */
export interface Mandate {
  readonly role: string;
  readonly type: string | null;
  readonly sha256: string | null;
  /** Status of the receipt. Null for other mandates. */
  readonly status: string | null;
}

/** Returns the mandate chain of an evidence bundle, or an empty list if it has none. */
export function readMandates(bundle: unknown): readonly Mandate[] {
  const chain = fieldOf(bundle, "mandate_chain");
  return Array.isArray(chain)
    ? chain.map((entry) => ({
        role: textOf(entry, "role") ?? "",
        type: textOf(entry, "vct"),
        sha256: textOf(entry, "sha256"),
        status: textOf(entry, "status"),
      }))
    : [];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textOf(value: unknown, name: string): string | null {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : null;
}
