import { distance } from "fastest-levenshtein";

/** Names shorter than this are too similar to each other: `bcc` is not a misspelt `cc`. */
const MIN_CHARS = 4;
/** Names at least this long may differ in two characters, shorter ones in one. */
const LONG_NAME = 8;

/**
 * Returns the known name that `name` most likely stands for; null if none is similar. Case, `_` and `-` do not count, so
 * that `shipTo` finds `ship_to`. A name also finds one that it starts, such as `slippage` the name `slippagePercentage`.
 */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const plain = toPlain(name);
  const allowed = plain.length < MIN_CHARS ? 0 : plain.length < LONG_NAME ? 1 : 2;
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(plain, toPlain(candidate)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const [nearest] = ranked;
  if (nearest && nearest.edits <= allowed) return nearest.candidate;
  if (plain.length < MIN_CHARS) return null;
  return ranked.find(({ candidate }) => toPlain(candidate).startsWith(plain))?.candidate ?? null;
}

/** Returns the advice for an unknown name: the nearest known name, or else all of them. `noun` is plural, such as `members`. */
export function describeKnownNames(name: string, known: readonly string[], noun: string): string {
  const nearest = findNearestName(name, known);
  if (nearest !== null) return `Did you mean ${nearest}?`;
  return known.length > 0 ? `Known ${noun}: ${known.join(", ")}.` : `This route has no ${noun}.`;
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, "");
}
