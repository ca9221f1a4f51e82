import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { requireMailAccess } from "../mailboxes.ts";

export const MAX_MESSAGES_AT_ONCE = 100;

/**
 * Marks messages as read or unread; those already in that state remain unchanged. Returns the given ids without duplicates.
 * @throws {InvalidRequestError | NotFoundError | ForbiddenError} without changing any message
 */
export async function markMailRead(
  deps: Pick<AgentMailDeps, "db" | "pubsub">,
  viewer: Viewer | null,
  { messageIds, isRead }: { readonly messageIds: readonly string[]; readonly isRead: boolean },
): Promise<string[]> {
  const { accountId } = requireMailAccess(viewer);
  const ids = readMessageIds(messageIds);
  const { mailMessage } = deps.db.prisma;
  const known = await mailMessage.count({ where: { id: { in: ids }, accountId } });
  if (known < ids.length)
    throw new NotFoundError("messageIds contains an id that is not in this mailbox. No message was changed.");
  const changed = await mailMessage.updateManyAndReturn({
    where: { id: { in: ids }, accountId, isRead: !isRead },
    data: { isRead, updatedAt: new Date() },
    select: { id: true },
  });
  for (const { id } of changed) publishMail(deps.pubsub, accountId, id);
  return ids;
}

/** Returns the ids without duplicates. @throws {InvalidRequestError} unless there are 1 to 100 */
export function readMessageIds(messageIds: readonly string[]): string[] {
  const ids = [...new Set(messageIds)];
  if (ids.length === 0 || ids.length > MAX_MESSAGES_AT_ONCE) {
    throw new InvalidRequestError(`messageIds must contain 1 to ${MAX_MESSAGES_AT_ONCE} ids.`, "messageIds");
  }
  return ids;
}
