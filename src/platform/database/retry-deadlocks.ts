import { isDeadlock } from "./errors.ts";

const MAX_ATTEMPTS = 5;

/**
 * Runs a statement or a whole transaction, and again when PostgreSQL rolled it back to end a deadlock: up to five times. There is
 * no wait in between, since a deadlock takes PostgreSQL a second to notice (`deadlock_timeout`).
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
