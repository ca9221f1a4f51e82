import { completeChat } from "../../src/gateway/complete-chat.ts";
import type { ChatResult, Completion } from "../../src/gateway/deliver.ts";
import { formatUsd } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";
import type { ProxiedResponse } from "../context.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { GatewayCallNode } from "./calls.ts";
import { CompleteChatInput, toOpenAiBody } from "./chat-input.ts";
import { ChatChoice, ChatUsage, readDate, readList, readText } from "./chat-message.ts";
import { CHAT_ERRORS } from "./errors.ts";

type Completed = Pick<ChatResult, "callId" | "costMicroUsd"> & { readonly completion: Completion };

const EMPTY_COMPLETION: Completion = { choices: [] };

const CompleteChatSuccess = builder.objectRef<Completed>("CompleteChatSuccess").implement({
  description: "A chat completion, with its cost.",
  fields: (t) => ({
    id: t.string({
      nullable: true,
      description: "Completion ID assigned by the provider.",
      resolve: (it) => readText(it.completion["id"]),
    }),
    model: t.string({
      nullable: true,
      description: "Model name reported by the provider.",
      resolve: (it) => readText(it.completion["model"]),
    }),
    created: t.field({
      type: "DateTime",
      description: "Timestamp of the completion, as reported by the provider.",
      resolve: (it) => readDate(it.completion["created"]),
    }),
    choices: t.field({
      type: [ChatChoice],
      description: "The generated choices. Their number is `n`, by default one.",
      resolve: (it) => readList(it.completion.choices),
    }),
    usage: t.field({
      type: ChatUsage,
      nullable: true,
      description: "Token usage. Null if the provider did not report it.",
      resolve: (it) => readList([it.completion["usage"]]).find((usage) => "prompt_tokens" in usage) ?? null,
    }),
    costUsd: t.expose("costMicroUsd", { type: "Usd", description: "The cost of the call." }),
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

builder.mutationField("completeChat", (t) =>
  t.field({
    type: CompleteChatSuccess,
    complexity: 100,
    authScopes: { account: true },
    extensions: { movesMoney: true },
    description:
      "Creates a chat completion and pays for it within all limits. The maximum cost is reserved before the call, and the actual cost is settled after it. The subscription `chatCompletion` streams the completion.",
    errors: {
      types: CHAT_ERRORS,
      union: { name: "CompleteChatResult", description: "The chat completion, or the error that prevented it." },
    },
    args: { input: t.arg({ type: CompleteChatInput, required: true, description: "The chat to complete." }) },
    resolve: async (_root, { input }, context) => {
      const { deps, viewer, exchange, disconnected } = context;
      const result = await completeChat(deps, viewer, {
        body: toOpenAiBody(input, exchange ? null : false),
        idempotencyKey: idempotencyKeyOf(input, context),
        signal: exchange?.signal ?? disconnected?.(),
      });
      exchange?.onBody(toResponse(result));
      const { callId, costMicroUsd, complete } = result;
      return { callId, costMicroUsd, completion: complete?.completion ?? EMPTY_COMPLETION };
    },
  }),
);

/** Converts the result to a response in OpenAI's format. */
function toResponse({ callId, paymentId, costMicroUsd, complete, stream }: ChatResult): ProxiedResponse {
  return {
    status: 200,
    headers: {
      "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8",
      "cache-control": "no-store",
      // Disables buffering in nginx, because buffering would delay the stream.
      ...(stream ? { "x-accel-buffering": "no" } : {}),
      "x-satchel-cost-usd": formatUsd(costMicroUsd),
      ...(paymentId === null ? {} : { "x-satchel-payment-id": paymentId }),
      "x-satchel-call-id": callId,
    },
    body: stream ?? complete?.text ?? "",
  };
}
