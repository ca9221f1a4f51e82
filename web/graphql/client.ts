/** The one GraphQL client of the pages: this site's own endpoint, signed in by its cookie. */
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
import { keepKnown } from "./keep-known.ts";

/**
 * @param options.onSignedOut is told when the service does not know who is asking
 * @param options.shownAccountId whose account the page shows: nothing is done in another's
 */
export function createGraphqlClient({
  onSignedOut,
  shownAccountId,
}: {
  readonly onSignedOut: () => void;
  readonly shownAccountId: () => string | undefined;
}) {
  const url = new URL("/graphql", location.href);
  // Reconnecting is left to whoever watches: only they know from which event to go on.
  const socket = createSocket({ url: url.href.replace(/^http/, "ws"), retryAttempts: 0, lazyCloseTimeout: 5_000 });
  return createClient({
    url: url.href,
    preferGetMethod: false,
    fetchOptions: { credentials: "same-origin" },
    exchanges: [
      mapExchange({
        onOperation: (operation) => inAccount(operation, shownAccountId()),
        onError: (error) => void (isSignedOut(error) && onSignedOut()),
      }),
      keepKnown,
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

/** What reads goes without: it is how a page finds out that somebody else signed in. */
function inAccount(operation: Operation, id: string | undefined): Operation {
  if (operation.kind !== "mutation" || id === undefined) return operation;
  const fetchOptions: RequestInit = { credentials: "same-origin", headers: { "x-satchel-account": id } };
  return makeOperation("mutation", operation, { ...operation.context, fetchOptions });
}

/** Whether the answer is that there is no valid credential. */
export function isSignedOut(error: CombinedError | undefined): boolean {
  return error?.graphQLErrors.some(({ extensions }) => extensions["code"] === "unauthorized") ?? false;
}
