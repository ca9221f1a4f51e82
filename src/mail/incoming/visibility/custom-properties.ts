/** CSS custom properties (CSS Custom Properties Level 1): `var()` is replaced by the value that an element inherits. */
import type { Winners } from "./cascade.ts";

export type Variables = ReadonlyMap<string, string>;

const MAX_ROUNDS = 8;
const MAX_LENGTH = 2_000;
const REFERENCE = /var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g;

/** Returns the declarations with variables replaced, and the variables that descendants inherit. */
export function resolveVariables(winners: Winners, inherited: Variables): { winners: Winners; variables: Variables } {
  const own = [...winners].filter(([property]) => property.startsWith("--"));
  const variables = own.length === 0 ? inherited : new Map([...inherited, ...own]);
  if (![...winners.values()].some((value) => value.includes("var("))) return { winners, variables };
  return {
    winners: new Map([...winners].map(([property, value]) => [property, replace(value, variables)])),
    variables,
  };
}

/** A reference without a value remains, which counts as hiding. */
function replace(value: string, variables: Variables): string {
  let result = value;
  for (let round = 0; round < MAX_ROUNDS && result.includes("var(") && result.length < MAX_LENGTH; round++) {
    result = result.replace(REFERENCE, (whole, name: string, fallback?: string) =>
      (variables.get(name) ?? fallback ?? whole).toLowerCase().trim(),
    );
  }
  return result;
}
