/** A row of the OpenAI table: what is said of a route of the gateway, in OpenAPI and on `/docs`. */
import type { z } from "zod";
import type { ErrorCode } from "./generated/graphql.ts";

export interface OpenAiRoute {
  readonly method: "GET" | "POST";
  readonly path: `/v1/${string}`;
  /** What OpenAI calls the operation. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly movesMoney: boolean;
  /** What the path holds. */
  readonly parameters: z.ZodObject;
  readonly body: { readonly schema: z.ZodType; readonly example: object } | null;
  readonly success: { readonly description: string; readonly schema: z.ZodType; readonly example: object };
  /** The answer to `stream: true`: the data of its events. Null where nothing is streamed. */
  readonly stream: { readonly description: string; readonly example: readonly object[] } | null;
  /** Every failure, by this service's codes. */
  readonly errors: readonly ErrorCode[];
}
