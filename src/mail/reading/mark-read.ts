import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import type { AgentMailDeps } from "../deps.ts";
import { publishMail } from "../mail-events.ts";
import { requireCorrespondent } from "../mailboxes.ts";

export const MAX_MESSAGES_AT_ONCE = 100;

/**
 * Marks messages as read, or as not read; those that already are stay as they are. Answers the ids given, each once.
 * @throws {InvalidRequestError | NotFoundError | ForbiddenError} and marks none
 */
export async function markMailRead(
  deps: Pick<AgentMailDeps, "db" | "pubsub">,
  viewer: Viewer | null,
  { messageIds, isRead }: { readonly messageIds: readonly string[]; readonly isRead: boolean },
): Promise<string[]> {
  const { accountId } = requireCorrespondent(viewer);
  const ids = readMessageIds(messageIds);
  const { mailMessage } = deps.db.prisma;
  const known = await mailMessage.count({ where: { id: { in: ids }, accountId } });
  if (known < ids.length) throw new NotFoundError("Not all of these messages are in this mailbox. None was marked.");
  const moved = await mailMessage.updateManyAndReturn({
    where: { id: { in: ids }, accountId, isRead: !isRead },
    data: { isRead, updatedAt: new Date() },
    select: { id: true },
  });
  for (const { id } of moved) publishMail(deps.pubsub, accountId, id);
  return ids;
}

/** Each id once. @throws {InvalidRequestError} for none, or too many */
export function readMessageIds(messageIds: readonly string[]): string[] {
  const ids = [...new Set(messageIds)];
  if (ids.length === 0 || ids.length > MAX_MESSAGES_AT_ONCE) {
    throw new InvalidRequestError(`messageIds must name 1 to ${MAX_MESSAGES_AT_ONCE} messages.`, "messageIds");
  }
  return ids;
}
