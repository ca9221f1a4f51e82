/** Credentials of a WebSocket: the token in `connection_init`, or in the headers of the upgrade request. */
import { asSession, type Viewer } from "../accounts/viewer.ts";
import type { GraphqlRequest } from "../platform/graphql/options.ts";

const TOKEN_HEADERS: readonly string[] = ["x-service-token", "x-satchel-token", "authorization"];

/**
 * Returns the token in a WebSocket's `connection_init` as a header. All other parameters are ignored, because a page of
 * another site controls them and could claim to be this site.
 */
export function readTokenHeaders(params: Record<string, unknown> = {}): Record<string, string> {
  const named = Object.entries(params).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter(
      (entry): entry is [string, string] => TOKEN_HEADERS.includes(entry[0]) && typeof entry[1] === "string",
    ),
  );
}

/**
 * Returns the request to create a context from. A token on a WebSocket is authenticated again for each operation,
 * because its rights can change while the socket is open. A session's viewer is reused: its rights are constant, and
 * the secret in the upgrade's cookie may have been rotated.
 */
export function withCurrentCredentials(
  request: GraphqlRequest<Viewer>,
): Omit<GraphqlRequest<Viewer>, "viewer"> & { viewer?: Viewer } {
  const { viewer, ...rest } = request;
  if (request.transport !== "ws" || asSession(viewer)) return request;
  return { ...rest, headers: { ...rest.headers, ...readTokenHeaders(rest.connectionParams) } };
}
