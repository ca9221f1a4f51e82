/** File routes in OpenAPI. */
import type { MeaningOf } from "./error-meanings.ts";
import { failureResponses, groupErrorsByStatus } from "./error-openapi.ts";
import type { FileRoute } from "./file-routes.ts";
import { toJsonSchema, toParameters } from "./json-schema.ts";

type Json = Record<string, unknown>;

const BYTES = { schema: { type: "string", format: "binary" } };

export function fileOperation(route: FileRoute, meaningOf: MeaningOf): Json {
  const { name, summary, description, scope, pathParameters, query, body, response } = route;
  const { schema, example } = response.json ?? {};
  return {
    operationId: name,
    summary,
    description: `${description}\n\nScope: \`${scope}\`.`,
    parameters: [...(pathParameters ? toParameters(pathParameters, "path") : []), ...toParameters(query, "query")],
    ...(body === null ? {} : { requestBody: { required: true, description: body, content: { "*/*": BYTES } } }),
    responses: {
      "200": {
        description: response.description,
        content: {
          ...Object.fromEntries(response.mediaTypes.map((type) => [type, BYTES])),
          ...(schema ? { "application/json": { schema: toJsonSchema(schema, "output"), example } } : {}),
        },
      },
      ...failureResponses({}, groupErrorsByStatus(route, meaningOf)),
    },
  };
}
