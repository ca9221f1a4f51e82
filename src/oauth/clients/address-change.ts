import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { ClientSteps } from "./fields.ts";

/**
 * Follows up on new lists of addresses, inside the transaction that stored them: a redirect address taken off the list
 * gets nothing any more, also not from a request under way, and the change of an approved application stands in its
 * history, for reviewers and for the letters.
 */
export async function recordAddressChange(
  tx: Prisma.TransactionClient,
  before: OAuthClient,
  { redirectUris, javascriptOrigins }: ClientSteps["oauth"],
): Promise<void> {
  const changes = [
    difference("redirect address", before.redirectUris, redirectUris),
    difference("JavaScript origin", before.javascriptOrigins, javascriptOrigins),
  ].flat();
  if (changes.length === 0) return;
  const gone = { clientId: before.id, redirectUri: { notIn: redirectUris } };
  await tx.oAuthCode.deleteMany({ where: gone });
  await tx.oAuthRequest.deleteMany({ where: gone });
  if (before.status !== "approved") return;
  await tx.oAuthClientReview.create({
    data: {
      id: newId("clr"),
      clientId: before.id,
      fromStatus: before.status,
      toStatus: before.status,
      reason: changes.join("\n"),
    },
  });
}

function difference(what: string, before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((address) => !before.includes(address)).map((address) => `Added ${what} ${address}`),
    ...before.filter((address) => !after.includes(address)).map((address) => `Removed ${what} ${address}`),
  ];
}
