/** Filter of credentials by status. */
import { builder } from "../builder.ts";

export const CredentialStatusEnum = builder.enumType("CredentialStatus", {
  description: "The status of a credential.",
  values: {
    ACTIVE: { value: "active", description: "The credential is valid." },
    EXPIRED: { value: "expired", description: "The credential has expired." },
    REVOKED: { value: "revoked", description: "The credential was revoked." },
  } as const,
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
