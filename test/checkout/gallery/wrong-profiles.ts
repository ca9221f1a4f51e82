/** Profiles that name the wrong requests: none may lead to a second payment. */
import type { Permit } from "../../../src/worker/checkout/gate/facts.ts";
import type { PermittedRequest, Profile } from "../../../src/worker/checkout/gate/profile.ts";
import { PROFILES } from "../../../src/worker/checkout/profiles/all.ts";

const PERMITS: readonly Permit[] = ["poll", "tracker", "three_d_secure", "completion"];

function wrongProfile(
  name: string,
  permits: readonly PermittedRequest[],
  idempotency: readonly string[] = [],
): Profile {
  return { name, source: "https://example.com", permits, idempotency };
}

/** - `none`: no profile. - `swapped`: each permits as what another did. - `mutated`: all permit every request. */
export const WRONG_PROFILES: Readonly<Record<"none" | "swapped" | "mutated", readonly Profile[]>> = {
  none: [],
  swapped: PROFILES.map((profile, index) => {
    const other = PROFILES[(index + 1) % PROFILES.length] ?? profile;
    const permits = profile.permits.map((permitted, at): PermittedRequest => {
      return { ...permitted, as: PERMITS[(PERMITS.indexOf(permitted.as) + at + 1) % PERMITS.length] ?? "poll" };
    });
    return wrongProfile(profile.name, permits, other.idempotency);
  }),
  mutated: [
    wrongProfile(
      "everything",
      PERMITS.flatMap((as) => (["POST", "PUT", "PATCH"] as const).map((method) => ({ as, method }))),
      ["email", "payment_token", "sourceId", "attempt", "locationId"],
    ),
  ],
};
