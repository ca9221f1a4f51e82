import { completeChat } from "../../src/gateway/complete-chat.ts";
import { readStreamEvents, type StreamEvent } from "../../src/gateway/stream-events.ts";
import { builder } from "../builder.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { GatewayCallNode } from "./calls.ts";
import { bodyOf, CompleteChatInput } from "./chat-input.ts";
import { ChatChoice, ChatUsage, dateOf, listOf, textOf } from "./chat-message.ts";

type Chunk = Readonly<Record<string, unknown>>;
type Event = StreamEvent & { readonly callId: string };

const ChatCompletionChunk = builder.objectRef<Chunk>("ChatCompletionChunk").implement({
  description: "A piece of a language model's answer.",
  fields: (t) => ({
    id: t.string({ nullable: true, description: "The provider's id.", resolve: (it) => textOf(it["id"]) }),
    model: t.string({
      nullable: true,
      description: "The model, as its provider calls it.",
      resolve: (it) => textOf(it["model"]),
    }),
    created: t.field({
      type: "DateTime",
      description: "When the answer began, as the provider says.",
      resolve: (it) => dateOf(it["created"]),
    }),
    choices: t.field({
      type: [ChatChoice],
      description: "What is new of each answer; empty in the last chunk, which has the usage.",
      resolve: (it) => listOf(it["choices"]),
    }),
    usage: t.field({
      type: ChatUsage,
      nullable: true,
      description: "Tokens used; in the last chunk only.",
      resolve: (it) => listOf([it["usage"]]).find((usage) => "prompt_tokens" in usage) ?? null,
    }),
  }),
});

const ChatCompletionEnd = builder
  .objectRef<{ callId: string; costMicroUsd: bigint | null }>("ChatCompletionEnd")
  .implement({
    description: "The end of a language model's answer, and what it cost.",
    fields: (t) => ({
      costUsd: t.expose("costMicroUsd", {
        type: "Usd",
        nullable: true,
        description: "What it cost; null where that is not known yet.",
      }),
      call: t.prismaField({
        type: GatewayCallNode,
        nullable: true,
        description: "The call's record.",
        resolve: async (query, { callId }, _args, { deps }) => {
          await deps.gateway.calls.flush();
          return await deps.db.prisma.gatewayCall.findUnique({ ...query, where: { id: callId } });
        },
      }),
    }),
  });

const ChatCompletionEvent = builder.objectRef<Event>("ChatCompletionEvent").implement({
  description: "One of the two is there: a piece of the answer, or after all of them its end.",
  fields: (t) => ({
    chunk: t.field({
      type: ChatCompletionChunk,
      nullable: true,
      description: "A piece of the answer.",
      resolve: (event) => (event.kind === "chunk" ? event.chunk : null),
    }),
    end: t.field({
      type: ChatCompletionEnd,
      nullable: true,
      description: "The end of the answer.",
      resolve: (event) => (event.kind === "end" ? event : null),
    }),
  }),
});

builder.subscriptionField("chatCompletion", (t) =>
  t.field({
    type: ChatCompletionEvent,
    complexity: 100,
    authScopes: { account: true },
    // Each subscriber asks, and pays, for itself.
    extensions: { shared: false, movesMoney: true },
    description:
      "Has a language model complete a chat piece by piece, and pays for it as `completeChat` does. Unsubscribing stops the provider, and what was used is charged. A failure is an error of the subscription.",
    args: { input: t.arg({ type: CompleteChatInput, required: true, description: "The chat." }) },
    async subscribe(_root, { input }, context) {
      const { callId, paymentId, stream } = await completeChat(context.deps, context.viewer, {
        body: bodyOf(input, true),
        idempotencyKey: idempotencyKeyOf(input, context),
        signal: context.disconnected?.(),
      });
      if (!stream) throw new Error("A stream was asked for.");
      const events = readStreamEvents(stream, paymentId);
      return withCall(events, callId);
    },
    resolve: (event) => event,
  }),
);

/** The same events, each with the call it is of; ended as the ones below are. */
function withCall(events: AsyncIterableIterator<StreamEvent>, callId: string): AsyncIterableIterator<Event> {
  const iterator: AsyncIterableIterator<Event> = {
    async next() {
      const { done, value } = await events.next();
      return done ? { done, value: undefined } : { done: false, value: { ...value, callId } };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}
