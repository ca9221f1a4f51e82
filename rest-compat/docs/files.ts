/** File routes on `/docs`. */
import type { MeaningOf } from "../error-meanings.ts";
import { groupErrorsByStatus } from "../error-openapi.ts";
import type { FileRoute } from "../file-routes.ts";
import { toParameters } from "../json-schema.ts";
import type { Entry } from "./group.ts";
import { html, prose } from "./html.ts";
import { asParameter, errorTable, example, table } from "./tables.ts";

export function fileEntry(route: FileRoute, baseUrl: string, meaningOf: MeaningOf): Entry {
  const { name, method, path, summary, description, scope, pathParameters, query, body, response } = route;
  const examples = response.json ? [JSON.stringify(response.json.example, null, 2)] : [];
  return {
    anchor: name.toLowerCase(),
    method,
    path,
    summary,
    description,
    details: [
      html`<p>${prose(`Scope: \`${scope}\`. REST only: GraphQL does not transfer files.`)}</p>`,
      pathParameters ? table("Path parameters", toParameters(pathParameters, "path").map(asParameter)) : null,
      table("Parameters", toParameters(query, "query").map(asParameter)),
      body === null
        ? null
        : table("Body", [{ name: "(bytes)", type: "any media type", required: true, description: body }]),
      example(curl(route, baseUrl), ...examples),
      errorTable(groupErrorsByStatus(route, meaningOf), "error"),
    ],
  };
}

function curl({ path, body }: FileRoute, baseUrl: string): string {
  const isUpload = body !== null;
  const url = `${baseUrl}${path}${isUpload ? "?filename=report.pdf&contentType=application/pdf" : ""}`;
  const token = `-H "X-Service-Token: $SATCHEL_TOKEN"`;
  return [`curl '${url}'`, token, isUpload ? "--data-binary @report.pdf" : "-OJ"].join(" \\\n  ");
}
