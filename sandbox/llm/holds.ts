/** Calls that are held until they are released together, so that a test has all of them in flight. */
const holds = new Map<string, PromiseWithResolvers<void>>();

/** Waits until the hold of this name is released. */
export async function waitForRelease(name: string): Promise<void> {
  const hold = holds.get(name) ?? Promise.withResolvers<void>();
  holds.set(name, hold);
  await hold.promise;
}

/** Releases the calls held under this name. */
export function releaseHold(name: string): void {
  holds.get(name)?.resolve();
  holds.delete(name);
}
