/** CORS: which other origins may read responses. Never with credentials, so cookies are ignored in cross-origin requests. */
import cors, { type FastifyCorsOptions } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Origins that are checked per request, and the only paths that they may read. */
export interface ApiOrigins {
  isAllowed(origin: string): Promise<boolean>;
  readonly paths: RegExp;
}

const ALLOWED: FastifyCorsOptions = {
  origin: true,
  methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  maxAge: 600,
  exposedHeaders: [
    "x-request-id",
    "retry-after",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "allow",
    "www-authenticate",
    "payment-response",
    "x-payment-response",
    "x-satchel-payment-id",
    "x-satchel-amount-paid",
    "x-satchel-cost-usd",
    "x-satchel-max-cost-usd",
    "x-satchel-call-id",
    "x-should-retry",
  ],
};
const DENIED: FastifyCorsOptions = { origin: false };

/** @param origins the origins of CORS_ORIGINS, which may read every path */
export function registerCors(app: FastifyInstance, origins: readonly string[], apiOrigins: ApiOrigins | null): void {
  if (origins.length === 0 && !apiOrigins) return;
  const isAllowed = async ({ headers: { origin }, url }: FastifyRequest): Promise<boolean> => {
    if (origin === undefined || origin === "null") return false;
    if (origins.includes(origin)) return true;
    return apiOrigins?.paths.test(url) === true && (await apiOrigins.isAllowed(origin));
  };
  app.register(cors, {
    delegator(request, callback) {
      if (request.headers.origin === undefined) callback(null, DENIED);
      else isAllowed(request).then((allowed) => callback(null, allowed ? ALLOWED : DENIED), callback);
    },
  });
}
