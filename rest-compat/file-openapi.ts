/** Routes of files as OpenAPI describes them. */
import type { MeaningOf } from "./described-codes.ts";
import { errorsByStatus, failureResponses } from "./error-openapi.ts";
import type { FileRoute } from "./file-routes.ts";
import { jsonSchema, parametersOf } from "./json-schema.ts";

type Json = Record<string, unknown>;

const BYTES = { schema: { type: "string", format: "binary" } };

export function fileOperation(route: FileRoute, meaningOf: MeaningOf): Json {
  const { name, summary, description, scope, pathParameters, query, body, answer } = route;
  const { schema, example } = answer.json ?? {};
  return {
    operationId: name,
    summary,
    description: `${description}\n\nScope: \`${scope}\`.`,
    parameters: [...(pathParameters ? parametersOf(pathParameters, "path") : []), ...parametersOf(query, "query")],
    ...(body === null ? {} : { requestBody: { required: true, description: body, content: { "*/*": BYTES } } }),
    responses: {
      "200": {
        description: answer.description,
        content: {
          ...Object.fromEntries(answer.mediaTypes.map((type) => [type, BYTES])),
          ...(schema ? { "application/json": { schema: jsonSchema(schema, "output"), example } } : {}),
        },
      },
      ...failureResponses({}, errorsByStatus(route, meaningOf)),
    },
  };
}
