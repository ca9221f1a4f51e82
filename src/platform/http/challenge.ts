/** The `WWW-Authenticate` header (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1). */
import { DPOP_ALGORITHMS } from "../crypto/dpop-proof.ts";
import { resourceMetadataUrl, resourceOfPath } from "./resources.ts";
import type { Site } from "./site.ts";

export interface Challenge {
  /** Default: Bearer. */
  readonly scheme?: "Bearer" | "DPoP";
  /** Absent if the request had no token (RFC 6750 section 3.1). */
  readonly error?: "invalid_token" | "invalid_dpop_proof" | "insufficient_scope";
  /** All scopes that the request requires. */
  readonly scopes?: readonly string[];
}

/** @param path path of the request, which determines the resource */
export function formatChallenge(site: Site, path: string, { scheme = "Bearer", error, scopes }: Challenge): string {
  const parameters = {
    realm: "satchel",
    error,
    scope: scopes?.join(" "),
    algs: scheme === "DPoP" ? DPOP_ALGORITHMS.join(" ") : undefined,
    resource_metadata: resourceMetadataUrl(site.baseUrl(), resourceOfPath(path) ?? "/"),
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `${scheme} ${given.map(([name, value]) => `${name}="${value}"`).join(", ")}`;
}
