import type { FastifyRequest } from "fastify";
import type { ExecutionResult, GraphQLSchema } from "graphql";
import type { AccessContext } from "../schema/access/require-access.ts";
import type { SigningKeys } from "../src/platform/crypto/signing-keys.ts";
import type { OpenSubscriptions, SubscriptionListener } from "../src/platform/graphql/open-subscriptions.ts";
import type { GraphqlRequest } from "../src/platform/graphql/options.ts";
import type { AccessNote } from "../src/platform/http/access-log.ts";
import type { Site } from "../src/platform/http/site.ts";
import type { PubSub } from "../src/platform/pubsub/pubsub.ts";
import type { CallRecords } from "./records.ts";

/** Dependencies of the MCP server. */
export interface McpOptions {
  /** The same schema that the REST routes run. */
  readonly schema: GraphQLSchema;
  /**
   * Creates the same context as `/graphql`. `viewer` is null for a caller without a valid credential.
   * @throws {UnauthorizedError} for a credential that is not accepted here
   */
  createContext(request: {
    readonly headers: FastifyRequest["headers"];
    readonly requestId: string;
    readonly target: Pick<FastifyRequest, "method" | "url">;
    readonly access: AccessNote;
    readonly ip: string;
    readonly cookies: "none";
    readonly accepts: "account";
    readonly addHeader: (name: string, value: string) => void;
    readonly disconnected: () => AbortSignal;
  }): Promise<AccessContext>;
  /** Opens subscriptions of GraphQL for the caller of a request, within the limits of its streams. */
  subscribe(
    documents: readonly string[],
    request: Omit<GraphqlRequest<never>, "viewer">,
    listener: SubscriptionListener,
  ): Promise<OpenSubscriptions | { refused: ExecutionResult }>;
  /** Carries cancellations of calls to the node that runs them. */
  readonly pubsub: Pick<PubSub, "publish" | "subscribe">;
  /** Maximum requests of an account in flight on this node. */
  readonly maxCallsInFlight: number;
  /** Sign the handles of purchases. */
  readonly signingKeys: SigningKeys;
  /** Claims a key of an account in the database. Returns false if it was claimed before. */
  claimOnce(accountId: string, key: string): Promise<boolean>;
  /** Returns the records of a caller. */
  recordsOf(viewer: Extract<AccessContext["viewer"], { kind: "account" }>): CallRecords;
  readonly site: Site;
  /** Returns the URL of the pages on which the owner sets limits. */
  dashboardUrl(): string;
  /** Whether pages of an origin may call the server, besides those of the service itself. */
  isOriginAllowed(origin: string): boolean | Promise<boolean>;
}
