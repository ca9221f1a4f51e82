/** Responses to one call in the shapes of other servers, written from their documentation, and what the call costs in each shape. */

/** Prices in micro-USD per token. All differ, so that a token in the wrong class changes the cost. */
const PRICE = { fresh: 10, cacheRead: 1, cacheWrite: 13, output: 40 } as const;

/** `PRICE` in the provider configuration. */
export const CONFIGURED = {
  promptUsdPerToken: "0.00001",
  completionUsdPerToken: "0.00004",
  cacheReadUsdPerToken: "0.000001",
  cacheWriteUsdPerToken: "0.000013",
} as const;

// The call has 190 tokens of input: 60 are read from the cache, and 30 are written to it. Its output is 20 of text and 50 of reasoning.
const INPUT = 190;
const CACHED = 60;
const WRITTEN = 30;
const TEXT = 20;
const REASONING = 50;
const OUTPUT = TEXT + REASONING;
const TOTAL = INPUT + OUTPUT;
const costOf = (cached: number, written: number) =>
  BigInt(
    (INPUT - cached - written) * PRICE.fresh +
      cached * PRICE.cacheRead +
      written * PRICE.cacheWrite +
      OUTPUT * PRICE.output,
  );

type Json = Record<string, unknown>;

export interface Dialect {
  readonly name: string;
  /** Members of the provider configuration. */
  readonly configuration?: Json;
  readonly costMicroUsd: bigint;
  /** The body of the whole response, and the stream. */
  whole(texts: readonly string[]): string;
  stream(texts: readonly string[]): string;
}

const HEAD = { id: "chatcmpl-1", created: 1_790_000_000, model: "upstream-model" };
const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const DONE = "data: [DONE]\n\n";

interface Shape {
  /** `usage`, whole and in the chunk after the last choice. */
  readonly usage: Json;
  /** Other members of the whole response and of each chunk. */
  readonly head?: Json;
  readonly choice?: Json;
  readonly message?: (text: string) => Json;
  /** Text before the first chunk, and between chunks. */
  readonly before?: string;
  readonly between?: string;
  /** Members of a chunk with text, by its index. */
  readonly chunk?: (index: number) => Json;
  /** Members of the chunk with the finish reason. */
  readonly finish?: Json;
  /** Whether a chunk without choices states the usage; true by default. */
  readonly hasUsageChunk?: boolean;
}

function createShape(name: string, costMicroUsd: bigint, shape: Shape, configuration: Json = {}): Dialect {
  const { head = {}, choice = {}, message = (content) => ({ content }), between = "" } = shape;
  const chunk = (choices: object[], more: Json = {}) =>
    event({ ...HEAD, object: "chat.completion.chunk", ...head, choices, ...more }) + between;
  return {
    ...{ name, costMicroUsd, configuration },
    whole(texts) {
      const choices = texts.map((text, index) => ({
        ...{ index, message: { role: "assistant", ...message(text) }, finish_reason: "stop", ...choice },
      }));
      return JSON.stringify({ ...HEAD, object: "chat.completion", ...head, choices, usage: shape.usage });
    },
    stream(texts) {
      const pieces = texts.flatMap((text, index) =>
        text.split(/(?<= )/).map((piece) => ({ index, delta: message(piece), finish_reason: null, ...choice })),
      );
      const ends = texts.map((_, index) => ({ index, delta: {}, finish_reason: "stop", ...choice }));
      return [
        shape.before ?? "",
        ...pieces.map((piece, index) => chunk([piece], shape.chunk?.(index))),
        ...ends.map((end) => chunk([end], shape.finish)),
        shape.hasUsageChunk === false ? "" : chunk([], { usage: shape.usage }),
        DONE,
      ].join("");
    },
  };
}

