/** REST routes on `/docs`, grouped by subject. */
import type { MeaningOf } from "../error-meanings.ts";
import { groupErrorsByStatus } from "../error-openapi.ts";
import { FILE_ROUTES } from "../file-routes.ts";
import { toJsonSchema, toParameters } from "../json-schema.ts";
import { getOperationName } from "../openapi.ts";
import type { Route } from "../route.ts";
import { describeScopes } from "../route-access.ts";
import { ROUTES } from "../routes.ts";
import { fileEntry } from "./files.ts";
import type { Entry, Group } from "./group.ts";
import { html, prose } from "./html.ts";
import { asParameter, errorTable, example, members, table } from "./tables.ts";

const BY_PREFIX = [
  { id: "trading", title: "Trading", prefix: "/api/trade" },
  { id: "agent", title: "Agent and mail", prefix: "/api/agent" },
  { id: "shopping", title: "Shopping", prefix: "/api/autofill" },
] as const;
/** Assigns `/mail/…`, the only path outside of `/api`, to the mail group. */
const groupPath = (path: string) => path.replace(/^\/mail\//, "/api/agent/email/");

export function nativeGroups(baseUrl: string, meaningOf: MeaningOf): Group[] {
  const group = (id: string, title: string, belongs: (path: string) => boolean): Group => {
    const entries = [
      ...ROUTES.filter(({ path }) => belongs(path)).map((route) => entry(route, baseUrl, meaningOf)),
      ...FILE_ROUTES.filter(({ path }) => belongs(groupPath(path))).map((route) =>
        fileEntry(route, baseUrl, meaningOf),
      ),
    ];
    return { id, title, introduction: null, entries };
  };
  const hasPrefixGroup = (path: string) => BY_PREFIX.some(({ prefix }) => path.startsWith(prefix));
  return [
    group("wallet", "Wallet and payments", (path) => !hasPrefixGroup(path)),
    ...BY_PREFIX.map(({ id, title, prefix }) => group(id, title, (path) => path.startsWith(prefix))),
  ];
}

function entry(route: Route, baseUrl: string, meaningOf: MeaningOf): Entry {
  const { method, path, summary, description, pathParameters, query, body, success } = route;
  return {
    anchor: getOperationName(route).toLowerCase(),
    method,
    path,
    summary,
    description,
    details: [
      html`<p>${prose(`${describeScopes(route)}GraphQL: \`${getOperationName(route)}\`.`)}</p>`,
      pathParameters ? table("Path parameters", toParameters(pathParameters, "path").map(asParameter)) : null,
      table("Parameters", toParameters(query, "query").map(asParameter)),
      body ? table("Body", members(toJsonSchema(body, "input"))) : null,
      example(curl(route, baseUrl), JSON.stringify(success.example, null, 2)),
      errorTable(groupErrorsByStatus(route, meaningOf), "error"),
    ],
  };
}

function curl(route: Route, baseUrl: string): string {
  const query = route.path === "/api/x402/fetch" ? "?url=https://merchant.example/report" : "";
  const lines = [`curl${route.method === "GET" ? "" : ` -X ${route.method}`} '${baseUrl}${route.path}${query}'`];
  const isLogin = route.authentication === "login_token";
  const isPublic = route.authentication === "none";
  if (!isPublic)
    lines.push(isLogin ? `-H "Authorization: Bearer $LOGIN_TOKEN"` : `-H "X-Service-Token: $SATCHEL_TOKEN"`);
  if (route.bodyExample) lines.push("-H 'Content-Type: application/json'", `-d '${route.bodyExample}'`);
  return lines.join(" \\\n  ");
}
