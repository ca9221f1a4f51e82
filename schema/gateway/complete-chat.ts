import { completeChat } from "../../src/gateway/complete-chat.ts";
import type { ChatResult, Completion } from "../../src/gateway/deliver.ts";
import { formatUsd } from "../../src/platform/money.ts";
import { builder } from "../builder.ts";
import type { CarriedAnswer } from "../context.ts";
import { idempotencyKeyOf } from "../idempotency.ts";
import { GatewayCallNode } from "./calls.ts";
import { bodyOf, CompleteChatInput } from "./chat-input.ts";
import { ChatChoice, ChatUsage, dateOf, listOf, textOf } from "./chat-message.ts";
import { CHAT_ERRORS } from "./errors.ts";

type Completed = Pick<ChatResult, "callId" | "costMicroUsd"> & { readonly completion: Completion };

const NOTHING: Completion = { choices: [] };

const CompleteChatSuccess = builder.objectRef<Completed>("CompleteChatSuccess").implement({
  description: "A language model's answer, and what it cost.",
  fields: (t) => ({
    id: t.string({ nullable: true, description: "The provider's id.", resolve: (it) => textOf(it.completion["id"]) }),
    model: t.string({
      nullable: true,
      description: "The model, as its provider calls it.",
      resolve: (it) => textOf(it.completion["model"]),
    }),
    created: t.field({
      type: "DateTime",
      description: "When it was answered, as the provider says.",
      resolve: (it) => dateOf(it.completion["created"]),
    }),
    choices: t.field({
      type: [ChatChoice],
      description: "The answers: as many as `n` asked for, or one.",
      resolve: (it) => listOf(it.completion.choices),
    }),
    usage: t.field({
      type: ChatUsage,
      nullable: true,
      description: "Tokens used; null when the provider did not say.",
      resolve: (it) => listOf([it.completion["usage"]]).find((usage) => "prompt_tokens" in usage) ?? null,
    }),
    costUsd: t.expose("costMicroUsd", { type: "Usd", description: "What it cost." }),
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

builder.mutationField("completeChat", (t) =>
  t.field({
    type: CompleteChatSuccess,
    complexity: 100,
    authScopes: { account: true },
    extensions: { movesMoney: true },
    description:
      "Has a language model complete a chat, and pays for it within every limit: the highest cost is reserved before, the real one settled after. The subscription `chatCompletion` answers piece by piece.",
    errors: {
      types: CHAT_ERRORS,
      union: { name: "CompleteChatResult", description: "The answer, or why there is none." },
    },
    args: { input: t.arg({ type: CompleteChatInput, required: true, description: "The chat." }) },
    resolve: async (_root, { input }, context) => {
      const { deps, viewer, exchange, disconnected } = context;
      const answer = await completeChat(deps, viewer, {
        body: bodyOf(input, exchange ? null : false),
        idempotencyKey: idempotencyKeyOf(input, context),
        signal: exchange?.signal ?? disconnected?.(),
      });
      exchange?.onBody(answerOf(answer));
      const { callId, costMicroUsd, complete: whole } = answer;
      return { callId, costMicroUsd, completion: whole?.completion ?? NOTHING };
    },
  }),
);

/** As OpenAI's API answers. */
function answerOf({ callId, paymentId, costMicroUsd, complete: whole, stream }: ChatResult): CarriedAnswer {
  return {
    status: 200,
    headers: {
      "content-type": stream ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8",
      "cache-control": "no-store",
      // Proxies that gather what they pass on would hold a stream up.
      ...(stream ? { "x-accel-buffering": "no" } : {}),
      "x-satchel-cost-usd": formatUsd(costMicroUsd),
      ...(paymentId === null ? {} : { "x-satchel-payment-id": paymentId }),
      "x-satchel-call-id": callId,
    },
    body: stream ?? whole?.text ?? "",
  };
}
