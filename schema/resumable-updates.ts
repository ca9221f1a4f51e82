/** Subscriptions to rows that move: what is announced from now on, after a replay of what moved since the last event seen. */
import { GraphQLError } from "graphql";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { SubscriptionInterruptedError } from "../src/platform/pubsub-subscribers.ts";

const REPLAY_PAGE_SIZE = 100;
/** A move may be committed after a later-stamped one, so a resumed subscription begins a little earlier. */
const OVERLAP_MS = 2_000;

interface MovingRow {
  readonly id: string;
  readonly updatedAt: Date;
}

/** A row as it stood after one of its moves. */
export interface Update<Row> {
  readonly cursor: string;
  readonly row: Row;
}

/** Where a resumed subscription begins: after the row that moved then. */
export interface Position {
  readonly updatedAt: Date;
  readonly id: string;
}

export interface Watched<Row extends MovingRow> {
  /** Ids of rows that move from now on. */
  listen(): AsyncIterableIterator<string>;
  /** The row, or null when it is none of the caller's. */
  find(id: string): Promise<Row | null>;
  /** Rows of the caller's that moved after a position, in the order of their moves. */
  findSince(position: Position, take: number): Promise<Row[]>;
  /** The cursor of the last event seen; null: from now on. */
  readonly after: string | null;
}

/** @throws {InvalidRequestError} when `after` is no cursor. */
export function watchRows<Row extends MovingRow>(watched: Watched<Row>): AsyncIterableIterator<Update<Row>> {
  const from = watched.after === null ? null : readCursor(watched.after);
  // Before anything is replayed, so that nothing falls between.
  const announcements = watched.listen();
  const events = replayAndFollow(watched, from, announcements);
  const updates: AsyncIterableIterator<Update<Row>> = {
    next: () => events.next(),
    async return() {
      // First, or the generator would wait for the next announcement before it ends.
      await announcements.return?.();
      return await events.return(undefined);
    },
    [Symbol.asyncIterator]: () => updates,
  };
  return updates;
}

/** What both the replay and the announcements bring comes once. */
async function* replayAndFollow<Row extends MovingRow>(
  watched: Watched<Row>,
  from: Position | null,
  announcements: AsyncIterable<string>,
): AsyncGenerator<Update<Row>> {
  const replayed = new Map<string, number>();
  for await (const row of from ? replay(watched, from) : []) {
    replayed.set(row.id, row.updatedAt.getTime());
    const update = toUpdate(row);
    if (update.cursor !== watched.after) yield update;
  }
  try {
    for await (const id of announcements) {
      const row = await watched.find(id);
      if (!row || replayed.get(id) === row.updatedAt.getTime()) continue;
      replayed.delete(id);
      yield toUpdate(row);
    }
  } catch (error) {
    if (!(error instanceof SubscriptionInterruptedError)) throw error;
    throw new GraphQLError("Some events may have been missed. Subscribe again with `after` to have them.", {
      extensions: { code: "SUBSCRIPTION_INTERRUPTED" },
    });
  }
}

async function* replay<Row extends MovingRow>({ findSince }: Watched<Row>, after: Position): AsyncGenerator<Row> {
  for (let from: Position | undefined = after; from; ) {
    const rows: Row[] = await findSince(from, REPLAY_PAGE_SIZE);
    yield* rows;
    from = rows.length === REPLAY_PAGE_SIZE ? rows.at(-1) : undefined;
  }
}

function toUpdate<Row extends MovingRow>(row: Row): Update<Row> {
  return { cursor: Buffer.from(`${row.updatedAt.getTime()}:${row.id}`).toString("base64url"), row };
}

function readCursor(cursor: string): Position {
  const [, updatedAtMs, id] = /^(\d{1,14}):(\w{1,80})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (!updatedAtMs || !id) throw new InvalidRequestError("after is not a cursor of this subscription.", "after");
  return { updatedAt: new Date(Number(updatedAtMs) - OVERLAP_MS), id };
}
