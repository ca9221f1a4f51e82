/** Tools for programs: signed payments, and language models that are paid per call. */
import { z } from "zod";
import { parseDecimal } from "../../src/platform/money.ts";
import { ChatDocument, ListModelsDocument, SignPaymentDocument } from "../generated/graphql.ts";
import { OFFSET_CURSOR, pageOfConnection, pageOfText } from "../pages.ts";
import { PAGE, PAGE_OUTPUT, PURCHASE_KEY, readPage, URL_ARGUMENT, USD } from "../parameters.ts";
import { defineTool } from "../tool.ts";
import { requireSuccess } from "../tool-error.ts";
import { untrusted } from "../untrusted.ts";

/** USDC, the only asset of payments, has six decimal places. */
const USDC_DECIMALS = 6;

export const signPayment = defineTool({
  name: "sign_payment",
  title: "Sign payment",
  description:
    "Signs an X402 payment for a request that you send yourself, and returns its header. Calls with the same idempotency_key return the same payment. The seller may charge it once sent.",
  group: "developer",
  effect: "spends",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    url: URL_ARGUMENT,
    method: z
      .enum(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])
      .optional()
      .meta({ description: "Default GET." }),
    payment_requirements: z
      .record(z.string(), z.unknown())
      .meta({ description: "The JSON body of the seller's 402 response." }),
    max_usd: USD.optional(),
    idempotency_key: PURCHASE_KEY,
  }),
  output: z.object({
    id: z.string(),
    header_name: z.string(),
    header_value: z.string(),
    amount: z.string(),
    currency: z.string(),
    network: z.string(),
    scheme: z.string(),
    paid_from_credit: z.boolean(),
  }),
  document: SignPaymentDocument,
  async call({ url, method = "GET", payment_requirements, max_usd, idempotency_key }, { run }) {
    const maxValue = max_usd === undefined ? null : String(parseDecimal(max_usd, USDC_DECIMALS, "max_usd"));
    const requestData = { url, method };
    const input = { paymentRequirements: payment_requirements, requestData, maxValue, idempotencyKey: idempotency_key };
    const signed = requireSuccess((await run({ input })).signPayment);
    return {
      id: signed.transactionId,
      header_name: signed.headerName,
      header_value: signed.paymentHeader,
      amount: signed.amountPaidUsd,
      currency: "USD",
      network: signed.network,
      scheme: signed.scheme,
      paid_from_credit: signed.paidFromCredit,
    };
  },
});

export const listModels = defineTool({
  name: "list_models",
  title: "List models",
  description: "Lists language models with their prices in US dollars for each token and request.",
  group: "developer",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({
    query: z.string().max(200).optional().meta({ description: "Part of an id or name." }),
    ...PAGE,
  }),
  output: z.object({
    models: z.array(
      z.object({
        id: z.string(),
        context_tokens: z.int(),
        prompt_token_usd: z.string(),
        completion_token_usd: z.string(),
        request_usd: z.string(),
      }),
    ),
    ...PAGE_OUTPUT,
  }),
  document: ListModelsDocument,
  async call({ query, ...paging }, { run }) {
    const { models } = await run({ ...readPage(paging), filter: query === undefined ? null : { q: query } });
    const page = pageOfConnection(models, ({ id, contextLength, pricing }) => ({
      id,
      context_tokens: contextLength,
      prompt_token_usd: pricing.prompt,
      completion_token_usd: pricing.completion,
      request_usd: pricing.request,
    }));
    return { models: page.items, next_cursor: page.next_cursor };
  },
});

/** Bounds the completion to what fits one result. */
const MAX_COMPLETION_TOKENS = 16_000;

export const chat = defineTool({
  name: "chat",
  title: "Chat with a model",
  description: "Completes a chat with a language model and pays for it within the limits.",
  group: "developer",
  effect: "spends",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({
    model: z.string().min(1).max(200).meta({ description: "An id of list_models." }),
    messages: z
      .array(z.strictObject({ role: z.enum(["system", "user", "assistant"]), content: z.string() }))
      .min(1)
      .max(500),
    max_tokens: z.int().min(1).max(MAX_COMPLETION_TOKENS).optional(),
    temperature: z.number().min(0).max(2).optional(),
    idempotency_key: PURCHASE_KEY,
    cursor: OFFSET_CURSOR.optional(),
  }),
  output: null,
  document: ChatDocument,
  async call({ model, messages, max_tokens, temperature, idempotency_key, cursor }, { run }) {
    const completed = requireSuccess(
      (
        await run({
          input: {
            model,
            messages: messages.map(({ role, content }) => ({ role, content })),
            maxTokens: max_tokens ?? MAX_COMPLETION_TOKENS,
            temperature: temperature ?? null,
            idempotencyKey: idempotency_key,
          },
        })
      ).completeChat,
    );
    const [choice] = completed.choices;
    // A provider may exceed max_tokens. The key makes the call for the next page free.
    const { text, next_cursor } = pageOfText(choice?.message.content ?? choice?.message.refusal ?? "", cursor);
    return {
      model,
      cost: { amount: completed.costUsd, currency: "USD" },
      call_id: completed.call?.callId ?? null,
      finish_reason: choice?.finishReason ?? null,
      message: untrusted(text),
      usage: completed.usage
        ? { prompt_tokens: completed.usage.promptTokens, completion_tokens: completed.usage.completionTokens }
        : null,
      next_cursor,
    };
  },
});
