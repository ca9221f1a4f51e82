/** The type of an OpenAI route: the documentation of a gateway route in OpenAPI and on `/docs`. */
import type { z } from "zod";
import type { ErrorCode } from "./generated/graphql.ts";

export interface OpenAiRoute {
  readonly method: "GET" | "POST";
  readonly path: `/v1/${string}`;
  /** OpenAI's name of the operation. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly movesMoney: boolean;
  /** Path parameters. */
  readonly parameters: z.ZodObject;
  readonly body: { readonly schema: z.ZodType; readonly example: object } | null;
  readonly success: { readonly description: string; readonly schema: z.ZodType; readonly example: object };
  /** The response to `stream: true` and the data of its events; null if the route does not stream. */
  readonly stream: { readonly description: string; readonly example: readonly object[] } | null;
  /** All error codes of the route, in Satchel's form. */
  readonly errors: readonly ErrorCode[];
}
