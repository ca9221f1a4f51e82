/** Requests in the shapes that the SDKs of JavaScript, Python and Go send. */

/** Headers of each SDK, apart from those of the connection. */
export const CLIENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  javascript: {
    "user-agent": "OpenAI/JS 7.57.0",
    "x-stainless-lang": "js",
    "x-stainless-retry-count": "0",
    "x-stainless-timeout": "600",
    accept: "application/json",
  },
  python: {
    "user-agent": "OpenAI/Python 3.9.0",
    "x-stainless-lang": "python",
    "x-stainless-async": "false",
    "x-stainless-raw-response": "false",
    "accept-encoding": "gzip, deflate, br, zstd",
  },
  go: { "user-agent": "OpenAI/Go 4.2.0", "x-stainless-lang": "go", "openai-beta": "", accept: "application/json" },
};

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const user = (content: unknown) => ({ role: "user", content });
const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const weather = {
  type: "function",
  function: { name: "get_weather", description: "Weather.", parameters: city, strict: true },
};
const called = { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Riverside"}' } };

/** Bodies apart from `model` and `stream`. */
export const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: { messages: [{ role: "system", content: "Be brief." }, user("Say hello.")], max_tokens: 500 },
  developer: {
    messages: [{ role: "developer", content: "Be brief." }, user("Say hello.")],
    max_completion_tokens: 500,
  },
  "null members": {
    ...{ messages: [{ ...user("Say hello."), name: null }], max_tokens: 500, max_completion_tokens: null },
    ...{ temperature: null, top_p: null, n: null, stop: null, tools: null, tool_choice: null, response_format: null },
    ...{ logprobs: null, seed: null, user: null, service_tier: null, stream_options: null, functions: null },
  },
  tools: {
    messages: [
      user("What is the weather?"),
      { role: "assistant", tool_calls: [called] },
      { role: "tool", tool_call_id: "call_1", content: "9" },
    ],
    ...{ tools: [weather], tool_choice: "auto", parallel_tool_calls: false, max_tokens: 500 },
  },
  "tools with null": {
    messages: [
      user("And now?"),
      { role: "assistant", content: null, refusal: null, audio: null, function_call: null, tool_calls: [called] },
      { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "9" }] },
    ],
    ...{ tools: [weather], tool_choice: { type: "function", function: { name: "get_weather" } }, max_tokens: 500 },
  },
  functions: {
    messages: [
      user("Call it."),
      { role: "assistant", function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "" },
    ],
    ...{ functions: [{ name: "f", parameters: city }], function_call: "none", max_tokens: 500 },
  },
  vision: {
    messages: [
      user([
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: PIXEL, detail: "low" } },
      ]),
    ],
    max_tokens: 500,
  },
  audio: {
    messages: [user([{ type: "input_audio", input_audio: { data: "UklGRiQAAABXQVZF", format: "wav" } }])],
    ...{ modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" }, max_tokens: 500 },
  },
  structured: {
    messages: [user("Say hello.")],
    response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema: city } },
    max_tokens: 500,
  },
  choices: { messages: [user("Say hello.")], n: 2, temperature: 1, max_tokens: 500 },
  logprobs: {
    messages: [user("Say hello.")],
    logprobs: true,
    top_logprobs: 3,
    logit_bias: { "50256": -100 },
    max_tokens: 500,
  },
  refusal: {
    messages: [user("Why?"), { role: "assistant", refusal: "No." }, user("Why not?")],
    ...{ store: false, metadata: { turn: "2" }, prediction: { type: "content", content: "Because." }, max_tokens: 500 },
  },
};
