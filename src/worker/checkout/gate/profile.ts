/** Format of profiles: what platforms and processors send beside the payment, by name. */
import type { Permit } from "./facts.ts";

/** Requests that a profile permits. The gate never permits by a profile what carries the card or a token, or pays. */
export interface PermittedRequest {
  readonly as: Permit;
  readonly method?: "POST" | "PUT" | "PATCH";
  /** Host; `*.` at its start matches all subdomains. Absent: the merchant's own. */
  readonly host?: string;
  /** Pattern of the path; `*` matches one segment. */
  readonly path?: string;
  /** Query parameters, such as `wc-ajax`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Name of the GraphQL operation. */
  readonly operation?: string;
}

export interface Profile {
  readonly name: string;
  /** Public documentation or source code that the profile follows. */
  readonly source: string;
  readonly permits: readonly PermittedRequest[];
  /** Names of the members that hold the idempotency value of a payment. */
  readonly idempotency?: readonly string[];
}
