/** The type of an OAuth route. Parameters come in a query, a form or JSON; responses follow RFC 6749. */
import type { z } from "zod";
import type { DataWithoutErrors, TypedDocument } from "../src/platform/graphql/typed-document.ts";

/** Parameter values by name; null if absent or empty (RFC 6749 section 3.1). */
export type ParameterValues<Name extends string> = Readonly<Record<Name, string | null>>;

export interface OAuthRequest<Name extends string> {
  readonly values: ParameterValues<Name>;
  /** Parameters of this route that occur more than once. */
  readonly repeated: readonly Name[];
  /** The `DPoP` header (RFC 9449); null if absent. */
  readonly dpop: string | null;
  /** The body of a route whose body is JSON; empty for other routes. */
  readonly text: string;
}

/** A failure of an operation, as `documents/errors.graphql` selects it. */
export interface OAuthFailure {
  readonly code: string;
  readonly message: string;
  /** The OAuth error code if `code` is `oauth_error`. */
  readonly error?: string;
  readonly retryAfterMs?: number;
}

export type OAuthResponse =
  | { readonly kind: "json"; readonly body: object; readonly status?: number }
  /** Redirects the browser, or with `isForOpener` posts the response to the window that opened this one. */
  | { readonly kind: "redirect"; readonly url: string; readonly isForOpener: boolean };

export interface OAuthRoute<Name extends string = string, Data = unknown, Variables = unknown> {
  readonly dialect: "oauth";
  readonly methods: readonly ("GET" | "POST")[];
  readonly path: `/${string}`;
  /**
   * The kind of caller. `browser`: a user's browser, which gets errors as pages. `client`: an application with its own
   * credentials. `bearer`: the bearer of an access token. `public`: any reader of public metadata.
   */
  readonly caller: "browser" | "client" | "bearer" | "public";
  readonly summary: string;
  readonly description: string;
  /** `json`: the body is a JSON document, which the operation reads. Otherwise it has parameters, as a form or JSON. */
  readonly body?: "json";
  /** Descriptions of errors that only this route has, by status. */
  readonly otherErrors?: Readonly<Record<number, string>>;
  /** The route's parameters with their descriptions. Only these are checked for repetition. */
  readonly parameters: z.ZodObject<Record<Name, z.ZodType>>;
  /** Parameters that may be repeated. Their values are joined by spaces. */
  readonly lists?: readonly NoInfer<Name>[];
  readonly document: TypedDocument<Data, Variables>;
  variables(request: OAuthRequest<Name>): Variables;
  toResponse(data: DataWithoutErrors<Data>): OAuthResponse | OAuthFailure;
  /** The success response with its status, by default 200; null for browser routes, which respond with 303. */
  readonly success: {
    readonly description: string;
    readonly schema: z.ZodType;
    readonly example: object;
    readonly status?: number;
  } | null;
}

/** Checks the types of a route's members against each other, then erases them. */
export function defineOAuthRoute<Name extends string, Data, Variables>(
  route: Omit<OAuthRoute<Name, Data, Variables>, "dialect">,
): OAuthRoute {
  return { dialect: "oauth", ...route } as unknown as OAuthRoute;
}
