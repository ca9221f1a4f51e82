import { closest, distance } from "fastest-levenshtein";

/** Returns ` Did you mean X?` for the name most similar to the typed one; an empty text if none is similar. */
export function suggest(typed: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const name = closest(typed, names);
  // A third of the name may differ: `blance` is `balance`, but `pay` is not `sign`.
  return distance(typed, name) <= Math.max(1, Math.floor(name.length / 3)) ? ` Did you mean ${name}?` : "";
}
