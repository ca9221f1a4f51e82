import { useCallback, useState } from "react";
import { type CombinedError, type OperationContext, type TypedDocumentNode, useClient } from "urql";
import { type ErrorOf, type Failure, matchResult, type SuccessOf } from "./match-result.ts";

type Mutated = Record<string, unknown>;
type ResultOf<Data extends Mutated> = Extract<NonNullable<Data[keyof Data]>, { __typename: string }>;

/** `value` is null exactly when it failed; `error` is the operation's own error, or what kept it from being asked. */
export type Ran<Data extends Mutated> =
  | { readonly value: SuccessOf<ResultOf<Data>>; readonly error: null }
  | { readonly value: null; readonly error: ErrorOf<ResultOf<Data>> | Failure };

export interface Operation<Data extends Mutated, Variables> {
  readonly isRunning: boolean;
  /** Of the last run. */
  readonly failure: Failure | null;
  run(variables: Variables, context?: Partial<OperationContext>): Promise<Ran<Data>>;
  /** Forgets the last failure. */
  clear(): void;
}

/** A mutation with one root field, its failure held as state for a form to show. */
export function useOperation<Data extends Mutated, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
): Operation<Data, Variables> {
  const client = useClient();
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = useCallback(
    async (variables: Variables, context?: Partial<OperationContext>): Promise<Ran<Data>> => {
      setIsRunning(true);
      setFailure(null);
      const { data, error } = await client.mutation(document, variables, context).toPromise();
      setIsRunning(false);
      const result = Object.values(data ?? {}).find(isResult) as ResultOf<Data> | undefined;
      if (!result) return refused(error?.networkError ? UNANSWERED : transportFailure(error));
      const outcome = matchResult(result);
      return outcome.ok ? { value: outcome.value, error: null } : refused(outcome.error);

      function refused(refusal: ErrorOf<ResultOf<Data>> | Failure): Ran<Data> {
        setFailure(refusal as Failure);
        return { value: null, error: refusal };
      }
    },
    [client, document],
  );
  const clear = useCallback(() => setFailure(null), []);
  return { isRunning, failure, run, clear };
}

function isResult(value: unknown): boolean {
  return typeof value === "object" && value !== null && "__typename" in value;
}

/** Of a mutation: it may have arrived, and been done. */
const UNANSWERED: Failure = {
  code: "unreachable",
  message: "No answer came back from Satchel. Check your connection, and whether it was done, before you try again.",
};

/** A failure of a request that only reads, in the words of the pages. */
export function transportFailure(error: CombinedError | undefined): Failure {
  if (error?.networkError) {
    return {
      code: "unreachable",
      message: "No answer came back from Satchel. Check your connection, and try again.",
    };
  }
  const [first] = error?.graphQLErrors ?? [];
  const code = first?.extensions["code"];
  return {
    code: typeof code === "string" ? code : "internal_error",
    message: first?.message ?? "Satchel gave no answer. Try again in a moment.",
  };
}
