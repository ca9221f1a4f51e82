/** Resolution of a requested pickup location to a store. */
import type { FulfillmentOption, PickupLocation } from "./fulfillment.ts";

/** A requested pickup location; at least one of the fields is set. */
export interface PickupRequest {
  /** Store in the user's words. */
  readonly name: string | null;
  /** Store id; takes precedence over the name and is compared exactly. */
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

/** Returns the resolution of a pickup that was not requested or is unavailable. */
export function withoutPickup(
  status: "not_requested" | "unavailable",
  requested: string | null,
  reason: string | null,
): PickupResolution {
  return { status, requested, location: null, candidates: NO_CANDIDATES, reason };
}

/** Resolves a requested pickup location. @param options fulfilment options of the cart; those without a location are ignored */
export function resolvePickup(request: PickupRequest, options: readonly FulfillmentOption[]): ResolvedPickup {
  const requested = request.locationId ?? request.name;
  const places = options.flatMap((option) => (option.location ? [{ option, location: option.location }] : []));
  if (places.length === 0) {
    return {
      resolution: withoutPickup("unavailable", requested, "The merchant offers no pickup for these items."),
      option: null,
    };
  }
  const found =
    request.locationId === null
      ? findByName(request.name ?? "", places)
      : places.filter(({ location }) => location.id === request.locationId);
  const [match] = found;
  const resolution = (
    status: PickupResolution["status"],
    of: readonly Place[],
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
    return { resolution: resolution("ambiguous", found, "Several stores match this name."), option: null };
  return {
    resolution: resolution("not_found", places, "No store that offers pickup matches."),
    option: null,
  };
}

interface Place {
  readonly option: FulfillmentOption;
  readonly location: PickupLocation;
}

/** Words with which users refer to a store and that say nothing about where it is. */
const FILLERS = new Set([
  ..."a an at branch by closest collect collection for from i in it location me my near nearest of on one our".split(
    " ",
  ),
  ..."outlet pick pickup please shop store that the their this to up want with would like your".split(" "),
  ..."au chez dans de der das die dem den el en filiale filialen il in im la laden las le les los magasin negozio".split(
    " ",
  ),
  ..."point shops stores sucursal tienda winkel".split(" "),
]);

/**
 * Returns the stores with exactly this name; otherwise those whose name and address contain all its words. If there are none,
 * leaves out words such as "the" and "one". Any other word that no store has may name another place.
 */
function findByName(name: string, places: readonly Place[]): readonly Place[] {
  const requestedWords = toWords(name);
  const same = places.filter(({ location }) => toWords(location.name).join(" ") === requestedWords.join(" "));
  if (same.length > 0) return same;
  const all = findWithWords(requestedWords, places);
  return all.length > 0
    ? all
    : findWithWords(
        requestedWords.filter((word) => !FILLERS.has(word)),
        places,
      );
}

function findWithWords(words: readonly string[], places: readonly Place[]): readonly Place[] {
  if (words.length === 0) return [];
  return places.filter(({ location }) => {
    const known = new Set(toWords(`${location.name} ${location.address ?? ""}`));
    return words.every((word) => known.has(word));
  });
}

function toWords(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
