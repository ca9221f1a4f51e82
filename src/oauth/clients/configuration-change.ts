import type { OAuthClient, Prisma } from "../../../generated/prisma/client.ts";
import { newId } from "../../platform/ids.ts";
import type { ClientSteps } from "./fields.ts";

/** What a change of the OAuth configuration results in. */
type Configuration = ClientSteps["oauth"] & Pick<OAuthClient, "deviceGrant">;

/**
 * Handles a change of redirect URIs, origins and the device authorization grant, in the transaction that stored it. Deletes
 * codes and pending requests for removed redirect URIs. Records the change of an approved application in its history, for
 * reviewers and emails.
 */
export async function recordConfigurationChange(
  tx: Prisma.TransactionClient,
  before: OAuthClient,
  { redirectUris, javascriptOrigins, deviceGrant }: Configuration,
): Promise<void> {
  const changes = [
    describeChanges("redirect URI", before.redirectUris, redirectUris),
    describeChanges("JavaScript origin", before.javascriptOrigins, javascriptOrigins),
    deviceGrant === before.deviceGrant ? [] : [`${deviceGrant ? "Allowed" : "Disallowed"} devices without a browser`],
  ].flat();
  if (changes.length === 0) return;
  // Those of a native application have any port; each use compares them with the registered ones.
  if (before.kind !== "native") {
    const where = { clientId: before.id, redirectUri: { notIn: redirectUris } };
    await tx.oAuthCode.deleteMany({ where });
    await tx.oAuthRequest.deleteMany({ where });
  }
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

function describeChanges(label: string, before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((address) => !before.includes(address)).map((address) => `Added ${label} ${address}`),
    ...before.filter((address) => !after.includes(address)).map((address) => `Removed ${label} ${address}`),
  ];
}
