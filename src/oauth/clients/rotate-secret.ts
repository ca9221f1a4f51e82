import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { NotFoundError } from "../../platform/errors.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { CHANGES_PER_MINUTE, mintSecret } from "./register-client.ts";

/**
 * Replaces the secret of an application of the viewer's account. The previous secret becomes invalid immediately.
 * @returns the row and the secret, which is shown only once
 * @throws {NotFoundError} for another account's application or a revoked one
 */
export async function rotateClientSecret(
  { db, rateLimiter }: { readonly db: Database; readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  clientId: string,
): Promise<{ client: OAuthClient; secret: string }> {
  const { accountId } = requireManager(viewer);
  await rateLimiter.consume("oauth-client", accountId, CHANGES_PER_MINUTE);
  const { secret, columns } = mintSecret(new Date());
  const [client] = await db.prisma.oAuthClient.updateManyAndReturn({
    where: { id: clientId, accountId, status: { not: "revoked" } },
    data: columns,
  });
  if (!client) throw new NotFoundError("Application not found or revoked. No secret was created.");
  return { client, secret };
}
