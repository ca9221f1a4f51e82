/** Subscriptions to rows that move: what is announced from now on, after a replay of what moved since the last event seen. */
import { GraphQLError } from "graphql";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { SubscriptionInterruptedError } from "../src/platform/pubsub/subscribers.ts";

const REPLAY_PAGE_SIZE = 100;
/** A move may be committed after a later-stamped one, so a resumed subscription begins a little earlier. */
const OVERLAP_MS = 2_000;

/** What describes the two ends of resuming, and how it goes. */
export const CURSOR = { description: "Pass it as `after` to go on from here after a lost connection." };
export const AFTER = { description: "The cursor of the last event seen; default: from now on." };
export const resuming = (moved = "moved") =>
  `With \`after\`, first what ${moved} since that event, and perhaps again what ${moved} just before it. A client too slow for the events is ended with an error and may resume.`;

/** What every such subscription has in common. */
export const RESUMABLE = {
  complexity: 5,
  // Only those that start with what comes next may share one source: one that resumes sees other events first.
  extensions: { shared: ({ after }: { after?: string | null | undefined }) => after === undefined || after === null },
};

/** The column that says when a row last moved: for rows that never do, when they came. */
type Moment = "updatedAt" | "createdAt" | "recordedAt";

type MovingRow<At extends Moment> = { readonly id: string } & { readonly [Column in At]: Date };

/** A row as it stood after one of its moves. */
export interface Update<Row> {
  readonly cursor: string;
  readonly row: Row;
}

/** Where a resumed subscription begins: after the row that moved then. */
interface Position {
  readonly movedAt: Date;
  readonly id: string;
}

/** A query of the rows after a position, in the order of their moves; `where` is to be narrowed to the caller's. */
interface NextRows<At extends Moment> {
  where: { OR: [Record<At, { gt: Date }>, Record<At, Date> & { id: { gt: string } }] };
  orderBy: [Record<At, "asc">, { id: "asc" }];
  take: number;
}

export interface Watched<Row extends MovingRow<At>, At extends Moment> {
  readonly movedAt: At;
  /** Ids of rows that move from now on. */
  listen(): AsyncIterableIterator<string>;
  /** The row, or null when it is none of the caller's. */
  find(id: string): Promise<Row | null>;
  findSince(next: NextRows<At>): Promise<Row[]>;
  /** The cursor of the last event seen; null: from now on. */
  readonly after: string | null | undefined;
}

/** @throws {InvalidRequestError} when `after` is no cursor. */
export function watchRows<Row extends MovingRow<At>, At extends Moment>(
  watched: Watched<Row, At>,
): AsyncIterableIterator<Update<Row>> {
  const from = typeof watched.after === "string" ? readCursor(watched.after) : null;
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
async function* replayAndFollow<Row extends MovingRow<At>, At extends Moment>(
  watched: Watched<Row, At>,
  from: Position | null,
  announcements: AsyncIterable<string>,
): AsyncGenerator<Update<Row>> {
  const { movedAt } = watched;
  const replayed = new Map<string, number>();
  for await (const row of from ? replay(watched, from) : []) {
    replayed.set(row.id, row[movedAt].getTime());
    const update = toUpdate(row, movedAt);
    if (update.cursor !== watched.after) yield update;
  }
  try {
    for await (const id of announcements) {
      const row = await watched.find(id);
      if (!row || replayed.get(id) === row[movedAt].getTime()) continue;
      replayed.delete(id);
      yield toUpdate(row, movedAt);
    }
  } catch (error) {
    if (!(error instanceof SubscriptionInterruptedError)) throw error;
    throw new GraphQLError("Some events may have been missed. Subscribe again with `after` to have them.", {
      extensions: { code: "SUBSCRIPTION_INTERRUPTED" },
    });
  }
}

async function* replay<Row extends MovingRow<At>, At extends Moment>(
  { findSince, movedAt }: Watched<Row, At>,
  after: Position,
): AsyncGenerator<Row> {
  for (let from: Position | undefined = after; from; ) {
    const rows: Row[] = await findSince(rowsAfter(from, movedAt));
    yield* rows;
    const last: Row | undefined = rows.length === REPLAY_PAGE_SIZE ? rows.at(-1) : undefined;
    from = last && { movedAt: last[movedAt], id: last.id };
  }
}

function rowsAfter<At extends Moment>({ movedAt, id }: Position, column: At): NextRows<At> {
  const at = <Value>(value: Value) => ({ [column]: value }) as Record<At, Value>;
  return {
    where: { OR: [at({ gt: movedAt }), { ...at(movedAt), id: { gt: id } }] },
    orderBy: [at("asc"), { id: "asc" }],
    take: REPLAY_PAGE_SIZE,
  };
}

function toUpdate<Row extends MovingRow<At>, At extends Moment>(row: Row, movedAt: At): Update<Row> {
  return { cursor: Buffer.from(`${row[movedAt].getTime()}:${row.id}`).toString("base64url"), row };
}

function readCursor(cursor: string): Position {
  const [, movedAtMs, id] = /^(\d{1,14}):(\w{1,80})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (!movedAtMs || !id) throw new InvalidRequestError("after is not a cursor of this subscription.", "after");
  return { movedAt: new Date(Number(movedAtMs) - OVERLAP_MS), id };
}
