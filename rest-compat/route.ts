/** The type of a REST route: its GraphQL operation, and the conversion of requests and responses. */
import type { z } from "zod";
import type { DataWithoutErrors, TypedDocument } from "../src/platform/graphql/typed-document.ts";
import type { ErrorCode, ErrorFieldsFragment } from "./generated/graphql.ts";

export type Parameters = z.ZodObject<Record<string, z.ZodType>>;

/** A failure of a result union, as `documents/errors.graphql` selects it. */
export type Failure = { readonly __typename?: string } & Pick<ErrorFieldsFragment, "code" | "message">;

export type RequestLimit = "send" | "trade-quote";

interface Success {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly example: object;
}

export interface Route<Query = unknown, Body = unknown, Data = unknown, Variables = unknown> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/api/${string}`;
  /** The format of requests and responses: Satchel's own JSON, or the target's response unchanged. */
  readonly dialect: "native" | "proxy";
  /** One line for `/docs` and `/openapi.json`; `description` is a paragraph. */
  readonly summary: string;
  readonly description: string;
  /** The accepted credential: an account's token (default), only a login identity token, or none. */
  readonly authentication?: "account" | "login_token" | "none";
  /** Whether the body's numbers are parsed with their source text (`usdNumber`), where a double might round them. */
  readonly hasExactNumbers?: boolean;
  readonly movesMoney: boolean;
  /** Whether responses have `RateLimit-*` headers. */
  readonly announcesLimit?: boolean;
  /** The rate limit that a request counts against before its body is read; a malformed request therefore counts too. */
  readonly limit?: RequestLimit;
  /** Whether the route accepts an `Idempotency-Key` although no money moves. */
  readonly acceptsIdempotencyKey?: boolean;
  readonly query: Parameters;
  /** Path parameters, written in braces such as `{id}`; absent if the path has none. */
  readonly pathParameters?: Parameters;
  readonly body: z.ZodType | null;
  /** An example body for `/docs`: JSON, with `…` for omitted parts. */
  readonly bodyExample?: string;
  readonly document: TypedDocument<Data, Variables>;
  variables(input: {
    readonly query: Query;
    readonly body: Body;
    /** Path parameters as sent. */
    readonly path: Readonly<Record<string, string>>;
  }): Variables;
  /** REST names of fields by GraphQL name, for error messages. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** Returns a failure, or the body of a successful response. Null if the caller is not authenticated. */
  toResponse(data: DataWithoutErrors<Data>, variables: Variables): Failure | object | null;
  /** The body of a 200 response to an unexpected error, where the contract prescribes one. The error is logged. */
  readonly responseToFailure?: object;
  readonly success: Success;
  /** The 202 response: neither a failure nor the final result. */
  readonly accepted?: Success & { matches(body: object): boolean };
  /** Error codes of this route in addition to `COMMON_ERRORS`. */
  readonly errors: readonly ErrorCode[];
}

/** Checks the types of a route's members against each other, then erases them. */
export function defineRoute<Query extends Parameters, Body extends z.ZodType | null, Data, Variables>(
  route: Omit<
    Route<z.output<Query>, Body extends z.ZodType ? z.output<Body> : null, Data, Variables>,
    "query" | "body"
  > & { readonly query: Query; readonly body: Body },
): Route {
  return route as unknown as Route;
}

/** Returns the path in the router's syntax: `/api/things/:id` for `/api/things/{id}`. */
export function routerPath({ path }: { readonly path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns true if a request path matches the route's path, with any value for its parameters. */
export function matchesPath({ path }: { readonly path: string }, requestPath: string): boolean {
  const [parts, requestParts] = [path.split("/"), requestPath.split("/")];
  return (
    parts.length === requestParts.length && parts.every((part, at) => part.startsWith("{") || part === requestParts[at])
  );
}
