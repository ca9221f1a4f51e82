/** Resolves to null if the promise does not settle in time. Playwright calls on a navigating page may never settle. */
export async function withTimeout<Result>(promise: Promise<Result>, timeMs: number): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), timeMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
