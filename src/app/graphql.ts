/** Serves the schema as GraphQL, through the routes of the REST layer, and through tools of MCP. */
import type { FastifyInstance } from "fastify";
import { registerMcp } from "../../mcp/register.ts";
import { registerRestRoutes } from "../../rest-compat/register.ts";
import { createContextFactory, type SchemaDeps } from "../../schema/context.ts";
import { countRequest } from "../../schema/count-request.ts";
import { idempotencyKeyOf } from "../../schema/idempotency.ts";
import { buildPublicSchema, buildRestSchema } from "../../schema/schema.ts";
import { authenticate, isStillValid, readCredential } from "../accounts/authenticate.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { findConfirmation } from "../checkout/dispatch/confirmation.ts";
import { findOrderParties } from "../checkout/dispatch/order-parties.ts";
import { derivePaymentKey } from "../gateway/pay-by-x402.ts";
import type { GraphqlRequest, OperationInfo } from "../platform/graphql/options.ts";
import { registerGraphql } from "../platform/graphql/register.ts";
import { type Access, createAccessLog } from "../platform/http/access-log.ts";
import { createClientIp } from "../platform/http/client-address.ts";
import { claimSingleUse, OperationRepeatedError } from "../platform/idempotency/single-use.ts";
import { findStoredId } from "../platform/idempotency/stored-id.ts";
import { findOutlays } from "../trade/outlays.ts";
import { closeEndedSessions } from "./ended-sessions.ts";
import { renderGraphiql } from "./graphiql.ts";
import type { Platform } from "./platform.ts";
import { readTokenHeaders, withCurrentCredentials } from "./socket-callers.ts";

/** @param isClientOrigin returns true if an approved application registered the origin */
export async function registerSchema(
  app: FastifyInstance,
  { config, metrics, logger, dashboardUrl }: Platform,
  deps: SchemaDeps,
  isClientOrigin: (origin: string) => Promise<boolean>,
): Promise<void> {
  const createContext = createContextFactory(deps);
  const isOriginAllowed = (origin: string) => config.CORS_ORIGINS.includes(origin) || isClientOrigin(origin);
  const isOpen = config.GRAPHQL_INTROSPECTION ?? config.NODE_ENV !== "production";
  const writeAccess = createAccessLog(config, logger);
  const operations = metrics.histogram("satchel_graphql_operation_seconds", "Duration of GraphQL operations.", [
    "kind",
  ]);
  const graphql = await registerGraphql<Awaited<ReturnType<typeof createContext>>, Viewer>(app, {
    schema: buildPublicSchema(),
    createContext: (request) =>
      createContext({
        ...withCurrentCredentials(request),
        target: { method: request.method, url: request.path ?? "/graphql" },
      }),
    viewerOf: ({ viewer }) => viewer,
    authenticate: (params, request) => {
      const headers = { ...request.headers, ...readTokenHeaders(params) };
      const credential = readCredential(headers, "same-origin", deps.site.isHttps);
      return authenticate(deps, credential, { headers, method: null, path: "/graphql", site: deps.site });
    },
    isStillValid: (viewer) => isStillValid(deps, viewer),
    credentialKey: (viewer) => (viewer.kind === "account" ? viewer.credentialId : viewer.kind),
    accountKey: (viewer) => (viewer.kind === "account" ? viewer.accountId : viewer.kind),
    // Keyed by credential, not account: a subscriber that joins a group skips the scope check. Purchase tokens cannot
    // subscribe.
    groupingKey: ({ viewer }) =>
      viewer?.kind === "account" && viewer.credentialKind !== "purchase_token" ? viewer.credentialId : undefined,
    // The budget remains the same when an access token is refreshed.
    claimOperation: async (context, fingerprint, { input }) => {
      const { viewer } = context;
      const key = idempotencyKeyOf((input ?? {}) as { idempotencyKey?: string }, context);
      if (viewer?.kind !== "account" || key !== null) return null;
      return await claimSingleUse(deps, viewer.accountId, `${viewer.budgetId} ${fingerprint}`);
    },
    limits: {
      maxConnectionsPerAccount: config.GRAPHQL_CONNECTIONS_PER_ACCOUNT,
      maxConnectionsPerIp: config.GRAPHQL_CONNECTIONS_PER_ADDRESS,
      maxUnauthenticatedPerIp: config.GRAPHQL_UNAUTHENTICATED_PER_ADDRESS,
    },
    introspection: isOpen,
    suggestions: isOpen,
    graphiql: isOpen,
    renderGraphiql,
    isOriginAllowed,
    clientIp: createClientIp(config.TRUST_PROXY),
    onOperation: (info) => {
      operations.observe({ kind: info.kind }, info.durationNs / 1e9);
      // Operations over HTTP are part of the line of their request.
      if (info.transport === "ws" && info.request && writeAccess)
        writeAccess(describeSocketOperation(info, info.request));
    },
    onUnexpectedError: (error, requestId) => logger.error({ err: error, requestId }, "Unexpected error"),
  });
  void closeEndedSessions(deps.pubsub, graphql.disconnect);
  registerRestRoutes(app, {
    ...{ schema: buildRestSchema(), createContext, countRequest, site: deps.site },
    unknownMembers: config.UNKNOWN_MEMBERS,
  });
  registerMcp(app, {
    ...{ schema: buildRestSchema(), createContext, dashboardUrl, isOriginAllowed },
    ...{ site: deps.site, signingKeys: deps.signingKeys, subscribe: graphql.subscribe, pubsub: deps.pubsub },
    maxCallsInFlight: config.MCP_CALLS_PER_ACCOUNT,
    recordsOf: (viewer) => ({
      findOutlays: (key) =>
        findOutlays(deps.db, viewer, [key, ...deps.gateway.providers.map(({ name }) => derivePaymentKey(key, name))]),
      findStoredId: (key) => findStoredId(deps.db, viewer.accountId, key),
      findConfirmation: (key) => findConfirmation(deps.db, viewer.accountId, key),
      findOrderParties: (merchantId, cardId) => findOrderParties(deps.db, viewer, { merchantId, cardId }),
    }),
    claimOnce: (accountId, key) =>
      claimSingleUse(deps, accountId, key).then(
        () => true,
        (error) => {
          if (error instanceof OperationRepeatedError) return false;
          throw error;
        },
      ),
  });
}

function describeSocketOperation({ durationNs, errorCount }: OperationInfo, request: GraphqlRequest<unknown>): Access {
  return {
    ...request.access,
    requestId: request.requestId,
    // That of the upgrade request would be repeated for all operations.
    clientRequestId: undefined,
    address: request.ip,
    durationMs: durationNs / 1e6,
    fields: `"transport":"ws","errorCount":${errorCount}`,
  };
}
