import { wireEnum } from "../wire-enum.ts";

export const CredentialStatusEnum = wireEnum("CredentialStatus", "The status of a credential.", {
  active: "The credential is valid.",
  expired: "The credential has expired.",
  revoked: "The credential was revoked.",
});

/** @param unexpired the condition that a credential has not expired */
export function statusWhere<Where extends object>(
  status: typeof CredentialStatusEnum.$inferType | null | undefined,
  unexpired: Where,
) {
  if (status === "revoked") return { revokedAt: { not: null } };
  if (status === "active") return { revokedAt: null, AND: unexpired };
  return status === "expired" ? { revokedAt: null, NOT: unexpired } : {};
}
