/** Which store the person means. */
import type { FulfillmentOption, PickupLocation } from "./fulfillment.ts";

/** One of the two at least. */
export interface PickupRequest {
  /** The branch in the person's words. */
  readonly name: string | null;
  /** Its id; goes before the name, and is compared exactly. */
  readonly locationId: string | null;
}

export interface PickupResolution {
  readonly status: "resolved" | "ambiguous" | "not_found" | "unavailable" | "not_requested";
  readonly requested: string | null;
  readonly location: PickupLocation | null;
  readonly candidates: readonly PickupLocation[];
  readonly reason: string | null;
}

export interface ResolvedPickup {
  readonly resolution: PickupResolution;
  readonly option: FulfillmentOption | null;
}

const NO_CANDIDATES: readonly PickupLocation[] = [];

/** Not asked for, or not to be had. */
export function noPickup(
  status: "not_requested" | "unavailable",
  requested: string | null,
  reason: string | null,
): PickupResolution {
  return { status, requested, location: null, candidates: NO_CANDIDATES, reason };
}

/** @param options those that are collected */
export function resolvePickup(request: PickupRequest, options: readonly FulfillmentOption[]): ResolvedPickup {
  const requested = request.locationId ?? request.name;
  const places = options.flatMap((option) => (option.location ? [{ option, location: option.location }] : []));
  if (places.length === 0) {
    return {
      resolution: noPickup("unavailable", requested, "The shop offers no collection of these items."),
      option: null,
    };
  }
  const found =
    request.locationId === null
      ? byName(request.name ?? "", places)
      : places.filter(({ location }) => location.id === request.locationId);
  const [match] = found;
  const resolution = (
    status: PickupResolution["status"],
    of: typeof places,
    reason: string | null,
  ): PickupResolution => ({
    status,
    requested,
    location: status === "resolved" ? (match?.location ?? null) : null,
    candidates: status === "resolved" ? NO_CANDIDATES : of.map(({ location }) => location),
    reason,
  });
  if (found.length === 1 && match) return { resolution: resolution("resolved", found, null), option: match.option };
  if (found.length > 1)
    return { resolution: resolution("ambiguous", found, "Several stores have that name."), option: null };
  return {
    resolution: resolution("not_found", places, "No store that can be collected from has that name."),
    option: null,
  };
}

/** Exactly that name if there is one; else every store in whose name or address all words are. */
function byName(name: string, places: { option: FulfillmentOption; location: PickupLocation }[]): typeof places {
  const wanted = words(name);
  if (wanted.length === 0) return [];
  const same = places.filter(({ location }) => words(location.name).join(" ") === wanted.join(" "));
  if (same.length > 0) return same;
  return places.filter(({ location }) => {
    const known = new Set(words(`${location.name} ${location.address ?? ""}`));
    return wanted.every((word) => known.has(word));
  });
}

function words(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
