/** What one caller may ask for. Sizes are in bytes of UTF-8, counts include what fragments spread. */
export type GraphqlLimits = {
  maxBodyBytes: number;
  maxDocumentBytes: number;
  maxVariablesBytes: number;
  /** Objects and lists within one another, the variables themselves being the first. */
  maxVariablesDepth: number;
  maxTokens: number;
  /** Operations and fragments of a document. */
  maxDefinitions: number;
  maxDepth: number;
  maxAliases: number;
  maxRootFields: number;
  maxDirectives: number;
  /** Selected fields with every fragment spread out: the static cost of an operation. */
  maxFields: number;
  /** Pairs of fields selected for the same place of the result: what validation costs. */
  maxOverlaps: number;
  maxBatch: number;
  maxConnections: number;
  maxConnectionsPerIp: number;
  maxConnectionsPerAccount: number;
  maxSubscriptionsPerConnection: number;
  maxMessageBytes: number;
  /** What may wait for a slow socket before it is closed. */
  maxBufferedBytes: number;
  connectionInitTimeoutMs: number;
  pingIntervalMs: number;
  /** How often open connections are checked for expiry and revocation. */
  validityCheckIntervalMs: number;
  /** An event is not delivered on a check older than this. */
  validityMaxAgeMs: number;
  /** How long a closing socket may take before it is cut. */
  closeTimeoutMs: number;
};

export const DEFAULT_LIMITS: GraphqlLimits = {
  maxBodyBytes: 1_048_576,
  maxDocumentBytes: 65_536,
  maxVariablesBytes: 524_288,
  maxVariablesDepth: 100,
  maxTokens: 4_000,
  maxDefinitions: 100,
  maxDepth: 12,
  maxAliases: 30,
  maxRootFields: 20,
  maxDirectives: 50,
  maxFields: 1_000,
  maxOverlaps: 10_000,
  maxBatch: 5,
  maxConnections: 10_000,
  maxConnectionsPerIp: 100,
  maxConnectionsPerAccount: 50,
  maxSubscriptionsPerConnection: 50,
  maxMessageBytes: 262_144,
  maxBufferedBytes: 1_048_576,
  connectionInitTimeoutMs: 5_000,
  pingIntervalMs: 25_000,
  validityCheckIntervalMs: 15_000,
  validityMaxAgeMs: 5_000,
  closeTimeoutMs: 2_000,
};
