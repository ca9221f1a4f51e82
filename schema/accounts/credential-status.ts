import { selectedOf } from "../filters.ts";
import { wireEnum } from "../wire-enum.ts";

export const CredentialStatusEnum = wireEnum("CredentialStatus", "The status of a credential.", {
  active: "The credential is valid.",
  expired: "The credential has expired.",
  revoked: "The credential was revoked.",
});

/**
 * Returns the condition for credentials with one of the statuses; without statuses, for all.
 * @param unexpired the condition that a credential has not expired
 */
export function statusesWhere<Where extends object>(
  statuses: readonly (typeof CredentialStatusEnum.$inferType)[] | null | undefined,
  unexpired: Where,
) {
  const conditions = {
    active: { revokedAt: null, AND: unexpired },
    expired: { revokedAt: null, NOT: unexpired },
    revoked: { revokedAt: { not: null } },
  };
  const selected = selectedOf(statuses);
  return selected ? { OR: selected.map((status) => conditions[status]) } : {};
}
