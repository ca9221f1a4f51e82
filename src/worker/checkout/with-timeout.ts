/** What the promise comes to, or null once the time is over: pages on their way to another answer nothing. */
export async function withTimeout<Result>(promise: Promise<Result>, timeMs: number): Promise<Result | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), timeMs);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
