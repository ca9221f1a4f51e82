import { completeChat } from "../../src/gateway/complete-chat.ts";
import { readStreamEvents, type StreamEvent } from "../../src/gateway/stream-events.ts";
import { builder } from "../builder.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { PAYING_WALLET } from "../wallet/payer-fields.ts";
import { GatewayCallNode } from "./calls.ts";
import { CompleteChatInput, toOpenAiBody } from "./chat-input.ts";
import { ChatChoice, ChatUsage, readDate, readList, readText } from "./chat-message.ts";

type Chunk = Readonly<Record<string, unknown>>;
type Event = StreamEvent & { readonly callId: string };

const ChatCompletionChunk = builder.objectRef<Chunk>("ChatCompletionChunk").implement({
  description: "A chunk of a streamed chat completion.",
  fields: (t) => ({
    completionId: t.string({
      nullable: true,
      description: "The provider's id of the completion.",
      resolve: (it) => readText(it["id"]),
    }),
    model: t.string({
      nullable: true,
      description: "The provider's name of the model.",
      resolve: (it) => readText(it["model"]),
    }),
    created: t.field({
      type: "DateTime",
      description: "Timestamp when the completion began, as reported by the provider.",
      resolve: (it) => readDate(it["created"]),
    }),
    choices: t.field({
      type: [ChatChoice],
      description: "The new content of each choice. Empty in the last chunk, which has the usage.",
      resolve: (it) => readList(it["choices"]),
    }),
    usage: t.field({
      type: ChatUsage,
      nullable: true,
      description: "The used tokens. Present only in the last chunk.",
      resolve: (it) => readList([it["usage"]]).find((usage) => "prompt_tokens" in usage) ?? null,
    }),
  }),
});

const ChatCompletionEnd = builder
  .objectRef<{ callId: string; costMicroUsd: bigint | null }>("ChatCompletionEnd")
  .implement({
    description: "The end of a streamed chat completion, with its cost.",
    fields: (t) => ({
      costUsd: t.expose("costMicroUsd", {
        type: "Usd",
        nullable: true,
        description: "The cost of the call. Null if not known yet.",
      }),
      wallet: t.field(PAYING_WALLET),
      call: t.prismaField({
        type: GatewayCallNode,
        nullable: true,
        description: "The record of the call.",
        resolve: async (query, { callId }, _args, { deps }) => {
          await deps.gateway.calls.flush();
          return await deps.db.prisma.gatewayCall.findUnique({ ...query, where: { id: callId } });
        },
      }),
    }),
  });

const ChatCompletionEvent = builder.objectRef<Event>("ChatCompletionEvent").implement({
  description: "An event of a streamed chat completion: either a chunk, or after the last chunk the end.",
  fields: (t) => ({
    chunk: t.field({
      type: ChatCompletionChunk,
      nullable: true,
      description: "A chunk of the completion.",
      resolve: (event) => (event.kind === "chunk" ? event.chunk : null),
    }),
    end: t.field({
      type: ChatCompletionEnd,
      nullable: true,
      description: "The end of the completion.",
      resolve: (event) => (event.kind === "end" ? event : null),
    }),
  }),
});

builder.subscriptionField("chatCompletion", (t) =>
  t.field({
    type: ChatCompletionEvent,
    complexity: 100,
    authScopes: { account: true },
    // Not shared: each subscriber makes and pays for its own call.
    extensions: { shared: false, movesMoney: true },
    description:
      "Creates a chat completion as a stream and pays for it as `completeChat` does. Unsubscribing stops the provider, and the used tokens are charged. A failure is an error of the subscription. A client that reconnects makes no second call: with an `idempotencyKey` it receives the stored completion, otherwise `operation_repeated`.",
    args: { input: t.arg({ type: CompleteChatInput, required: true, description: "The chat to complete." }) },
    async subscribe(_root, { input }, context) {
      const { callId, paymentId, stream } = await completeChat(context.deps, context.viewer, {
        body: toOpenAiBody(input, true),
        idempotencyKey: idempotencyKeyOf(input, context),
        signal: context.disconnected?.(),
        isFinalOnceAborted: true,
      });
      if (!stream) throw new Error("The provider did not return a stream.");
      const events = readStreamEvents(stream, paymentId);
      return withCall(events, callId);
    },
    resolve: (event) => event,
  }),
);

/** Adds the call ID to each event. Ending the iterator ends the underlying one. */
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
