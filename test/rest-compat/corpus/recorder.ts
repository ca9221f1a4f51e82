/** Sends requests over HTTP and records them with their responses. */
import type { Stack, TestResponse } from "../../support/stack.ts";
import { createNormalise } from "./normalise.ts";

export interface Exchange {
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: { readonly status: number; readonly headers: object; readonly body: unknown };
}

/** Exchanges by route, such as `GET /api/balance`, and name. */
export type Corpus = Record<string, Record<string, Exchange>>;

export interface RecordedRequest {
  /** The credential; null sends none. */
  readonly token?: string | null;
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>> | readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
  /** Members whose values differ between runs. */
  readonly volatile?: readonly string[];
  /** Method to send instead of the route's. */
  readonly method?: string;
  /** Path to send instead of the route's. */
  readonly target?: string;
  /** Origin to send to, such as that of the pages; default: the service's address. */
  readonly origin?: string;
}

export type Send = (route: string, name: string, request?: RecordedRequest) => Promise<TestResponse>;

/** Headers of the connection and of the clock. */
const UNRECORDED = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding", "x-request-id"]);
/** Headers that are recorded only where they differ; null records that one is absent. */
const STANDARD = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "Origin",
  "content-type": "application/json; charset=utf-8",
} as const;
/** Longer request bodies are recorded by their length. */
const MAX_BODY_CHARS = 10_000;

/** An exchange with the values that were sent. */
export interface RawExchange {
  readonly route: string;
  readonly name: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** The parsed body if it was sent as JSON. */
  readonly sent: unknown;
  readonly response: TestResponse;
}

export interface Recorder {
  readonly corpus: Corpus;
  /** The exchanges with the routes' own methods. */
  readonly raw: readonly RawExchange[];
  /** Returns the function that sends requests to a service and records them. */
  to(stack: Pick<Stack, "baseUrl">): Send;
}

/** @param hosts names of loopback origins by port */
export function createRecorder(hosts: ReadonlyMap<string, string>): Recorder {
  const corpus: Corpus = {};
  const raw: RawExchange[] = [];
  return {
    corpus,
    raw,
    to:
      ({ baseUrl }) =>
      async (route, name, { token = null, path = {}, query = {}, headers = {}, body, volatile = [], ...rest } = {}) => {
        const [method = "", template = ""] = route.split(" ");
        const parameters = [...(Array.isArray(query) ? query : Object.entries(query))].map(
          ([key, value]): [string, string] => [key, String(value)],
        );
        const target =
          rest.target ??
          template.replaceAll(/\{(\w+)\}/g, (_part, key: string) => encodeURIComponent(path[key] ?? key));
        const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
        const sent = {
          ...(isRaw || "content-type" in headers ? {} : { "content-type": "application/json" }),
          ...(token === null ? {} : { "x-service-token": token }),
          ...headers,
        };
        const response = await fetch(
          `${rest.origin ?? baseUrl}${target}${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ""}`,
          {
            method: rest.method ?? method,
            redirect: "manual",
            headers: sent,
            ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
          },
        );
        const text = isArchive(response) ? await readArchive(response) : await response.text();
        const json = parse(text);
        const normalise = createNormalise(hosts, volatile);
        const exchange = {
          request: normalise({
            ...(rest.method ? { method: rest.method } : {}),
            path: target,
            ...(parameters.length > 0 ? { query: parameters.map(([key, value]) => ({ [key]: value })) } : {}),
            ...(Object.keys(sent).length > 0 ? { headers: sent } : {}),
            ...(body === undefined ? {} : { body: describeBody(body) }),
          }) as Exchange["request"],
          response: {
            status: response.status,
            headers: normalise(describeHeaders(response.headers)) as object,
            body: normalise(json ?? text),
          },
        };
        corpus[route] ??= {};
        if (corpus[route][name]) throw new Error(`${route} has two exchanges named ${name}.`);
        corpus[route][name] = exchange;
        const received = { status: response.status, headers: response.headers, text, json };
        if (!rest.method && !rest.target) {
          raw.push({ route, name, parameters, sent: isRaw ? undefined : body, response: received });
        }
        return received;
      },
  };
}

const isArchive = ({ headers }: Response) => headers.get("content-type") === "application/gzip";

/** Archives differ between runs. Returns a placeholder if the body has the signature of gzip. */
async function readArchive(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  return bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])) ? "<gzip archive>" : bytes.toString();
}

// biome-ignore lint/suspicious/noExplicitAny: scenarios read responses of every shape.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describeHeaders(headers: Headers): Record<string, string | null> {
  const standard = Object.entries(STANDARD).map(([name, value]) => [
    name,
    headers.get(name) === value ? undefined : headers.get(name),
  ]);
  const given = [...headers].filter(([name]) => !UNRECORDED.has(name) && !Object.hasOwn(STANDARD, name));
  return Object.fromEntries([...standard.filter(([, value]) => value !== undefined), ...given]);
}

function describeBody(body: unknown): unknown {
  if (body instanceof Uint8Array) return `<${body.byteLength} bytes>`;
  const length = typeof body === "string" ? body.length : (JSON.stringify(body)?.length ?? 0);
  return length > MAX_BODY_CHARS ? `<${length} characters>` : body;
}
