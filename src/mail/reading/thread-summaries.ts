/** Batched queries for summaries of threads. Results are in the order of `threadIds`. */
import type { Database } from "../../platform/database/connection.ts";

type Deps = { readonly db: Database };

/** The author of a message in a thread. */
export interface Participant {
  readonly address: string;
  /** The name in the author's most recent message that has one; otherwise empty. */
  readonly name: string;
}

/** Returns the number of unread incoming messages in each thread. */
export async function countUnread({ db }: Deps, threadIds: readonly string[]): Promise<number[]> {
  const rows = await db.prisma.mailMessage.groupBy({
    by: ["threadId"],
    where: { threadId: { in: [...threadIds] }, direction: "inbound", isRead: false },
    _count: { _all: true },
  });
  const counts = new Map(rows.map(({ threadId, _count }) => [threadId, _count._all]));
  return threadIds.map((id) => counts.get(id) ?? 0);
}

/** Number of authors that `readParticipants` returns for a thread. */
export const MAX_PARTICIPANTS = 20;
/** Number of messages of a thread in which `readParticipants` finds authors. */
const SCANNED_MESSAGES = 1_000;

/** Returns the first authors in each thread, in the order of their first message. */
export async function readParticipants({ db }: Deps, threadIds: readonly string[]): Promise<Participant[][]> {
  const rows = await db.prisma.$queryRaw<(Participant & { threadId: string })[]>`
    SELECT thread.id AS "threadId", author.address, author.name
    FROM unnest(${[...threadIds]}::text[]) AS thread (id) CROSS JOIN LATERAL (
      SELECT lower(from_address) AS address, min(created_at) AS first_at,
        coalesce((array_agg(from_name ORDER BY created_at DESC) FILTER (WHERE from_name <> ''))[1], '') AS name
      FROM (SELECT * FROM mail_messages WHERE thread_id = thread.id ORDER BY created_at, id LIMIT ${SCANNED_MESSAGES}) AS message
      GROUP BY 1 ORDER BY 2, 1 LIMIT ${MAX_PARTICIPANTS}) AS author
    ORDER BY author.first_at, author.address`;
  return threadIds.map((id) =>
    rows.filter(({ threadId }) => threadId === id).map(({ address, name }) => ({ address, name })),
  );
}

/** Returns the id of each thread's last message; null for a thread without messages. */
export async function readLastMessageIds({ db }: Deps, threadIds: readonly string[]): Promise<(string | null)[]> {
  const rows = await db.prisma.$queryRaw<{ threadId: string; id: string }[]>`
    SELECT DISTINCT ON (thread_id) thread_id AS "threadId", id FROM mail_messages WHERE thread_id = ANY(${[...threadIds]})
    ORDER BY thread_id, created_at DESC, id DESC`;
  const ids = new Map(rows.map(({ threadId, id }) => [threadId, id]));
  return threadIds.map((id) => ids.get(id) ?? null);
}
