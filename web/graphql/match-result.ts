/** Mutation results. Every mutation returns a union of its success type and its error types. */

/** Error as shown on a page: the message alone, or below its field without the field's name. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Path of the invalid field in the input, such as `dailyLimitUsd`. */
  readonly field?: string | null | undefined;
}

type Typed = { readonly __typename: string };
export type SuccessOf<Result extends Typed | null> = Extract<Result, { __typename: `${string}Success` }>;
export type ErrorOf<Result extends Typed> = Exclude<Result, SuccessOf<Result>>;

export type Outcome<Result extends Typed> =
  | { readonly ok: true; readonly value: SuccessOf<Result> }
  | { readonly ok: false; readonly error: ErrorOf<Result> };

/** Returns the success or the error of a mutation as an `Outcome`. */
export function matchResult<Result extends Typed>(result: Result): Outcome<Result> {
  return result.__typename.endsWith("Success")
    ? { ok: true, value: result as SuccessOf<Result> }
    : { ok: false, error: result as ErrorOf<Result> };
}

/** Returns the message of a failure if it concerns `field`. Both `createApiToken.input.name` and `name` concern `name`. */
export function failureAt(failure: Failure | null, field: string): string | undefined {
  return failure && concernsField(failure, field) ? messageBelowLabel(failure) : undefined;
}

/** Returns the message as shown below a field's label: "cc must be a mail address." becomes "It must be a mail address." */
export function messageBelowLabel(failure: Failure): string {
  const [name = ""] = failure.message.split(" ", 1);
  return concernsField(failure, name) ? `It${failure.message.slice(name.length)}` : failure.message;
}

function concernsField({ field }: Failure, name: string): boolean {
  return field === name || (field?.endsWith(`.${name}`) ?? false);
}
