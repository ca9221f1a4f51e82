/** Failures as data: every mutation answers a union of its success and of errors. */

/** What a page shows of an error: its message as it is, or at its field without the field's name. */
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

/** What a failure says at one field of a form: `createApiToken.input.name` and `name` both are at `name`. */
export function failureAt(failure: Failure | null, field: string): string | undefined {
  return failure && isAt(failure, field) ? underLabel(failure) : undefined;
}

/** The message as it stands under its field's label: "cc must be a mail address." is "It must be a mail address." there. */
export function underLabel(failure: Failure): string {
  const [name = ""] = failure.message.split(" ", 1);
  return isAt(failure, name) ? `It${failure.message.slice(name.length)}` : failure.message;
}

function isAt({ field }: Failure, name: string): boolean {
  return field === name || (field?.endsWith(`.${name}`) ?? false);
}
