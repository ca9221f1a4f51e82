import type { AgentCredential } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { CredentialKind } from "./kinds.ts";

/** The account's credential of that kind that is good now; null when there is none. */
export function findCredential(
  { db }: { readonly db: Database },
  accountId: string,
  kind: CredentialKind,
): Promise<AgentCredential | null> {
  return db.prisma.agentCredential.findFirst({
    where: { agent: { accountId, status: "active" }, kind, revokedAt: null, expiresAt: { gt: new Date() } },
  });
}
