/** A language model provider that responds immediately, with one object or with a stream of `max_tokens` chunks. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveParent } from "../harness/serve-parent.ts";

const head = { id: "chatcmpl-bench", created: 1_735_689_600, model: "bench/free" };
const usage = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 };
const message = { role: "assistant", content: "Every pocket in its place, and one for what comes." };
const WHOLE = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage,
});
const chunk = (choices: object[], more: object = {}) =>
  `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`;
const PIECE = chunk([{ index: 0, delta: { content: " pocket" }, finish_reason: null }]);
const END = `${chunk([{ index: 0, delta: {}, finish_reason: "stop" }])}${chunk([], { usage })}data: [DONE]\n\n`;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const { stream, max_tokens: pieces } = JSON.parse(Buffer.concat(parts).toString()) as {
      stream?: boolean;
      max_tokens: number;
    };
    if (stream) return void writeStream(response, pieces);
    response.writeHead(200, { "content-type": "application/json" }).end(WHOLE);
  });
});

async function writeStream(response: ServerResponse, pieces: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (let n = 0; n < pieces; n++) {
    if (!response.write(PIECE)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end(END);
}

server.keepAliveTimeout = 30_000;
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
serveParent(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
