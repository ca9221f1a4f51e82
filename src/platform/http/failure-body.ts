/** What went wrong, as JSON (spec section 7); only GraphQL and OpenAI's clients are told otherwise. */
export interface ErrorBody<Code extends string = string> {
  /** For programs: never changes its meaning. */
  readonly error: Code;
  /** For people; the same twice, for OAuth's clients read the one and the contract's the other. */
  readonly error_description: string;
  readonly message: string;
}

/** Said of what nobody expected, in place of its cause. */
export const UNEXPECTED_TEXT = "Something went wrong here. Quote the request id when you report it.";

export function errorBody<Code extends string>(error: Code, text: string): ErrorBody<Code> {
  return { error, error_description: text, message: text };
}
