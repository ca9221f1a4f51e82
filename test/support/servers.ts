import { inject } from "vitest";

/** URL of the PostgreSQL server for tests, or null: `describe.skipIf(postgresqlUrl === null)`. */
export const postgresqlUrl = inject("postgresqlUrl");
/** URL of the Redis server for tests, or null. */
export const redisUrl = inject("redisUrl");
