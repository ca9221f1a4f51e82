/** The MCP server of the service: authentication, scopes, and the tools and resources of the tables. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { type AccessContext, hasAccess } from "../schema/access/require-access.ts";
import { createKeyedSemaphore } from "../src/platform/concurrency/keyed-semaphore.ts";
import { UnauthorizedError } from "../src/platform/errors.ts";
import { formatChallenge } from "../src/platform/http/challenge.ts";
import { MCP_PATH } from "../src/platform/http/resources.ts";
import { countRequests, readCancelledIds } from "./batches.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import { createCancellations } from "./cancellations.ts";
import { type CatalogEntry, createCatalog } from "./catalog.ts";
import { type ChangeStream, type Exchange, type ListenMessage, registerEndpoint, sendRpcError } from "./endpoint.ts";
import { createHandles } from "./handles.ts";
import { writeInstructions } from "./instructions.ts";
import { methodOf, toMessages } from "./message.ts";
import type { McpOptions } from "./options.ts";
import { createRequestStates } from "./request-states.ts";
import { createChangeListener, MAX_WATCHED_URIS, readWatched } from "./resources/changes.ts";
import { type ResourceEntry, selectResources } from "./resources/kinds.ts";
import { parseUri } from "./resources/uri.ts";
import { isSelected, readSelection, type Selection } from "./selection.ts";
import { createServer } from "./server.ts";
import { TOOLS } from "./tools.ts";

const INVALID_PARAMS = -32_602;
const CALL = "tools/call";
const READ = "resources/read";
const RETRY_AFTER_SECONDS = 1;
/** Reads of one account that run at the same time on this node. Others of its reads wait. */
const READ_PERMITS = 2;

/** An authenticated account and the tools that it selected. */
interface Caller {
  readonly context: AccessContext;
  readonly viewer: Extract<AccessContext["viewer"], { kind: "account" }>;
  readonly selection: Selection;
}

export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  const catalog = createCatalog(options.schema, TOOLS);
  const resources = selectResources(catalog);
  const { site, maxCallsInFlight } = options;
  const callsInFlight = createCallsInFlight(maxCallsInFlight);
  const cancellations = createCancellations(options.pubsub);
  const limitReads = createKeyedSemaphore(READ_PERMITS);
  registerEndpoint<Caller>(app, {
    site,
    isOriginAllowed: options.isOriginAllowed,
    admit: (exchange) => authenticate(options, catalog, exchange),
    checkMessages({ context, viewer }, messages, { request, reply }) {
      for (const id of messages.flatMap(readCancelledIds)) cancellations.cancel(viewer.budgetId, id);
      const called = messages.flatMap((message) => [...findCalled(catalog, message), ...findRead(resources, message)]);
      const refused = called.filter(({ accesses }) => !hasAccess(accesses, context));
      const [first] = called;
      if (first) request.loggedOperation = `tool ${first.tool.name}`;
      if (refused.length === 0) return true;
      const scopes = [...new Set(refused.flatMap((entry) => entry.scopes))];
      reply.header("www-authenticate", formatChallenge(site, MCP_PATH, { error: "insufficient_scope", scopes }));
      const names = refused.map(({ tool }) => tool.name).join(", ");
      sendRpcError(
        reply,
        403,
        `${names}: this token lacks a scope of ${scopes.join(", ")}. Nothing was done. The owner grants it at ${options.dashboardUrl()}.`,
      );
      return false;
    },
    begin({ viewer }, messages, { reply }) {
      const end = callsInFlight.begin(viewer.accountId, countRequests(messages));
      if (end !== null) return end;
      reply.header("retry-after", String(RETRY_AFTER_SECONDS));
      sendRpcError(
        reply,
        429,
        `An account has at most ${maxCallsInFlight} requests in flight. Nothing was done. Retry in ${RETRY_AFTER_SECONDS} s, or when another request has ended.`,
      );
      return null;
    },
    watch: ({ context, selection }, message, exchange, stream) =>
      watchResources(options, selectReadable(catalog, context, selection), message, exchange, stream),
    createServer({ context, viewer, selection }, { request, signal, delivered, track }, isModern) {
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
      return createServer({
        tools: usable.filter(({ tool }) => isSelected(tool, selection)),
        resources: isCall ? [] : selectReadable(catalog, context, selection),
        hasChanges: isModern,
        instructions: isCall ? "" : writeInstructions(catalog, permitted, { selection, caller, dashboardUrl }),
        request: {
          id: request.id,
          context,
          messages,
          handles,
          records: options.recordsOf(viewer),
          states: createRequestStates(handles, (key) => options.claimOnce(viewer.accountId, key)),
          ...{ dashboardUrl, signal, track },
          withReadPermit: (read) => limitReads(viewer.accountId, read),
          watchDelivery: (id) => cancellations.watch(viewer.budgetId, id, delivered),
          report: (error, tool) => request.log.error({ err: error, tool }, "unexpected error"),
        },
      });
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

/** Returns the resources of selected groups that the caller may read. */
function selectReadable(catalog: readonly CatalogEntry[], context: AccessContext, selection: Selection) {
  return selectResources(
    catalog.filter(({ tool, accesses }) => isSelected(tool, selection) && hasAccess(accesses, context)),
  );
}

/** Opens the changes of a stream. Returns the message with what the caller may read, or null after a response. */
async function watchResources(
  { subscribe }: McpOptions,
  readable: readonly ResourceEntry[],
  message: ListenMessage,
  { request, reply, signal, delivered }: Exchange,
  stream: ChangeStream,
): Promise<object | null> {
  const { notifications } = message.params ?? {};
  if (typeof notifications !== "object" || notifications === null) return message;
  const { entries, filter, uriCount } = readWatched(notifications, readable);
  if (uriCount > MAX_WATCHED_URIS) {
    sendRpcError(reply, 400, `A stream watches at most ${MAX_WATCHED_URIS} resources.`, INVALID_PARAMS);
    return null;
  }
  if (entries.length > 0) {
    const opened = await subscribe(
      entries.map(({ kind }) => kind.subscription),
      {
        ...{ headers: request.headers, ip: request.ip, requestId: request.id, access: request },
        ...{ transport: "sse", method: request.method, path: MCP_PATH, disconnected: () => signal },
      },
      createChangeListener(entries, stream.notify, reply.raw, stream.end),
    );
    if ("refused" in opened) {
      const [error] = opened.refused.errors ?? [];
      sendRpcError(reply, 429, error?.message ?? "The stream was refused.");
      return null;
    }
    void delivered.then(opened.close);
  }
  return { ...message, params: { ...message.params, notifications: filter } };
}

/** Returns the tool that reads the resource of a message; empty for another message or an unknown resource. */
function findRead(resources: readonly ResourceEntry[], message: unknown): CatalogEntry[] {
  if (methodOf(message) !== READ) return [];
  const { params } = message as { readonly params?: { readonly uri?: unknown } | null };
  const uri = typeof params?.uri === "string" ? parseUri(params.uri) : null;
  const entry = resources.find(({ kind }) => kind.name === uri?.name);
  return entry ? [uri?.id === null ? entry.list : entry.item] : [];
}

/** Returns the tool that a message calls; empty for another message or an unknown tool. */
function findCalled(catalog: readonly CatalogEntry[], message: unknown): CatalogEntry[] {
  if (methodOf(message) !== CALL) return [];
  const { params } = message as { readonly params?: { readonly name?: unknown } | null };
  return catalog.filter(({ tool }) => tool.name === params?.name);
}
