/**
 * `satchel mcp`: connects a client of the Model Context Protocol on standard input and output with the service's `/mcp`. It has no
 * tools of its own and forwards the text of each message unchanged. Every request gets a response unless the client cancels it.
 * Standard output has messages only.
 */
import { setTimeout } from "node:timers/promises";
import { getAccessToken } from "../access-token.ts";
import { exitIfOutputClosed } from "../closed-output.ts";
import type { CommandContext } from "../command.ts";
import { CliError, createSignInEndedError, UsageError } from "../errors.ts";
import { type Call, cancelRequest, createCall, receive } from "../mcp-call.ts";
import {
  type Entry,
  formatWithId,
  headersOf,
  isRequest,
  type Packet,
  parsePacket,
  type RpcError,
} from "../mcp-messages.ts";
import { decodeLine, readLines, readMessages, toLine } from "../mcp-transport.ts";
import { USER_AGENT } from "../version.ts";

const INTERNAL_ERROR = -32_603;
const PARSE_ERROR = -32_700;

/** Time for the calls in flight when the input ends. The longest call of a tool lasts about 120 seconds. */
const LAST_CALLS_MS = 150_000;

const REPEAT =
  "The service may have received it. Repeat it with the same arguments: a payment_id, quote_id or idempotency_key never pays twice.";

/** The client's side of the bridge. */
export interface ClientStreams {
  readonly input: AsyncIterable<Buffer>;
  write(line: string): void;
  readonly lastCallsMs: number;
}

export async function mcp(context: CommandContext, streams?: ClientStreams): Promise<void> {
  const { baseUrl, output } = context;
  const url = createUrl(baseUrl, context.values);
  // Fails before the first message if no user is signed in.
  await getAccessToken(baseUrl);
  const { input, write, lastCallsMs } = streams ?? openStandardStreams();
  const calls = new Set<Call>();
  let lateness: CliError | null = null;
  let negotiated: string | null = null;

  const sendErrors = (requests: Iterable<Pick<Entry, "idText">>, error: RpcError) => {
    for (const { idText } of requests) write(toLine(formatWithId({ jsonrpc: "2.0", error }, idText)));
    output.note(error.message);
  };

  async function forward(text: string, call: Call): Promise<Response> {
    const response = await fetch(url, {
      method: "POST",
      redirect: "error",
      signal: call.abort.signal,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${await getAccessToken(baseUrl)}`,
        "user-agent": USER_AGENT,
        ...headersOf(call.packet, negotiated),
      },
      body: text,
    });
    if (response.status === 401) throw createSignInEndedError(baseUrl);
    for await (const received of readMessages(response)) {
      for (const message of receive(call, received)) write(toLine(message));
    }
    negotiated = call.negotiated ?? negotiated;
    return response;
  }

  async function handle(text: string, packet: Packet): Promise<void> {
    for (const { message } of packet.entries) {
      if (message.method === "notifications/cancelled") cancelRequest(calls, message.params?.["requestId"]);
    }
    const call = createCall(packet);
    const hasRequests = call.unanswered.size > 0;
    calls.add(call);
    if (lateness) call.abort.abort(lateness);
    let failure: string | null = null;
    try {
      const { ok, status } = await forward(text, call);
      const isComplete = call.unanswered.size === 0 && (hasRequests || ok);
      if (!isComplete) failure = `${baseUrl} sent status ${status} and no response to the call. ${REPEAT}`;
    } catch (error) {
      failure = describe(error, baseUrl);
    }
    calls.delete(call);
    const isCancelled = call.abort.signal.aborted && call.unanswered.size === 0;
    if (failure === null || isCancelled) return;
    sendErrors(call.unanswered.values(), call.refusal ?? { code: INTERNAL_ERROR, message: failure });
  }

  // Initialization precedes all other messages, whose headers depend on its result.
  let opening: Promise<void> = Promise.resolve();
  const handled = new Set<Promise<void>>();
  for await (const line of readLines(input)) {
    const { text, fault } = decodeLine(line);
    if (text.trim() === "") continue;
    const packet = parsePacket(text);
    if (packet === null || fault !== null) {
      const requests = packet ? packet.entries.filter(({ message }) => isRequest(message)) : [{ idText: "null" }];
      sendErrors(requests, {
        code: PARSE_ERROR,
        message: fault ?? "A line is not a JSON-RPC message. It was not sent.",
      });
      continue;
    }
    const isInitialize = packet.entries.some(({ message }) => message.method === "initialize");
    const done = isInitialize ? handle(text, packet) : opening.then(() => handle(text, packet));
    if (isInitialize) opening = done;
    handled.add(done);
    void done.then(() => handled.delete(done));
  }
  // Calls that the end of the input aborted could have paid already.
  const finish = async () => {
    await opening;
    for (const call of calls) if (isListening(call)) endSilently(call);
    await Promise.all(handled);
  };
  await Promise.race([finish(), setTimeout(lastCallsMs, undefined, { ref: false })]);
  // Also ends the calls that still wait for initialization.
  lateness = new CliError(`The input ended, and the call did not finish in time. ${REPEAT}`);
  for (const { abort } of calls) abort.abort(lateness);
  await Promise.all(handled);
}

function openStandardStreams(): ClientStreams {
  const { stdin, stdout, stderr } = process;
  // A client that reads no more responses has ended. As with the end of the input, its calls in flight finish.
  stdout.off("error", exitIfOutputClosed).on("error", () => stdin.destroy());
  stderr.on("error", () => {});
  return { input: readUntilClosed(stdin), write: (line) => void stdout.write(line), lastCallsMs: LAST_CALLS_MS };
}

async function* readUntilClosed(input: NodeJS.ReadStream): AsyncGenerator<Buffer> {
  try {
    yield* input as AsyncIterable<Buffer>;
  } catch {
    // A broken pipe ends the input.
  }
}

function isListening({ packet }: Call): boolean {
  return packet.entries.some(({ message }) => message.method === "subscriptions/listen");
}

function endSilently({ unanswered, abort }: Call): void {
  unanswered.clear();
  abort.abort();
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

function describe(error: unknown, baseUrl: string): string {
  if (error instanceof CliError) return error.message;
  return `The connection to ${baseUrl} failed during the call. ${REPEAT}`;
}
