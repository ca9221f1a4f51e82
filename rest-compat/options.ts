import type { FastifyRequest } from "fastify";
import type { GraphQLSchema } from "graphql";
import type { AccessNote } from "../src/platform/http/access-log.ts";
import type { Site } from "../src/platform/http/site.ts";
import type { RequestLimit } from "./route.ts";
import type { UnknownMemberMode } from "./unknown-members.ts";

/** Dependencies of the REST layer. */
export interface RestOptions {
  readonly schema: GraphQLSchema;
  /** Creates the same context as `/graphql`. `viewer` is null for a caller without a valid credential. */
  createContext(request: {
    readonly headers: FastifyRequest["headers"];
    readonly requestId: string;
    /** The request that restricted tokens are checked against. */
    readonly target: Pick<FastifyRequest, "method" | "url">;
    readonly access: AccessNote;
    readonly ip: string;
    readonly cookies: "none" | "navigation";
    /** The accepted kinds of credential; default: `payer`. */
    readonly accepts?: "payer" | "account" | "login_token";
    readonly isTrusted: boolean;
    readonly addHeader?: (name: string, value: string) => void;
  }): Promise<object & { readonly viewer: object | null }>;
  /** Counts a request against one of the contract's rate limits. Throws RateLimitedError if the limit is exhausted. */
  countRequest(context: object, limit: RequestLimit): Promise<void>;
  /** Whether parameters and body members that a route does not name are refused, or ignored and logged. */
  readonly unknownMembers: UnknownMemberMode;
  /** The public address of the service, read once it listens: for the documentation and canonical redirects. */
  readonly site: Site;
}
