import type { Database } from "../platform/database/connection.ts";

/** Returns the display name of a purchase's requester: the API token, the app, or the account owner. */
export async function requesterName({ prisma }: Database, credentialId: string): Promise<string> {
  const where = { id: credentialId };
  if (credentialId.startsWith("tok_")) {
    const token = await prisma.apiToken.findUnique({ where, select: { name: true } });
    return token?.name ?? "An API token";
  }
  if (credentialId.startsWith("oat_")) {
    const select = { grant: { select: { client: { select: { appName: true } } } } };
    const token = await prisma.oAuthToken.findUnique({ where, select });
    return token?.grant.client.appName ?? "An app";
  }
  return "You, in your browser";
}
