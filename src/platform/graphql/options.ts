import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { GraphQLSchema, ValidationRule } from "graphql";
import type { AccessNote } from "../http/access-log.ts";
import type { GraphqlLimits } from "./limits.ts";

export type Transport = "http" | "ws" | "sse";

/** The request that a context is created for. `viewer` is set on WebSockets, which authenticate once per connection. */
export type GraphqlRequest<TViewer> = {
  headers: IncomingHttpHeaders;
  ip: string;
  requestId: string;
  transport: Transport;
  /** The HTTP method; null on WebSockets. */
  method: string | null;
  /** Path of a request to another protocol, which determines the resource that its token must be for. Default: that of GraphQL. */
  path?: string;
  /** Receives the operation and, from `createContext`, the caller for the access log. */
  access: AccessNote;
  connectionParams?: Record<string, unknown>;
  viewer?: TViewer;
  /**
   * Identifies the operation if its client sends it again after a lost connection: the operation id on a WebSocket, empty on an
   * event stream. Absent on other transports, whose clients do not.
   */
  repeatId?: string;
  /** The `Last-Event-ID` of an event stream: the cursor to resume from, instead of the argument `after`. */
  lastEventId?: string;
  /** Returns a signal that aborts when the client no longer waits for the response. */
  disconnected?(): AbortSignal;
  /** Adds a response header; absent on WebSockets and event streams. */
  addHeader?(name: string, value: string): void;
};

/** The authenticated client. Its sockets and streams are closed at `expiresAtMs` (Unix time in milliseconds). */
export type GraphqlViewer = { readonly expiresAtMs?: number | null | undefined };

/** Prevents that an operation is executed again. */
export type OperationClaim = {
  /** Whether the claim may remain after the operation has a result. */
  readonly canRemain: boolean;
  /** Permits the same operation again. Never rejects. */
  release(): Promise<void>;
};

/** A finished operation, or a started subscription, for metrics and traces. */
export type OperationInfo = {
  operationName: string | undefined;
  kind: "query" | "mutation" | "subscription" | "invalid";
  transport: Transport;
  durationNs: number;
  errorCount: number;
  /** Null if the operation was rejected before it had a request. */
  request: GraphqlRequest<unknown> | null;
};

/**
 * Options of the GraphQL transports. They also read four extensions of the schema:
 * - `movesMoney === true` on a Mutation or Subscription field: an operation may have one such field, and no reconnecting client
 *   executes it again (`claimOperation`).
 * - `resumable` on a Subscription field with an argument `after`: `{ startCursor(): string }`. The events are objects with a
 *   `cursor`, which event streams send as SSE `id`. `startCursor` is the cursor of a subscription without events.
 * - `shared` on a Subscription field, `true` or a function of its arguments: whether identical subscriptions may share one
 *   source. A later subscriber receives no earlier events, so a field that replays events or starts with the current state
 *   must return false (`shared: (args) => args.after == null`).
 * - `releaseContext` on the schema: called with a context after its operation has a result.
 */
export type GraphqlOptions<TContext extends object, TViewer extends GraphqlViewer> = {
  schema: GraphQLSchema;
  /** URL path; default `/graphql`. */
  path?: string;
  /** Called for each operation, and on WebSockets and SSE also for each event, whose loaders must start empty. */
  createContext(request: GraphqlRequest<TViewer>): Promise<TContext> | TContext;
  /** Returns the viewer of a context; null for an anonymous request. */
  viewerOf(context: TContext): TViewer | null;
  /** Authenticates `connection_init`. Null or an error closes the socket with 4403. */
  authenticate(
    params: Record<string, unknown>,
    request: { headers: IncomingHttpHeaders; ip: string },
  ): Promise<TViewer | null> | TViewer | null;
  /** Called periodically while a socket or stream is open, once for each credential. */
  isStillValid?(viewer: TViewer): Promise<boolean> | boolean;
  /** Identifies the credential. Connections with the same key are checked and disconnected together. */
  credentialKey?(viewer: TViewer): string;
  /** Identifies the account, for the limit on connections per account. */
  accountKey?(viewer: TViewer): string;
  /** Contexts with an equal key may share subscriptions; undefined never shares. */
  groupingKey?(context: TContext): string | undefined;
  /**
   * Claims an operation that moves money by its fingerprint. Resolves to null if its arguments have an idempotency key.
   *
   * @throws if the operation is claimed already
   */
  claimOperation?(
    context: TContext,
    fingerprint: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<OperationClaim | null>;
  /** Validation rules in addition to the specification's and the limits. */
  rules?: readonly ValidationRule[];
  limits?: Partial<GraphqlLimits>;
  /** Whether introspection is allowed; default false. */
  introspection?: boolean;
  /** Whether errors suggest similar fields ("Did you mean"); default false. */
  suggestions?: boolean;
  /** Whether browsers receive GraphiQL; default false. */
  graphiql?: boolean;
  /** Renders the GraphiQL page. The default is Yoga's page, which loads scripts from a CDN. */
  renderGraphiql?(options?: object): string | Promise<string>;
  /** Returns true if pages of another origin may open a WebSocket with cookies; default false. */
  isOriginAllowed?(origin: string): Promise<boolean> | boolean;
  /**
   * Returns the client address of an upgrade request, which bypasses Fastify. The default is the peer address, a proxy's
   * behind a proxy.
   */
  clientIp?(request: IncomingMessage): string;
  onOperation?(info: OperationInfo): void;
  /** Called with each error that was masked as `internal_error`. */
  onUnexpectedError?(error: unknown, requestId: string): void;
};
