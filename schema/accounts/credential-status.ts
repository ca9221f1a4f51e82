/** Filter of credentials by status. */
import type { ListFilter } from "../../src/platform/database/list-page.ts";
import { selectedOf } from "../filters.ts";
import { wireEnum } from "../wire-enum.ts";

export const CredentialStatusEnum = wireEnum("CredentialStatus", "The status of a credential.", {
  active: "The credential is valid.",
  expired: "The credential has expired.",
  revoked: "The credential was revoked.",
});

/**
 * Returns the filter of a list with the facet `isRevoked`; without statuses, for all credentials.
 * @param unexpired SQL condition that the credential `child` has not expired
 */
export function filterByStatuses(
  statuses: readonly (typeof CredentialStatusEnum.$inferType)[] | null | undefined,
  unexpired: string,
): Required<Pick<ListFilter, "facets" | "conditions">> {
  const selected = selectedOf(statuses);
  if (!selected) return { facets: {}, conditions: [] };
  const isRevoked = [...new Set(selected.map((status) => String(status === "revoked")))];
  const [hasActive, hasExpired] = [selected.includes("active"), selected.includes("expired")];
  const byExpiry = `(child.revoked_at IS NOT NULL OR ${hasActive ? unexpired : `NOT ${unexpired}`})`;
  return { facets: { isRevoked }, conditions: hasActive === hasExpired ? [] : [{ sql: byExpiry }] };
}
