/** The conversion of a chat's messages to OpenAI's format. */
import { expect, it } from "vitest";
import { toOpenAiMessage } from "../../schema/gateway/chat-input-message.ts";

it.each([
  [
    { role: "system", content: "Be brief." },
    { role: "system", content: "Be brief." },
  ],
  [
    {
      role: "user",
      name: "jane",
      parts: [
        { text: "What is this?" },
        { image: { url: "https://example.com/a.png", detail: "low" } },
        { audio: { data: "AAAA", format: "wav" } },
        { file: { filename: "a.pdf", fileData: "data:application/pdf;base64,AAAA" } },
      ],
    },
    {
      role: "user",
      name: "jane",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
      ],
    },
  ],
  [
    { role: "assistant", toolCalls: [{ toolCallId: "call_1", functionName: "search", arguments: "{}" }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "call_1", type: "function", function: { name: "search", arguments: "{}" } }],
    },
  ],
  [
    { role: "tool", toolCallId: "call_1", content: "Found." },
    { role: "tool", tool_call_id: "call_1", content: "Found." },
  ],
] as const)("converts %j", (message, expected) => {
  expect(toOpenAiMessage(message as Parameters<typeof toOpenAiMessage>[0])).toEqual(expected);
});
