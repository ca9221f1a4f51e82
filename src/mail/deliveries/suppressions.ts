/** Suppression list of an account: recipients that bounced or complained. Email of other accounts to them is unaffected. */
import type { MailSuppression, Prisma } from "../../../generated/prisma/client.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { AgentMailDeps } from "../deps.ts";
import { requireMailAccess } from "../mailboxes.ts";

export type SuppressionReason = "bounce" | "complaint";

const DESCRIPTIONS: Readonly<Record<SuppressionReason, string>> = {
  bounce: "an earlier email to it bounced",
  complaint: "its owner reported an earlier email as spam",
};

type Suppressions = Pick<Prisma.TransactionClient, "mailSuppression">;

/** Adds an address to the account's list. A complaint replaces a bounce, and never the other way round. */
export async function suppressRecipient(
  tx: Suppressions,
  accountId: string,
  address: string,
  reason: SuppressionReason,
): Promise<void> {
  const row = { accountId, address: address.toLowerCase() };
  await tx.mailSuppression.createMany({ data: { id: newId("msp"), ...row, reason }, skipDuplicates: true });
  if (reason === "complaint") await tx.mailSuppression.updateMany({ where: row, data: { reason } });
}

/** Returns the suppressions of these addresses by address in lower case. */
export async function findSuppressions(
  tx: Suppressions,
  accountId: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, MailSuppression>> {
  const where = { accountId, address: { in: addresses.map((address) => address.toLowerCase()) } };
  const rows = await tx.mailSuppression.findMany({ where });
  return new Map(rows.map((row) => [row.address, row]));
}

/** Describes why email to the address is not sent. */
export function describeSuppression({ reason }: MailSuppression): string {
  return `The recipient is suppressed: ${DESCRIPTIONS[reason as SuppressionReason]}.`;
}

/** Rejects an email to a suppressed recipient. @throws {InvalidRequestError} naming the field */
export async function refuseSuppressed(
  tx: Suppressions,
  accountId: string,
  { to, cc }: { readonly to: readonly string[]; readonly cc: readonly string[] },
): Promise<void> {
  const suppressed = await findSuppressions(tx, accountId, [...to, ...cc]);
  const address = [...to, ...cc].find((one) => suppressed.has(one.toLowerCase()));
  if (address === undefined) return;
  const row = suppressed.get(address.toLowerCase()) as MailSuppression;
  throw new InvalidRequestError(
    `${address} is suppressed: ${DESCRIPTIONS[row.reason as SuppressionReason]}. No email was sent. Leave it out, or remove the suppression with removeMailSuppression.`,
    to.includes(address) ? "to" : "cc",
  );
}

/**
 * Removes an address from the account's suppression list.
 * @returns the id of the removed row
 * @throws {NotFoundError | ForbiddenError}
 */
export async function removeMailSuppression(
  { db }: AgentMailDeps,
  viewer: Viewer | null,
  suppressionId: string,
): Promise<void> {
  const { accountId } = requireMailAccess(viewer);
  const { count } = await db.prisma.mailSuppression.deleteMany({ where: { id: suppressionId, accountId } });
  if (count === 0) throw new NotFoundError("Suppression not found. It may have been removed.");
}
