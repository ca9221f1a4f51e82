/** The text of a response, for counting its tokens if the provider reports none. The same for whole and streamed responses. */

/** A message of a whole response, or a delta of a streamed one. */
export interface Output {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?:
    | readonly { readonly function?: { readonly arguments?: unknown; readonly name?: unknown } }[]
    | null;
}

/** Returns the texts of a message or delta: content, refusal, reasoning, tool calls. */
export function listTexts(output: Output | null | undefined): string[] {
  if (!output) return [];
  const texts = [output.content, output.refusal, output.reasoning ?? output.reasoning_content];
  const calls = Array.isArray(output.tool_calls) ? output.tool_calls : [];
  return [
    ...texts.filter((text) => typeof text === "string"),
    ...calls.map(({ function: called }) => `${called?.name ?? ""}${called?.arguments ?? ""}`),
  ];
}
