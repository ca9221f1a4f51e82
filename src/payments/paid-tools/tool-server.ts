/** Connection to an MCP server of another party. Each request passes the egress guard, with limits on size and time. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Egress } from "../../platform/egress/egress.ts";
import { TargetResponseInvalidError } from "../../platform/egress/errors.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { isWithinDepth } from "../../platform/json-depth.ts";
import type { JsonObject } from "../x402/requirement.ts";
import { createExchange, END_SESSION_TIMEOUT_MS, type RequestLimits } from "./server-exchange.ts";
import { MAX_RESULT_DEPTH, ServerRefusalError } from "./server-refusal.ts";

const MAX_PAGES = 16;
/** Responses of the client to requests of the server, such as pings. A server must not make it send any number. */
const MAX_CLIENT_RESPONSES = 8;
/** The client's own schema drops unknown annotations, by which servers state prices. */
const TOOL_LIST = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
});

export interface ToolServer {
  /** URL of the last request, after redirects within the origin. */
  url(): string;
  /** Returns the tools of all pages. @throws as `callTool` */
  listTools(limits: RequestLimits): Promise<JsonObject[]>;
  /**
   * Calls a tool and returns its result, which may be an error of the tool.
   * @throws {ServerRefusalError | TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError}
   */
  callTool(name: string, args: JsonObject, meta: JsonObject | null, limits: RequestLimits): Promise<JsonObject>;
  close(): void;
}

/**
 * Connects to the server at `url`. The client declares no capabilities, so the server can request neither sampling nor elicitation.
 * @throws {InvalidRequestError | UrlNotAllowedError} the URL is not allowed; and the errors of `callTool`
 */
export async function connectToolServer(
  egress: Pick<Egress, "request">,
  url: string,
  limits: RequestLimits,
): Promise<ToolServer> {
  const parsed = URL.parse(url);
  if (!parsed) throw new InvalidRequestError("serverUrl must be an absolute http or https URL.", "serverUrl");
  const exchange = createExchange(egress, url);
  const client = new Client(
    { name: "satchel", version: "1.0.0" },
    {
      capabilities: {},
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      // The result is relayed. Compiling schemas of untrusted servers would cost time and could hide a paid result.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  const transport = new RequestTransport(parsed, {
    fetch: exchange.fetch,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const run = <Result>(given: RequestLimits, work: (options: RequestOptions) => Promise<Result>) =>
    exchange.run(given, (signal, endOfStream) => {
      transport.onStreamEnd = endOfStream;
      return work({ signal, timeout: given.timeoutMs, maxTotalTimeout: given.timeoutMs });
    });
  const close = () => {
    void client.close().catch(() => {});
  };
  try {
    await run(limits, (options) => client.connect(transport, options));
  } catch (error) {
    close();
    throw error;
  }
  return {
    url: exchange.url,
    listTools: (given) =>
      run(given, async (options) => {
        const tools: JsonObject[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < MAX_PAGES; page++) {
          const params = cursor === undefined ? {} : { cursor };
          const result = await client.request({ method: "tools/list", params }, TOOL_LIST, options);
          tools.push(...requireDepth(result).tools);
          cursor = result.nextCursor;
          if (cursor === undefined) return tools;
        }
        throw new TargetResponseInvalidError(`The server's list of tools has more than ${MAX_PAGES} pages.`);
      }),
    callTool: (name, args, meta, given) =>
      run(given, async (options) => {
        const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
        return requireDepth((await client.callTool(params as never, options)) as JsonObject);
      }),
    close() {
      if (transport.sessionId === undefined) return close();
      const timer = setTimeout(close, END_SESSION_TIMEOUT_MS);
      transport
        .terminateSession()
        .catch(() => {})
        .finally(() => {
          clearTimeout(timer);
          close();
        });
    },
  };
}

/** @throws {ServerRefusalError} if the result is nested too deeply to be passed on */
function requireDepth<Result>(result: Result): Result {
  if (!isWithinDepth(result, MAX_RESULT_DEPTH)) throw new ServerRefusalError({ kind: "too_deep" });
  return result;
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxTotalTimeout: number;
}

/** Transport that reports the end of a request's stream. Without it a broken stream would end only by the timeout. */
class RequestTransport extends StreamableHTTPClientTransport {
  /** Receives the end of the streams of requests that are sent from now on. */
  onStreamEnd: () => void = () => {};
  #clientResponses = 0;

  override async send(...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>): Promise<void> {
    if (!("method" in message) && ++this.#clientResponses > MAX_CLIENT_RESPONSES) return;
    const { onStreamEnd } = this;
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      onStreamEnd();
    };
    await super.send(message, { ...options, onRequestStreamEnd });
  }
}
