/** Routes of files on `/docs`. */
import type { MeaningOf } from "../described-codes.ts";
import { errorsByStatus } from "../error-openapi.ts";
import type { FileRoute } from "../file-routes.ts";
import { parametersOf } from "../json-schema.ts";
import type { Entry } from "./group.ts";
import { html, prose } from "./html.ts";
import { asParameter, example, failures, table } from "./tables.ts";

export function fileEntry(route: FileRoute, baseUrl: string, meaningOf: MeaningOf): Entry {
  const { name, method, path, summary, description, scope, pathParameters, query, body, answer } = route;
  const answered = answer.json ? [JSON.stringify(answer.json.example, null, 2)] : [];
  return {
    anchor: name.toLowerCase(),
    method,
    path,
    summary,
    description,
    details: [
      html`<p>${prose(`Scope \`${scope}\`. Over REST only: GraphQL carries no files.`)}</p>`,
      pathParameters ? table("In the path", parametersOf(pathParameters, "path").map(asParameter)) : null,
      table("Parameters", parametersOf(query, "query").map(asParameter)),
      body === null
        ? null
        : table("Body", [{ name: "(bytes)", type: "any media type", required: true, description: body }]),
      example(curl(route, baseUrl), ...answered),
      failures(errorsByStatus(route, meaningOf), "error"),
    ],
  };
}

function curl({ path, body }: FileRoute, baseUrl: string): string {
  const isUpload = body !== null;
  const url = `${baseUrl}${path}${isUpload ? "?filename=report.pdf&contentType=application/pdf" : ""}`;
  const token = `-H "X-Service-Token: $SATCHEL_TOKEN"`;
  return [`curl '${url}'`, token, isUpload ? "--data-binary @report.pdf" : "-OJ"].join(" \\\n  ");
}
