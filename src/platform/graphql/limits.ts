/** Limits of a client's requests and connections. Sizes are in bytes of UTF-8. Counts include the content of spread fragments. */
export type GraphqlLimits = {
  maxBodyBytes: number;
  maxDocumentBytes: number;
  maxVariablesBytes: number;
  /** Nesting depth of objects and lists; the variables object is the first level. */
  maxVariablesDepth: number;
  maxTokens: number;
  /** Nesting depth of a document's brackets, including those of values and inline fragments. */
  maxNesting: number;
  /** Operations and fragments in a document. */
  maxDefinitions: number;
  maxDepth: number;
  maxAliases: number;
  maxRootFields: number;
  maxDirectives: number;
  /** Selected fields with all fragments expanded: the static cost of an operation. */
  maxFields: number;
  /** Pairs of fields with the same response path: the cost of validation. */
  maxOverlaps: number;
  maxBatch: number;
  /** Open sockets and event streams of this node. */
  maxConnections: number;
  /** Authenticated ones of a client address. */
  maxConnectionsPerIp: number;
  maxConnectionsPerAccount: number;
  /** Those of a client address without a credential, such as sockets before `connection_init`. */
  maxUnauthenticatedPerIp: number;
  maxSubscriptionsPerConnection: number;
  maxMessageBytes: number;
  /** Maximum backlog of a slow socket or stream; beyond it the connection is closed. */
  maxBufferedBytes: number;
  connectionInitTimeoutMs: number;
  pingIntervalMs: number;
  /** Mean delay after which EventSource clients reconnect. */
  reconnectDelayMs: number;
  /** Interval of the checks of open connections for expiry and revocation. */
  validityCheckIntervalMs: number;
  /** Maximum age of a credential's last check when an event is delivered. */
  validityMaxAgeMs: number;
  /** Timeout of the WebSocket closing handshake and of the end of a stream; then the connection is terminated. */
  closeTimeoutMs: number;
};

export const DEFAULT_LIMITS: GraphqlLimits = {
  maxBodyBytes: 1_048_576,
  maxDocumentBytes: 65_536,
  maxVariablesBytes: 524_288,
  maxVariablesDepth: 100,
  maxTokens: 4_000,
  maxNesting: 100,
  maxDefinitions: 100,
  maxDepth: 12,
  maxAliases: 30,
  maxRootFields: 20,
  maxDirectives: 50,
  maxFields: 1_000,
  maxOverlaps: 10_000,
  maxBatch: 5,
  maxConnections: 10_000,
  maxConnectionsPerIp: 1_000,
  maxConnectionsPerAccount: 50,
  maxUnauthenticatedPerIp: 50,
  maxSubscriptionsPerConnection: 50,
  maxMessageBytes: 262_144,
  maxBufferedBytes: 1_048_576,
  connectionInitTimeoutMs: 5_000,
  pingIntervalMs: 25_000,
  reconnectDelayMs: 2_000,
  validityCheckIntervalMs: 15_000,
  validityMaxAgeMs: 5_000,
  closeTimeoutMs: 2_000,
};
