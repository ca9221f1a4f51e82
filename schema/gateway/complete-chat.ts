import { completeChat } from "../../src/gateway/complete-chat.ts";
import type { ChatResult, Completion } from "../../src/gateway/deliver.ts";
import { formatUsd } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";
import type { ProxiedResponse } from "../context.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { INTERNAL } from "../schema-variants.ts";
import { PAYING_WALLET } from "../wallet/payer-fields.ts";
import { GatewayCallNode } from "./calls.ts";
import { CompleteChatInput, toOpenAiBody } from "./chat-input.ts";
import { ChatChoice, ChatUsage, readDate, readList, readText } from "./chat-message.ts";
import { CHAT_ERRORS } from "./errors.ts";

type Completed = Pick<ChatResult, "callId" | "costMicroUsd"> & { readonly completion: Completion };

const EMPTY_COMPLETION: Completion = { choices: [] };

const CompleteChatSuccess = builder.objectRef<Completed>("CompleteChatSuccess").implement({
  description: "A chat completion, with its cost.",
  fields: (t) => ({
    completionId: t.string({
      nullable: true,
      description: "The provider's id of the completion.",
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
    resolve: async (_root, { input }, context) =>
      toCompleted(
        await completeChat(context.deps, context.viewer, {
          body: toOpenAiBody(input, false),
          idempotencyKey: idempotencyKeyOf(input, context),
          signal: context.disconnected?.(),
        }),
      ),
  }),
);

const ProxyChatInput = builder.inputType("ProxyChatInput", {
  description: "A request to complete a chat.",
  fields: (t) => ({
    body: t.field({ type: "JSON", required: true, description: "The body in OpenAI's format." }),
  }),
});

builder.mutationField("proxyChat", (t) =>
  t.field({
    type: CompleteChatSuccess,
    ...INTERNAL,
    authScopes: { account: true },
    extensions: { ...INTERNAL.extensions, movesMoney: true },
    description: "Completes a chat in OpenAI's format for the OpenAI route, which sends the response unchanged.",
    errors: { types: CHAT_ERRORS, union: { name: "ProxyChatResult", description: "The completion, or the error." } },
    args: { input: t.arg({ type: ProxyChatInput, required: true, description: "The request." }) },
    resolve: async (_root, { input }, { deps, viewer, exchange, idempotencyKey }) => {
      const body = input.body as object;
      const result = await completeChat(deps, viewer, { body, idempotencyKey, signal: exchange?.signal });
      exchange?.onBody(toResponse(result));
      return toCompleted(result);
    },
  }),
);

function toCompleted({ callId, costMicroUsd, complete }: ChatResult): Completed {
  return { callId, costMicroUsd, completion: complete?.completion ?? EMPTY_COMPLETION };
}

/** Converts the result to a response in OpenAI's format. */
function toResponse({ callId, paymentId, costMicroUsd, complete, stream }: ChatResult): ProxiedResponse {
  return {
    status: 200,
    headers: {
      "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8",
      "cache-control": "no-store",
      // Disables buffering in nginx, because buffering would delay the stream.
      ...(stream ? { "x-accel-buffering": "no" } : {}),
      [stream ? "x-satchel-max-cost-usd" : "x-satchel-cost-usd"]: formatUsd(costMicroUsd),
      ...(paymentId === null ? {} : { "x-satchel-payment-id": paymentId }),
      "x-satchel-call-id": callId,
    },
    body: stream ?? complete?.text ?? "",
  };
}
