import { openRawSocket, post, type startServer, type TestResponse, waitUntil } from "./server.ts";

type Server = Awaited<ReturnType<typeof startServer>>;
type Params = { query?: string; operationName?: string; variables?: object; extensions?: object };
type Body = TestResponse["body"];

/** Sends a request on each transport and returns its first result. */
export const TRANSPORTS: Readonly<Record<string, (server: Server, params: Params) => Promise<Body>>> = {
  "JSON POST": async ({ url }, params) => (await post(url, params)).body,
  batch: async ({ url }, params) => JSON.parse((await post(url, [params])).text)[0],
  GET: async ({ url }, params) => (await fetch(`${url}?${encodeParams(params)}`)).json(),
  SSE: async ({ url }, params) => {
    const { text } = await post(url, params, { accept: "text/event-stream" });
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");
  },
  "SSE by GET": async ({ url }, params) => {
    const stream = await fetch(`${url}?${encodeParams(params)}`, { headers: { accept: "text/event-stream" } });
    return JSON.parse(/^data: (.*)$/m.exec(await stream.text())?.[1] ?? "null");
  },
  WebSocket: async (server, params) => {
    const raw = await openRawSocket(server.wsUrl);
    raw.init("ann");
    await waitUntil(() => raw.messages.length > 0);
    raw.send({ id: "1", type: "subscribe", payload: params });
    await waitUntil(() => raw.messages.some((message) => message["id"] === "1"));
    raw.socket.close();
    const { type, payload } = raw.messages.find((message) => message["id"] === "1") ?? {};
    return type === "error" ? { errors: payload as NonNullable<Body["errors"]> } : (payload as Body);
  },
};

function encodeParams(params: Params): URLSearchParams {
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return new URLSearchParams(texts);
}
