import { isDeadlock } from "./errors.ts";

const MAX_ATTEMPTS = 5;

/**
 * Runs a statement or a whole transaction, and retries it if PostgreSQL rolled it back to resolve a deadlock: at most five
 * attempts. Retries at once, since PostgreSQL detects a deadlock only after a second (`deadlock_timeout`).
 */
export async function retryDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}
