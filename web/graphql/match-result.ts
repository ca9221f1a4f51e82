/** Failures as data: every mutation answers a union of its success and of errors. */

/** What a page shows of an error: its message stands as it is. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** The place in the input, such as `dailyLimitUsd`. */
  readonly field?: string | null | undefined;
}

type Typed = { readonly __typename: string };
export type SuccessOf<Result extends Typed> = Extract<Result, { __typename: `${string}Success` }>;
export type ErrorOf<Result extends Typed> = Exclude<Result, SuccessOf<Result>>;

export type Outcome<Result extends Typed> =
  | { readonly ok: true; readonly value: SuccessOf<Result> }
  | { readonly ok: false; readonly error: ErrorOf<Result> };

/** Tells an operation's success from its errors. */
export function matchResult<Result extends Typed>(result: Result): Outcome<Result> {
  return result.__typename.endsWith("Success")
    ? { ok: true, value: result as SuccessOf<Result> }
    : { ok: false, error: result as ErrorOf<Result> };
}

/** The message of a failure at one field of a form: `createApiToken.input.name` and `name` both are at `name`. */
export function failureAt(failure: Failure | null, field: string): string | undefined {
  const place = failure?.field;
  return place === field || place?.endsWith(`.${field}`) ? failure?.message : undefined;
}
