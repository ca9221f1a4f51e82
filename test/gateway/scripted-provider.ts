/** A provider whose responses the test scripts, and a service that uses it. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type OwnStack, startStack } from "../support/stack.ts";

export interface ScriptedProvider {
  readonly url: string;
  /** The received requests. */
  readonly requests: { readonly body: Record<string, unknown>; readonly headers: Record<string, unknown> }[];
  /** Sets the response to the next calls. */
  script(respond: (response: ServerResponse) => void): void;
  /** Sets the entries of its `/models`. */
  list(models: readonly object[]): void;
  close(): Promise<void>;
}

export const PROVIDER_KEY = "sk-operators-own-key";

export async function openScriptedProvider(): Promise<ScriptedProvider> {
  const requests: ScriptedProvider["requests"] = [];
  let respond: (response: ServerResponse) => void = (response) => void response.writeHead(500).end();
  let models: readonly object[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "GET") return void response.end(JSON.stringify({ data: models }));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    requests.push({ body: JSON.parse(Buffer.concat(chunks).toString()), headers: request.headers });
    respond(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    script(next) {
      respond = next;
    },
    list(entries) {
      models = entries;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Prices of 0.01 US dollars per prompt token and 0.02 per completion token: every token changes the cost. */
export const PRICED = {
  contextLength: 10_000,
  maxOutputTokens: 100,
  promptUsdPerToken: "0.01",
  completionUsdPerToken: "0.02",
  supportedParameters: ["max_tokens"],
};

/** Starts a service with only this provider, called with an API key; credit pays for calls. */
export async function startWithProvider(provider: ScriptedProvider, onLog?: (line: string) => void): Promise<OwnStack> {
  const models = [
    { id: "own/one", ...PRICED },
    { id: "own/deaf", ...PRICED, supportedParameters: [] },
    { id: "own/free", ...PRICED, promptUsdPerToken: "0", completionUsdPerToken: "0" },
  ];
  const own = { name: "own", baseUrl: provider.url, kind: "key", apiKey: PROVIDER_KEY, models };
  return await startStack({
    networks: ["base-sepolia"],
    env: () => ({ GATEWAY_PROVIDERS: JSON.stringify([own]), FREE_CREDIT_USD: "1000" }),
    ...(onLog ? { onLog } : {}),
  });
}

export const chunk = (content: string, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "one", choices: [{ index: 0, delta: { content }, finish_reason: null }], ...more })}\n\n`;

export const completion = (content: string, usage: object = { prompt_tokens: 10, completion_tokens: 5 }) =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "one",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage,
  });
