/** A row of the route table: which GraphQL operation a REST route runs, and how both sides translate. */
import type { DocumentNode } from "graphql";
import type { z } from "zod";
import type { ErrorCode, ErrorFieldsFragment } from "./generated/graphql.ts";

export type Parameters = z.ZodObject<Record<string, z.ZodType>>;

/** A result union's failure, as `documents/errors.graphql` selects it. */
export type Failure = { readonly __typename?: string } & Pick<ErrorFieldsFragment, "code" | "message">;

/** A document that knows what it takes and gives, as codegen writes it. */
export interface TypedDocument<Data, Variables> extends DocumentNode {
  __apiType?: (variables: Variables) => Data;
}

export type RequestLimit = "send" | "trade-quote";

interface Success {
  readonly schema: z.ZodType;
  readonly description: string;
  readonly example: object;
}

export interface Route<Query = unknown, Body = unknown, Data = unknown, Variables = unknown> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/api/${string}`;
  /** How requests and answers are written: as JSON of this service, or as whatever the target answers. */
  readonly dialect: "native" | "proxy";
  /** One line, and a paragraph, for `/docs` and `/openapi.json`. */
  readonly summary: string;
  readonly description: string;
  /** The scope a token should have; shown, not enforced by route (spec section 5). Null where no scope opens it. */
  readonly scope: string | null;
  /** Who may call: whoever holds a token of an account (the default), a login identity token and nothing else, or anybody. */
  readonly authentication?: "account" | "login_token" | "none";
  /** The body's numbers come with the text they were sent as (`usdNumber`), where a double might round them. */
  readonly exactNumbers?: boolean;
  readonly movesMoney: boolean;
  /** Its answers tell how much of a limit is left, in `RateLimit-*`. */
  readonly announcesLimit?: boolean;
  /** The limit that a request counts against before it is read, so that a malformed one counts too. */
  readonly limit?: RequestLimit;
  /** Whether a repetition with the same `Idempotency-Key` is safe though no money moves. */
  readonly takesIdempotencyKey?: boolean;
  readonly query: Parameters;
  /** The parts of the path that stand in braces, such as `{id}`; none where absent. */
  readonly pathParameters?: Parameters;
  readonly body: z.ZodType | null;
  /** A body as `/docs` shows it: JSON, with `…` for what is left out. */
  readonly bodyExample?: string;
  readonly document: TypedDocument<Data, Variables>;
  variables(input: {
    readonly query: Query;
    readonly body: Body;
    /** The path's parameters, as they stand there. */
    readonly path: Readonly<Record<string, string>>;
  }): Variables;
  /** GraphQL's name of a field → what this route calls it, for errors. */
  readonly fieldNames: Readonly<Record<string, string>>;
  /** A failure, or the body of a success. Null when there is nothing: the caller is not known. */
  answer(data: Data, variables: Variables): Failure | object | null;
  readonly success: Success;
  /** An answer that is no failure and not what was asked for either: told with 202. */
  readonly accepted?: Success & { isIt(answer: object): boolean };
  /** Failures that this route has beside those that all have. */
  readonly errors: readonly ErrorCode[];
}

/** Checks a row's types against each other, and forgets them. */
export function defineRoute<Query extends Parameters, Body extends z.ZodType | null, Data, Variables>(
  route: Omit<
    Route<z.output<Query>, Body extends z.ZodType ? z.output<Body> : null, Data, Variables>,
    "query" | "body"
  > & { readonly query: Query; readonly body: Body },
): Route {
  return route as unknown as Route;
}

/** The path as the router takes it: `/api/things/:id` for `/api/things/{id}`. */
export function routerPath({ path }: { readonly path: string }): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Whether a request's path is the route's, whatever stands where it has parameters. */
export function isPathOf({ path }: { readonly path: string }, asked: string): boolean {
  const [parts, given] = [path.split("/"), asked.split("/")];
  return parts.length === given.length && parts.every((part, at) => part.startsWith("{") || part === given[at]);
}