const openAiUsage = {
  ...{ prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: TOTAL },
  prompt_tokens_details: { cached_tokens: CACHED, cache_write_tokens: WRITTEN, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: REASONING, audio_tokens: 0, accepted_prediction_tokens: 0 },
};
const plainUsage = { prompt_tokens: INPUT, completion_tokens: OUTPUT, total_tokens: TOTAL };
const filters = { hate: { filtered: false, severity: "safe" } };
const mistralUsage = { ...plainUsage, prompt_audio_seconds: null, num_cached_tokens: CACHED };
const groqUsage = {
  ...plainUsage,
  prompt_tokens_details: { cached_tokens: CACHED },
  queue_time: 0.01,
  total_time: 0.2,
};
const xaiUsage = {
  ...{ prompt_tokens: INPUT, completion_tokens: TEXT, total_tokens: TOTAL, num_sources_used: 0 },
  prompt_tokens_details: { text_tokens: INPUT, audio_tokens: 0, image_tokens: 0, cached_tokens: CACHED },
  completion_tokens_details: { reasoning_tokens: REASONING, audio_tokens: 0 },
};

export const DIALECTS: readonly Dialect[] = [
  createShape("openai", costOf(CACHED, WRITTEN), {
    ...{ usage: openAiUsage, head: { service_tier: "default", system_fingerprint: "fp_1" } },
    ...{ chunk: () => ({ usage: null }), finish: { usage: null } },
  }),
  createShape("azure", costOf(CACHED, WRITTEN), {
    ...{ usage: openAiUsage, choice: { content_filter_results: filters } },
    before: event({ choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }] }),
  }),
  createShape("xai", costOf(CACHED, 0), { usage: xaiUsage }),
  createShape(
    "xai-ticks",
    2_471n,
    { usage: { ...xaiUsage, cost_in_usd_ticks: 24_710_000 } },
    { costUnit: "usd_ticks" },
  ),
  createShape("gemini", costOf(0, 0), {
    usage: { prompt_tokens: INPUT, completion_tokens: TEXT, total_tokens: TOTAL },
    ...{
      hasUsageChunk: false,
      finish: { usage: { prompt_tokens: INPUT, completion_tokens: TEXT, total_tokens: TOTAL } },
    },
  }),
  createShape("vllm", costOf(CACHED, 0), {
    usage: { ...plainUsage, prompt_tokens_details: { cached_tokens: CACHED } },
    message: (content) => ({ content, reasoning: null, tool_calls: [] }),
    chunk: (index) => ({ usage: { prompt_tokens: INPUT, completion_tokens: index, total_tokens: INPUT + index } }),
  }),
  createShape("ollama", costOf(0, 0), { usage: plainUsage, head: { system_fingerprint: "fp_ollama" } }),
  createShape(
    "openrouter",
    4_321n,
    {
      usage: { ...plainUsage, cost: 0.004321, is_byok: false, cost_details: { upstream_inference_cost: null } },
      head: { provider: "Upstream" },
      ...{ before: ": OPENROUTER PROCESSING\n\n", between: ": OPENROUTER PROCESSING\n\n" },
    },
    { costUnit: "usd" },
  ),
  createShape("deepseek", costOf(CACHED, 0), {
    usage: { ...plainUsage, prompt_cache_hit_tokens: CACHED, prompt_cache_miss_tokens: INPUT - CACHED },
    message: (content) => ({ content, reasoning_content: null }),
    ...{ before: "\n\n: keep-alive\n\n", between: ": keep-alive\n\n" },
  }),
  createShape("mistral", costOf(CACHED, 0), {
    ...{ usage: mistralUsage, hasUsageChunk: false, finish: { usage: mistralUsage } },
    message: (text) => ({ content: [{ type: "text", text }] }),
  }),
  createShape("groq", costOf(CACHED, 0), {
    ...{ usage: groqUsage, head: { service_tier: "on_demand" }, hasUsageChunk: false },
    ...{ chunk: () => ({ x_groq: { id: "req_1" } }), finish: { x_groq: { id: "req_1", usage: groqUsage } } },
  }),
  createShape("anthropic", costOf(CACHED, WRITTEN), {
    usage: {
      ...{ input_tokens: INPUT - CACHED - WRITTEN, output_tokens: OUTPUT },
      ...{ cache_read_input_tokens: CACHED, cache_creation_input_tokens: WRITTEN },
    },
  }),
];
