/** Lists of credentials, narrowed to how they stand. */
import { builder } from "../builder.ts";

export const CredentialStatusEnum = builder.enumType("CredentialStatus", {
  description: "How a credential stands.",
  values: {
    ACTIVE: { value: "active", description: "It opens the account." },
    EXPIRED: { value: "expired", description: "It ended by itself." },
    REVOKED: { value: "revoked", description: "Somebody ended it." },
  } as const,
});

/** @param standing the condition that a credential which nobody ended has not ended by itself */
export function statusWhere<Where extends object>(
  status: typeof CredentialStatusEnum.$inferType | null | undefined,
  standing: Where,
) {
  if (status === "revoked") return { revokedAt: { not: null } };
  if (status === "active") return { revokedAt: null, AND: standing };
  return status === "expired" ? { revokedAt: null, NOT: standing } : {};
}
