/** A row of the OAuth table. Its parameters come in a query, a form or JSON, and its answers are the protocol's. */
import type { z } from "zod";
import type { TypedDocument } from "./route.ts";

/** What came, by name; null where absent or empty (RFC 6749 section 3.1). */
export type Given<Name extends string> = Readonly<Record<Name, string | null>>;

export interface OAuthRequest<Name extends string> {
  readonly given: Given<Name>;
  /** Parameters of this route that came more than once. */
  readonly repeated: readonly Name[];
}

/** An operation's refusal, as `documents/errors.graphql` selects it. */
export interface OAuthFailure {
  readonly code: string;
  readonly message: string;
  /** The protocol's own code, when `code` is `oauth_error`. */
  readonly error?: string;
  readonly retryAfterMs?: number;
}

export type OAuthAnswer =
  | { readonly kind: "json"; readonly body: object }
  | { readonly kind: "empty" }
  /** Sends the browser on; `isForOpener`: hands the answer to the window that opened this one. */
  | { readonly kind: "redirect"; readonly url: string; readonly isForOpener: boolean };

export interface OAuthRoute<Name extends string = string, Data = unknown, Variables = unknown> {
  readonly dialect: "oauth";
  readonly methods: readonly ("GET" | "POST")[];
  readonly path: `/${string}`;
  /**
   * Who calls: a person's browser (refusals are pages), an application with its own credentials, the holder of an access
   * token, or anybody who looks the service up.
   */
  readonly caller: "browser" | "client" | "bearer" | "anybody";
  readonly summary: string;
  readonly description: string;
  /** Each parameter, described; also what counts as repeated. */
  readonly parameters: z.ZodObject<Record<Name, z.ZodType>>;
  readonly document: TypedDocument<Data, Variables>;
  variables(request: OAuthRequest<Name>): Variables;
  answer(data: Data): OAuthAnswer | OAuthFailure;
  /** Null for a browser's routes, which answer 303. */
  readonly success: { readonly description: string; readonly schema: z.ZodType; readonly example: object } | null;
}

/** Checks a row's types against each other, and forgets them. */
export function defineOAuthRoute<Name extends string, Data, Variables>(
  route: Omit<OAuthRoute<Name, Data, Variables>, "dialect">,
): OAuthRoute {
  return { dialect: "oauth", ...route } as unknown as OAuthRoute;
}
