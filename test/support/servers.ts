import { inject } from "vitest";

/** The PostgreSQL server tests may use, or null: `describe.skipIf(postgresqlUrl === null)`. */
export const postgresqlUrl = inject("postgresqlUrl");
/** The Redis server tests may use, or null. */
export const redisUrl = inject("redisUrl");
