const KNOWN: Readonly<Record<string, string>> = { sub: "who you are", usd: "USD", id: "number" };

/** A claim's name in words: `trust_score_parts.age` as "trust score parts: age". */
export function claimWords(claim: string): string {
  return claim
    .split(".")
    .map((part) =>
      part
        .split("_")
        .map((word) => KNOWN[word] ?? word)
        .join(" "),
    )
    .join(": ");
}
