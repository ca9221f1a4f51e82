/** The MCP server of the service: authentication, scopes, and the tools of the table. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { type AccessContext, hasAccess } from "../schema/access/require-access.ts";
import { UnauthorizedError } from "../src/platform/errors.ts";
import { formatChallenge } from "../src/platform/http/challenge.ts";
import { MCP_PATH } from "../src/platform/http/resources.ts";
import { createApprovalStates } from "./approvals.ts";
import { type CatalogEntry, createCatalog } from "./catalog.ts";
import { type Exchange, registerEndpoint, sendRpcError, toMessages } from "./endpoint.ts";
import { createHandles } from "./handles.ts";
import { writeInstructions } from "./instructions.ts";
import type { McpOptions } from "./options.ts";
import { isSelected, readSelection, type Selection } from "./selection.ts";
import { createServer } from "./server.ts";
import { TOOLS } from "./tools.ts";

/** Opens a stream of notifications. The server declares none, and idle streams would hold connections. */
const LISTEN = "subscriptions/listen";
const METHOD_NOT_FOUND = -32_601;
const CALL = "tools/call";

/** An authenticated account and the tools that it selected. */
interface Caller {
  readonly context: AccessContext;
  readonly viewer: Extract<AccessContext["viewer"], { kind: "account" }>;
  readonly selection: Selection;
}

export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  const catalog = createCatalog(options.schema, TOOLS);
  const { site } = options;
  registerEndpoint<Caller>(app, {
    site,
    isOriginAllowed: options.isOriginAllowed,
    admit: (exchange) => authenticate(options, catalog, exchange),
    checkMessages({ context }, messages, { request, reply }) {
      if (messages.some((message) => methodOf(message) === LISTEN)) {
        sendRpcError(
          reply,
          404,
          "This server sends no notifications of changes. Poll get_request_status.",
          METHOD_NOT_FOUND,
        );
        return false;
      }
      const called = messages.flatMap((message) => findCalled(catalog, message));
      const refused = called.filter(({ accesses }) => !hasAccess(accesses, context));
      const [first] = called;
      if (first) request.loggedOperation = `tool ${first.tool.name}`;
      if (refused.length === 0) return true;
      const scopes = [...new Set(refused.flatMap((entry) => entry.scopes))];
      reply.header("www-authenticate", formatChallenge(site, MCP_PATH, { error: "insufficient_scope", scopes }));
      const names = refused.map(({ tool }) => tool.name).join(", ");
      sendRpcError(reply, 403, `${names}: this token lacks a scope of ${scopes.join(", ")}. Nothing was done.`);
      return false;
    },
    createServer({ context, viewer, selection }, { request, signal, delivered }) {
      const permitted = catalog.filter(({ accesses }) => hasAccess(accesses, context));
      const dashboardUrl = options.dashboardUrl();
      const handles = createHandles(options.signingKeys, viewer);
      const caller = { x402Enabled: viewer.x402Enabled, isFrozen: viewer.frozenBy !== null };
      const messages = toMessages(request.body);
      // Only other messages need the list of tools and the instructions.
      const isCall = messages.every((message) => methodOf(message) === CALL);
      const usable = isCall
        ? messages
            .flatMap((message) => findCalled(permitted, message))
            .filter((entry, at, all) => all.indexOf(entry) === at)
        : permitted;
      return createServer(
        usable.filter(({ tool }) => isSelected(tool, selection)),
        {
          instructions: isCall ? "" : writeInstructions(catalog, permitted, { selection, caller, dashboardUrl }),
          request: {
            id: request.id,
            context,
            messages,
            handles,
            approvals: createApprovalStates(handles, (key) => options.claimOnce(viewer.accountId, key)),
            ...{ dashboardUrl, signal, delivered },
            report: (error, tool) => request.log.error({ err: error, tool }, "unexpected error"),
          },
        },
      );
    },
  });
}

/** Returns the caller, or null after a response: 400 for the query, 401 with a challenge for the credential. */
async function authenticate(
  { createContext, site }: McpOptions,
  catalog: readonly CatalogEntry[],
  { request, reply, signal }: Exchange,
): Promise<Caller | null> {
  const selection = readSelection(request.query as Record<string, unknown>);
  const challenge = (message: string, isInvalid: boolean) => {
    const selected = catalog.filter(({ tool }) => isSelected(tool, selection));
    const scopes = [...new Set(selected.flatMap((entry) => entry.scopes))];
    const error = isInvalid ? { error: "invalid_token" as const } : {};
    if (!reply.hasHeader("www-authenticate"))
      reply.header("www-authenticate", formatChallenge(site, MCP_PATH, { ...error, scopes }));
    sendRpcError(reply, 401, message);
    return null;
  };
  try {
    const context = await createContext({
      headers: request.headers,
      requestId: request.id,
      target: request,
      access: request,
      ip: request.ip,
      cookies: "none",
      accepts: "account",
      addHeader: createHeaderSetter(reply),
      disconnected: () => signal,
    });
    const { viewer } = context;
    if (viewer?.kind === "account") return { context, viewer, selection };
    const hasToken = Boolean(
      request.headers.authorization ?? request.headers["x-service-token"] ?? request.headers["x-satchel-token"],
    );
    return challenge(new UnauthorizedError().message, hasToken);
  } catch (error) {
    if (error instanceof UnauthorizedError) return challenge(error.message, true);
    throw error;
  }
}

function createHeaderSetter(reply: FastifyReply) {
  return (name: string, value: string) => {
    // Results of tools arrive after the headers of a stream.
    if (!reply.sent && !reply.raw.headersSent) reply.header(name, value);
  };
}

function methodOf(message: unknown): unknown {
  return (message as { readonly method?: unknown } | null | undefined)?.method;
}

/** Returns the tool that a message calls; empty for another message or an unknown tool. */
function findCalled(catalog: readonly CatalogEntry[], message: unknown): CatalogEntry[] {
  if (methodOf(message) !== CALL) return [];
  const { params } = message as { readonly params?: { readonly name?: unknown } | null };
  return catalog.filter(({ tool }) => tool.name === params?.name);
}
