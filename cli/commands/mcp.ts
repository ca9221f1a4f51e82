/**
 * `satchel mcp`: connects a client of the Model Context Protocol on standard input and output with the service's `/mcp`. It has no
 * tools of its own and forwards every message unchanged. Standard output has messages only.
 */
import { createInterface } from "node:readline";
import { getAccessToken } from "../access-token.ts";
import type { CommandContext } from "../command.ts";
import { CliError, createSignInEndedError, UsageError } from "../errors.ts";
import { headersOf, type Message, readMessages } from "../mcp-messages.ts";
import { USER_AGENT } from "../version.ts";

const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;
const CANCELLED = "notifications/cancelled";

export async function mcp({ baseUrl, values, output }: CommandContext): Promise<void> {
  const url = createUrl(baseUrl, values);
  // Fails before the first message if no user is signed in.
  await getAccessToken(baseUrl);
  let negotiated: string | null = null;
  const inFlight = new Map<string | number, AbortController>();
  const send = (message: object | string) =>
    void process.stdout.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  const sendError = ({ id }: Message, code: number, message: string) => {
    if (id !== undefined) send({ jsonrpc: "2.0", id, error: { code, message } });
    output.note(message);
  };

  async function forward(message: Message, abort: AbortController): Promise<void> {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      signal: abort.signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${await getAccessToken(baseUrl)}`,
        "user-agent": USER_AGENT,
        ...headersOf(message, negotiated),
      },
      body: JSON.stringify(message),
    });
    if (response.status === 401) throw createSignInEndedError(baseUrl);
    for await (const text of readMessages(response)) {
      const received = JSON.parse(text) as Message & { readonly error?: { code: number; message: string } };
      if (message.method === "initialize") negotiated = readNegotiated(received) ?? negotiated;
      // The service could not attribute its error to the request.
      if (received.error && received.id === null) sendError(message, received.error.code, received.error.message);
      else send(JSON.stringify(received));
    }
  }

  async function handle(line: string): Promise<void> {
    const message = parse(line);
    if (message === null) return sendError({ id: null }, PARSE_ERROR, "A line is not a JSON-RPC message.");
    if (message.method === CANCELLED) inFlight.get(message.params?.["requestId"] as string)?.abort();
    const abort = new AbortController();
    if (message.id !== undefined && message.id !== null) inFlight.set(message.id, abort);
    try {
      await forward(message, abort);
    } catch (error) {
      if (!abort.signal.aborted) sendError(message, INTERNAL_ERROR, describe(error, baseUrl));
    } finally {
      if (message.id !== undefined && message.id !== null) inFlight.delete(message.id);
    }
  }

  // Initialization precedes all other messages, whose headers depend on its result.
  let opening: Promise<void> = Promise.resolve();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    if (parse(line)?.method === "initialize") opening = handle(line);
    else void opening.then(() => handle(line));
  }
  for (const abort of inFlight.values()) abort.abort();
}

function createUrl(baseUrl: string, values: CommandContext["values"]): URL {
  const url = new URL(`${baseUrl}/mcp`);
  const { tools } = values;
  if (typeof tools === "string") {
    if (!/^[a-z]+(?:,[a-z]+)*$/.test(tools)) throw new UsageError("--tools must list groups, separated by commas.");
    url.searchParams.set("tools", tools);
  }
  if (values["read-only"]) url.searchParams.set("read_only", "1");
  return url;
}

function parse(line: string): Message | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Message) : null;
  } catch {
    return null;
  }
}

function readNegotiated({ result }: Message): string | null {
  return typeof result?.protocolVersion === "string" ? result.protocolVersion : null;
}

function describe(error: unknown, baseUrl: string): string {
  if (error instanceof CliError) return error.message;
  return `The connection to ${baseUrl} failed. The service may have received the call. Repeat it with the same arguments: a payment_id, quote_id or idempotency_key never pays twice.`;
}
