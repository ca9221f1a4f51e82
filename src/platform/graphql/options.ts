import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { GraphQLSchema, ValidationRule } from "graphql";
import type { GraphqlLimits } from "./limits.ts";

export type Transport = "http" | "ws" | "sse";

/** What a context is made from. `viewer` is set on WebSockets, where the connection was authenticated once. */
export type GraphqlRequest<TViewer> = {
  headers: IncomingHttpHeaders;
  ip: string;
  requestId: string;
  transport: Transport;
  connectionParams?: Record<string, unknown>;
  viewer?: TViewer;
  /** Aborted once nobody waits for the answer any more. */
  disconnected?(): AbortSignal;
  /** Adds a header to the answer; absent where there is none to add it to (WebSockets, event streams). */
  addHeader?(name: string, value: string): void;
};

/** Who is connected. Past `expiresAtMs` (epoch) its sockets and streams are closed. */
export type GraphqlViewer = { readonly expiresAtMs?: number | null | undefined };

/** One finished operation (for a subscription: its start), for metrics and tracing. */
export type OperationInfo = {
  operationName: string | undefined;
  kind: "query" | "mutation" | "subscription" | "invalid";
  transport: Transport;
  durationNs: number;
  errorCount: number;
};

/**
 * Everything the transports need from the service. They read three things from the schema besides its types:
 * `extensions.movesMoney === true` on a Mutation field (one such field an operation); `extensions.shared` on a
 * Subscription field: `true`, or a function of its arguments. Only then may identical subscriptions share one
 * source, because one who joins later sees what comes next and nothing from before: a field that replays or starts
 * with the present state must say no (`shared: (args) => args.after == null`); and `extensions.releaseContext` of the
 * schema itself, which is called with a context once its operation has a result.
 */
export type GraphqlOptions<TContext extends object, TViewer extends GraphqlViewer> = {
  schema: GraphQLSchema;
  /** Where it is served; default `/graphql`. */
  path?: string;
  /** Called for each operation, and on WebSockets and SSE again for each event, so that loaders start empty. */
  createContext(request: GraphqlRequest<TViewer>): Promise<TContext> | TContext;
  /** Who a context belongs to; null for nobody in particular. */
  viewerOf(context: TContext): TViewer | null;
  /** Checks `connection_init`. Null or a throw closes the socket with 4403. */
  authenticate(
    params: Record<string, unknown>,
    request: { headers: IncomingHttpHeaders; ip: string },
  ): Promise<TViewer | null> | TViewer | null;
  /** Asked at times while a socket or stream is open, once for each credential. */
  isStillValid?(viewer: TViewer): Promise<boolean> | boolean;
  /** Names the credential; connections with the same one are checked together and can be disconnected together. */
  credentialKey?(viewer: TViewer): string;
  /** Names the account, for the cap on connections of one account. */
  accountKey?(viewer: TViewer): string;
  /** Subscriptions are shared among contexts with an equal key; undefined never shares. */
  groupingKey?(context: TContext): string | undefined;
  /** Further validation rules, beside the specification's and the limits. */
  rules?: readonly ValidationRule[];
  limits?: Partial<GraphqlLimits>;
  /** Answer introspection; default false. */
  introspection?: boolean;
  /** Let errors name similar fields ("Did you mean"); default false. */
  suggestions?: boolean;
  /** Serve GraphiQL to browsers; default false. */
  graphiql?: boolean;
  /** Makes GraphiQL's page; by default yoga's, which loads its parts from a CDN. */
  renderGraphiql?(options?: object): string | Promise<string>;
  /** Whether pages of this origin, which is not the service's own, may open a WebSocket with cookies; default none. */
  isOriginAllowed?(origin: string): Promise<boolean> | boolean;
  /** The caller's address for upgrades, which fastify does not see; default the peer's, which behind a proxy is the proxy's. */
  clientIp?(request: IncomingMessage): string;
  onOperation?(info: OperationInfo): void;
  /** Told what was masked as `internal_error`. */
  onUnexpectedError?(error: unknown, requestId: string): void;
};
