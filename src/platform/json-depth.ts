/** Returns whether the value is nested at most `maxDepth` deep. Iterative, because an attacker controls the depth. */
export function isWithinDepth(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return true;
}
