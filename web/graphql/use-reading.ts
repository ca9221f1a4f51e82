import { useCallback, useEffect } from "react";
import { type AnyVariables, type UseQueryArgs, useQuery } from "urql";
import { isSignedOut } from "./client.ts";
import type { Failure } from "./match-result.ts";
import { transportFailure } from "./use-operation.ts";

/** What a page, or a part of one, reads in order to show it. */
export interface Reading<Shown, Data = unknown> {
  /** Undefined while it is not known. */
  readonly shown: Shown | undefined;
  /** Why there is nothing to show; null for who is signed out, as they are led to sign in. */
  readonly failure: Failure | null;
  /** Whether what is shown is being asked for anew. */
  readonly isStale: boolean;
  /** The whole answer. */
  readonly data: Data | undefined;
  again(): void;
}

/**
 * Asks for something to show: what is known at once, what is new as soon as it comes.
 * @param pick what of the answer is shown, undefined where it is not there; a part of the rest may have failed
 * @param version asked for again whenever it changes
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
    if (version > 0) again();
  }, [version, again]);
  const shown = data === undefined ? undefined : pick(data);
  const failure = error && shown === undefined && !isSignedOut(error) ? transportFailure(error) : null;
  return { shown, failure, isStale: fetching || stale, data, again };
}
