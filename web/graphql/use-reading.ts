import { useCallback, useEffect } from "react";
import { type AnyVariables, type UseQueryArgs, useQuery } from "urql";
import { isSignedOut } from "./client.ts";
import type { Failure } from "./match-result.ts";
import { transportFailure } from "./use-operation.ts";

/** Result of a query that a page or a section shows. */
export interface Reading<Shown, Data = unknown> {
  /** The part of the result to show. Undefined while it is unknown. */
  readonly shown: Shown | undefined;
  /** Failure if there is nothing to show. Null if the session has ended, because the sign-in page opens then. */
  readonly failure: Failure | null;
  /** Whether a request for a newer result is in flight. */
  readonly isStale: boolean;
  /** The complete result. */
  readonly data: Data | undefined;
  again(): void;
}

/**
 * Runs a query unless it is paused. Returns a cached result at once and the new result when it arrives.
 * @param pick returns the part of the result to show, or undefined if it is missing. Other parts may have failed
 * @param version the query runs again when it changes
 */
export function useReading<Data, Variables extends AnyVariables, Shown>(
  query: UseQueryArgs<Variables, Data>,
  pick: (data: Data) => Shown | undefined,
  version = 0,
): Reading<Shown, Data> {
  const [{ data, error, fetching, stale }, refresh] = useQuery<Data, Variables>({
    requestPolicy: "cache-and-network",
    ...query,
  });
  const again = useCallback(() => refresh({ requestPolicy: "network-only" }), [refresh]);
  useEffect(() => {
    if (version > 0 && !query.pause) again();
  }, [version, query.pause, again]);
  const shown = data === undefined ? undefined : pick(data);
  const failure = error && shown === undefined && !isSignedOut(error) ? transportFailure(error) : null;
  return { shown, failure, isStale: fetching || stale, data, again };
}
