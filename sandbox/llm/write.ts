/** Responses of an OpenAI-compatible provider: one object, or a stream of chunks. */
import { setTimeout as delay } from "node:timers/promises";
import type { Response } from "express";
import { waitForRelease } from "./holds.ts";
import { type ChatRequest, type Reply, replyTo } from "./reply.ts";

/** Faults of a provider during its response. */
export type Mishap = "cuts" | "cuts-at-once" | "bad-json" | "error-midstream" | "forged-usage" | "no-usage" | "no-done";

const ID = "chatcmpl-sandbox";
const CREATED = 1_735_689_600;
/** Number of chunks before a fault in a stream. */
const CHUNKS_BEFORE = 3;

export async function writeReply(response: Response, request: ChatRequest, mishap?: Mishap): Promise<void> {
  const reply = replyTo(request);
  if (request.stream) return await writeStream(response, request, reply, mishap);
  if (request.sandbox?.delay_ms) await delay(request.sandbox.delay_ms);
  if (request.sandbox?.hold) await waitForRelease(request.sandbox.hold);
  const choices = reply.choices.map(({ pieces, toolCall, finishReason }, index) => ({
    index,
    finish_reason: finishReason,
    logprobs: null,
    message: {
      role: "assistant",
      content: toolCall ? null : pieces.join(""),
      refusal: null,
      ...(toolCall && { tool_calls: [toolCallOf(toolCall)] }),
    },
  }));
  const usage = mishap === "no-usage" ? {} : { usage: usageOf(reply, mishap) };
  const text = JSON.stringify({
    id: ID,
    object: "chat.completion",
    created: CREATED,
    model: request.model,
    choices,
    ...usage,
  });
  response.type("application/json");
  if (mishap === "cuts" || mishap === "cuts-at-once" || mishap === "bad-json") {
    const half = text.slice(0, text.length / 2);
    if (mishap === "bad-json") return void response.end(half);
    response.set("content-length", String(Buffer.byteLength(text))).write(half, () => response.socket?.destroy());
    return;
  }
  response.end(text);
}

async function writeStream(response: Response, request: ChatRequest, reply: Reply, mishap?: Mishap): Promise<void> {
  response.set({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  response.flushHeaders();
  if (mishap === "cuts-at-once") return void response.socket?.destroy();
  let written = 0;
  for (const choices of deltasOf(reply)) {
    if (request.sandbox?.delay_ms) await delay(request.sandbox.delay_ms);
    if (response.destroyed) return;
    const chunk = JSON.stringify({ ...head(request.model), choices });
    if (!response.write(`data: ${chunk}\n\n`)) await drained(response);
    if (++written === CHUNKS_BEFORE) {
      if (mishap === "cuts") {
        // Leaves time to flush the written chunks.
        await delay(30);
        return void response.socket?.destroy();
      }
      if (mishap === "bad-json") return void response.end("data: {oops\n\ndata: [DONE]\n\n");
      if (mishap === "error-midstream") {
        const error = { message: "The model fell over.", type: "server_error", code: "overloaded" };
        return void response.end(`data: ${JSON.stringify({ error })}\n\n`);
      }
    }
  }
  if (request.stream_options?.include_usage && mishap !== "no-usage") {
    const chunk = { ...head(request.model), choices: [], usage: usageOf(reply, mishap) };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  response.end(mishap === "no-done" ? "" : "data: [DONE]\n\n");
}

const head = (model: string) => ({ id: ID, object: "chat.completion.chunk", created: CREATED, model });

function* deltasOf({ choices }: Reply): Generator<object[]> {
  for (const [index, { pieces, toolCall, finishReason }] of choices.entries()) {
    yield [{ index, delta: { role: "assistant", content: toolCall ? null : "" }, finish_reason: null }];
    for (const content of pieces) yield [{ index, delta: { content }, finish_reason: null }];
    if (toolCall) {
      yield [
        {
          index,
          delta: { tool_calls: [{ index: 0, ...toolCallOf({ ...toolCall, arguments: "" }) }] },
          finish_reason: null,
        },
      ];
      const half = Math.ceil(toolCall.arguments.length / 2);
      for (const part of [toolCall.arguments.slice(0, half), toolCall.arguments.slice(half)]) {
        yield [{ index, delta: { tool_calls: [{ index: 0, function: { arguments: part } }] }, finish_reason: null }];
      }
    }
    yield [{ index, delta: {}, finish_reason: finishReason }];
  }
}

function toolCallOf({ id, name, arguments: args }: { id: string; name: string; arguments: string }) {
  return { id, type: "function", function: { name, arguments: args } };
}

function usageOf({ promptTokens, completionTokens }: Reply, mishap?: Mishap) {
  if (mishap === "forged-usage") {
    return { prompt_tokens: 2_000_000_000, completion_tokens: 2_000_000_000, total_tokens: 4_000_000_000 };
  }
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

function drained(response: Response): Promise<unknown> {
  return new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
