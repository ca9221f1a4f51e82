/** Who calls over a WebSocket: the token in its `connection_init`, or in the headers of its upgrade. */
import { sessionOf, type Viewer } from "../accounts/viewer.ts";
import type { GraphqlRequest } from "../platform/graphql/options.ts";

const TOKEN_HEADERS: readonly string[] = ["x-service-token", "x-satchel-token", "authorization"];

/**
 * The token in a WebSocket's `connection_init`, as a header would carry it. Nothing else in there counts: a page of another
 * site writes what it likes, and must not say of itself that it is this one.
 */
export function tokenHeadersOf(params: Record<string, unknown> = {}): Record<string, string> {
  const named = Object.entries(params).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(
    named.filter(
      (entry): entry is [string, string] => TOKEN_HEADERS.includes(entry[0]) && typeof entry[1] === "string",
    ),
  );
}

/**
 * The request as its context is made from it. A WebSocket's caller is looked up for each operation: what a token may do
 * can be narrowed while it is open. A session may always do everything, and its secret in the upgrade's cookie is replaced meanwhile.
 */
export function asAskedNow(
  request: GraphqlRequest<Viewer>,
): Omit<GraphqlRequest<Viewer>, "viewer"> & { viewer?: Viewer } {
  const { viewer, ...asked } = request;
  if (request.transport !== "ws" || sessionOf(viewer)) return request;
  return { ...asked, headers: { ...asked.headers, ...tokenHeadersOf(asked.connectionParams) } };
}
