/** Returns whether objects and lists are nested more deeply than `levels`. The recursion ends there. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isDeeperThan(levels - 1, one));
}
