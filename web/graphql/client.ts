/** GraphQL client of the pages. It uses the endpoint of this site and authenticates with the session cookie. */
import { createClient as createSocket, type Sink } from "graphql-ws";
import {
  type CombinedError,
  cacheExchange,
  createClient,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
  subscriptionExchange,
} from "urql";
import { staleIfErrorExchange } from "./stale-if-error.ts";

/**
 * @param options.onSignedOut called when the service responds that the session is missing or invalid
 * @param options.shownAccountId returns the id of the account shown. The service rejects mutations if another is signed in
 */
export function createGraphqlClient({
  onSignedOut,
  shownAccountId,
}: {
  readonly onSignedOut: () => void;
  readonly shownAccountId: () => string | undefined;
}) {
  const url = new URL("/graphql", location.href);
  // Subscribers reconnect themselves, because only they know the cursor of their last event.
  const socket = createSocket({ url: url.href.replace(/^http/, "ws"), retryAttempts: 0, lazyCloseTimeout: 5_000 });
  return createClient({
    url: url.href,
    preferGetMethod: false,
    fetchOptions: { credentials: "same-origin" },
    exchanges: [
      mapExchange({
        onOperation: (operation) => addShownAccount(operation, shownAccountId()),
        onError: (error) => void (isSignedOut(error) && onSignedOut()),
      }),
      staleIfErrorExchange,
      cacheExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = "", variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe({ query, variables: variables as Record<string, unknown> }, sink as Sink),
          }),
        }),
      }),
      fetchExchange,
    ],
  });
}

/** Adds the id of the account shown to mutations. Queries go without it, because pages detect an account change by them. */
function addShownAccount(operation: Operation, id: string | undefined): Operation {
  if (operation.kind !== "mutation" || id === undefined) return operation;
  const fetchOptions: RequestInit = { credentials: "same-origin", headers: { "x-satchel-account": id } };
  return makeOperation("mutation", operation, { ...operation.context, fetchOptions });
}

/** Returns whether the error is `unauthorized`: the session is missing or invalid. */
export function isSignedOut(error: CombinedError | undefined): boolean {
  return error?.graphQLErrors.some(({ extensions }) => extensions["code"] === "unauthorized") ?? false;
}
