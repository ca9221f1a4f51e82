import type { CheckoutArtifact } from "../../../generated/prisma/client.ts";
import { requireAccount, requireScope, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { NotFoundError } from "../../platform/errors.ts";

const ID = /^\w{1,80}$/;

/** Returns an artifact of the caller's order, with its bytes, unless retention removed them. @throws {NotFoundError | UnauthorizedError | ForbiddenError} */
export async function findArtifact(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  { orderId, artifactId }: { readonly orderId: string; readonly artifactId: string },
): Promise<CheckoutArtifact> {
  const account = requireAccount(viewer);
  requireScope(account, "transactions:read");
  const { accountId } = account;
  const isId = ID.test(orderId) && ID.test(artifactId);
  const artifact =
    isId && (await db.prisma.checkoutArtifact.findFirst({ where: { id: artifactId, orderId, order: { accountId } } }));
  if (!artifact) throw new NotFoundError("There is no such artifact.");
  if (artifact.removedAt) {
    const day = artifact.removedAt.toISOString().slice(0, 10);
    throw new NotFoundError(
      `The artifact was deleted on ${day}, at the end of its retention. Its digest remains in the order's evidence.`,
    );
  }
  return artifact;
}
