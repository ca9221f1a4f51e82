/** CSS custom properties (CSS Custom Properties Level 1): `var()` is replaced by the value that an element inherits. */
import type { Winners } from "./cascade.ts";

/** Variables of an element. Those of its ancestors are linked, since copies for each element would need too much time. */
export interface Variables {
  readonly own: ReadonlyMap<string, string>;
  readonly inherited: Variables | null;
}

export const NO_VARIABLES: Variables = { own: new Map(), inherited: null };

const MAX_ROUNDS = 8;
const MAX_LENGTH = 2_000;
const REFERENCE = /var\(\s*(--[^\s,()]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)/g;

/** Steps that remain for a message. A newsletter needs a few thousand. */
let remainingSteps = 0;
const MAX_STEPS = 1_000_000;

/** Must be called before the variables of a message are resolved. */
export function beginVariables(): void {
  remainingSteps = MAX_STEPS;
}

/** Returns the declarations with variables replaced, and the variables that descendants inherit. */
export function resolveVariables(winners: Winners, inherited: Variables): { winners: Winners; variables: Variables } {
  const own = [...winners].filter(([property]) => property.startsWith("--"));
  const variables = own.length === 0 ? inherited : { own: new Map(own), inherited };
  const resolved = new Map<string, string>();
  for (const [property, value] of winners)
    if (!property.startsWith("--") && value.includes("var(")) resolved.set(property, replace(value, variables));
  return { winners: resolved.size === 0 ? winners : new Map([...winners, ...resolved]), variables };
}

/** A reference without a value remains, which counts as hiding. So does one that would make the value too long. */
function replace(value: string, variables: Variables): string {
  let result = value;
  for (let round = 0; round < MAX_ROUNDS && result.includes("var("); round++) {
    let length = result.length;
    result = result.replace(REFERENCE, (whole, name: string, fallback?: string) => {
      const found = (find(name, variables) ?? fallback ?? whole).trim();
      length += found.length;
      remainingSteps -= found.length;
      return length > MAX_LENGTH || remainingSteps < 0 ? whole : found;
    });
  }
  return result;
}

function find(name: string, variables: Variables): string | undefined {
  for (let at: Variables | null = variables; at !== null && remainingSteps >= 0; at = at.inherited) {
    remainingSteps -= 1;
    const value = at.own.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
