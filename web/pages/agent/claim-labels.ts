const LABELS: Readonly<Record<string, string>> = { sub: "subject", usd: "USD", id: "number" };

/** Returns a readable claim name: `trust_score_parts.age` becomes "trust score parts: age". */
export function claimLabel(claim: string): string {
  return claim
    .split(".")
    .map((part) =>
      part
        .split("_")
        .map((word) => LABELS[word] ?? word)
        .join(" "),
    )
    .join(": ");
}
