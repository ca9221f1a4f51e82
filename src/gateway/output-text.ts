/** The text of a response, for counting its tokens if the provider reports none. The same for whole and streamed responses. */

/** A message of a whole response, or a delta of a streamed one. */
export interface Output {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly audio?: unknown;
  readonly function_call?: unknown;
  readonly tool_calls?: unknown;
}

/** Returns the texts of a message or delta: content, refusal, reasoning, the transcript of audio, calls of tools. */
export function listTexts(output: Output | null | undefined): string[] {
  if (!output) return [];
  const { content, refusal, reasoning, reasoning_content, audio, function_call: called, tool_calls: calls } = output;
  const texts: string[] = [];
  addTexts(texts, content);
  addTexts(texts, refusal);
  addTexts(texts, reasoning ?? reasoning_content);
  addTexts(texts, (audio as { readonly transcript?: unknown } | null | undefined)?.transcript);
  addCall(texts, called);
  for (const call of Array.isArray(calls) ? (calls as readonly ToolCall[]) : []) {
    addCall(texts, call?.function);
    addCall(texts, call?.custom);
  }
  return texts;
}

type ToolCall = { readonly function?: unknown; readonly custom?: unknown } | null;

/** Adds a text, or those of the parts of which a content may consist. */
function addTexts(texts: string[], value: unknown): void {
  if (typeof value === "string") texts.push(value);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const part of value) addTexts(texts, part);
    return;
  }
  const { text, refusal, thinking } = value as Record<string, unknown>;
  addTexts(texts, text ?? refusal ?? thinking);
}

function addCall(texts: string[], called: unknown): void {
  if (typeof called !== "object" || called === null) return;
  const { name, arguments: args, input } = called as Record<string, unknown>;
  texts.push(`${name ?? ""}${args ?? input ?? ""}`);
}
