import type { FastifyRequest } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { Site } from "../src/platform/http/site.ts";
import type { RequestLimit } from "./route.ts";

/** What the routes are put together from. */
export interface RestOptions {
  readonly schema: GraphQLSchema;
  /** The same as `/graphql`'s. `viewer` is null for a caller without a valid credential. */
  createContext(request: {
    readonly headers: FastifyRequest["headers"];
    readonly requestId: string;
    readonly ip: string;
    readonly cookies: "none" | "navigation";
    /** What opens it; default: `payer`. */
    readonly accepts?: "payer" | "account" | "login_token";
    readonly isTrusted: boolean;
    readonly addHeader?: (name: string, value: string) => void;
  }): Promise<object & { readonly viewer: object | null }>;
  /** Counts a request against one of the contract's limits; throws RateLimitedError when it is used up. */
  countRequest(context: object, limit: RequestLimit): Promise<void>;
  /** Where this service is, asked once it listens: shown in the documentation, and where browsers belong. */
  readonly site: Site;
}
