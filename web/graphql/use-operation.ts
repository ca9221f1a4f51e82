import { useCallback, useState } from "react";
import { type CombinedError, type OperationContext, type TypedDocumentNode, useClient } from "urql";
import { type ErrorOf, type Failure, matchResult, type SuccessOf } from "./match-result.ts";

type MutationData = Record<string, unknown>;
type ResultOf<Data extends MutationData> = Extract<NonNullable<Data[keyof Data]>, { __typename: string }>;

/** Outcome of a run. `value` is null only after a failure. `error` is the mutation's error or a transport failure. */
export type RunOutcome<Data extends MutationData> =
  | { readonly value: SuccessOf<ResultOf<Data>>; readonly error: null }
  | { readonly value: null; readonly error: ErrorOf<ResultOf<Data>> | Failure };

export interface Operation<Data extends MutationData, Variables> {
  readonly isRunning: boolean;
  /** Failure of the last run. */
  readonly failure: Failure | null;
  run(variables: Variables, context?: Partial<OperationContext>): Promise<RunOutcome<Data>>;
  /** Clears the last failure. */
  clear(): void;
}

/** Runs a mutation with one root field. Its failure is state, for a form to show. */
export function useOperation<Data extends MutationData, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
): Operation<Data, Variables> {
  const client = useClient();
  const [isRunning, setIsRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = useCallback(
    async (variables: Variables, context?: Partial<OperationContext>): Promise<RunOutcome<Data>> => {
      setIsRunning(true);
      setFailure(null);
      const { data, error } = await client.mutation(document, variables, context).toPromise();
      setIsRunning(false);
      const result = Object.values(data ?? {}).find(isResult) as ResultOf<Data> | undefined;
      if (!result) return recordFailure(error?.networkError ? NO_RESPONSE : transportFailure(error));
      const outcome = matchResult(result);
      return outcome.ok ? { value: outcome.value, error: null } : recordFailure(outcome.error);

      function recordFailure(reason: ErrorOf<ResultOf<Data>> | Failure): RunOutcome<Data> {
        setFailure(reason as Failure);
        return { value: null, error: reason };
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

/** Failure of a mutation without a response. The service may have executed it. */
const NO_RESPONSE: Failure = {
  code: "UNREACHABLE",
  message:
    "Satchel did not respond. The change may have been made. Check your connection and the current state before you retry.",
};

/** Converts the error of a query into a failure for the page. */
export function transportFailure(error: CombinedError | undefined): Failure {
  if (error?.networkError) {
    return {
      code: "UNREACHABLE",
      message: "Satchel did not respond. Check your connection and retry.",
    };
  }
  const [first] = error?.graphQLErrors ?? [];
  const code = first?.extensions["code"];
  return {
    code: typeof code === "string" ? code.toUpperCase() : "INTERNAL_ERROR",
    message: first?.message ?? "Satchel returned no result. Retry in a moment.",
  };
}
