/** Resumable subscriptions to row changes: a replay of the changes since a cursor, then live changes. */
import { GraphQLError } from "graphql";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { STREAM_ENDINGS } from "../src/platform/graphql/stream-endings.ts";
import { SubscriptionInterruptedError } from "../src/platform/pubsub/subscribers.ts";
import type { Context } from "./context.ts";

const REPLAY_PAGE_SIZE = 100;
/** A change may be committed after another with a later timestamp. A resumed subscription therefore starts earlier. */
const OVERLAP_MS = 2_000;

/** Descriptions of the cursor field, the `after` argument and resumption. */
export const CURSOR = { description: "The cursor of the event. Pass it as `after` to resume after a lost connection." };
export const AFTER = { description: "The cursor of the last received event. Default: only new events." };
export const describeResumption = (changed = "changed") =>
  `With \`after\`, the subscription first replays everything that ${changed} after that event. What ${changed} shortly before it may be repeated. A client too slow for the events is disconnected with an error and can resume.`;

/** Field of a connection whose changes a subscription publishes: with it, no change after the read of the list is missed. */
export const UPDATES_CURSOR = {
  description:
    "The cursor of the time when the list was read. Pass it as `after` to the subscription of these objects.",
  // Before the list was read: a later time could be after a change that the list does not contain.
  resolve: (_page: unknown, _args: object, { startedAt }: Context) => encodeCursor(startedAt, "0"),
};

/** Options common to all resumable subscriptions. */
export const RESUMABLE = {
  complexity: 5,
  // Only subscriptions without `after` can share one event source: a resumed one replays its own events first.
  extensions: {
    shared: ({ after }: { after?: string | null | undefined }) => after === undefined || after === null,
    resumable: { startCursor: () => encodeCursor(new Date(), "0") },
  },
};

/** Column with the time of a row's last change, or of its creation if rows never change. */
type ChangeColumn = "updatedAt" | "createdAt" | "recordedAt";

type ChangingRow<At extends ChangeColumn> = { readonly id: string } & { readonly [Column in At]: Date };

/** State of a row after a change. */
export interface Update<Row> {
  readonly cursor: string;
  readonly row: Row;
}

/** Start of a resumed subscription: after the row with this change time and id. */
interface Position {
  readonly changedAt: Date;
  readonly id: string;
}

/** Query for the rows after a position, ordered by change time. Callers must restrict `where` to the account's rows. */
interface NextRows<At extends ChangeColumn> {
  where: { OR: [Record<At, { gt: Date }>, Record<At, Date> & { id: { gt: string } }] };
  orderBy: [Record<At, "asc">, { id: "asc" }];
  take: number;
}

export interface RowSubscription<Row extends ChangingRow<At>, At extends ChangeColumn> {
  readonly changeColumn: At;
  /** Subscribes to the ids of changed rows. */
  listen(): AsyncIterableIterator<string>;
  /** Returns the row, or null if it is not visible to the caller. */
  find(id: string): Promise<Row | null>;
  findSince(next: NextRows<At>): Promise<Row[]>;
  /** The cursor of the last received event; null for new events only. */
  readonly after: string | null | undefined;
}

/**
 * Yields the state of each row after each change.
 * @throws {InvalidRequestError} if `after` is not a cursor
 */
export function watchRows<Row extends ChangingRow<At>, At extends ChangeColumn>(
  options: RowSubscription<Row, At>,
): AsyncIterableIterator<Update<Row>> {
  const from = typeof options.after === "string" ? readCursor(options.after) : null;
  // Subscribed before the replay, so that no change between the two is missed.
  const announcements = options.listen();
  const events = replayAndFollow(options, from, announcements);
  const updates: AsyncIterableIterator<Update<Row>> = {
    next: () => events.next(),
    async return() {
      // Closed first: otherwise the generator would wait for the next announcement before it ends.
      await announcements.return?.();
      return await events.return(undefined);
    },
    [Symbol.asyncIterator]: () => updates,
  };
  return updates;
}

/** Yields the replayed changes, then the live ones. A change that is in both is yielded once. */
async function* replayAndFollow<Row extends ChangingRow<At>, At extends ChangeColumn>(
  options: RowSubscription<Row, At>,
  from: Position | null,
  announcements: AsyncIterable<string>,
): AsyncGenerator<Update<Row>> {
  const { changeColumn: movedAt } = options;
  const replayed = new Map<string, number>();
  for await (const row of from ? replay(options, from) : []) {
    replayed.set(row.id, row[movedAt].getTime());
    const update = toUpdate(row, movedAt);
    if (update.cursor !== options.after) yield update;
  }
  try {
    for await (const id of announcements) {
      const row = await options.find(id);
      if (!row || replayed.get(id) === row[movedAt].getTime()) continue;
      replayed.delete(id);
      yield toUpdate(row, movedAt);
    }
  } catch (error) {
    if (!(error instanceof SubscriptionInterruptedError)) throw error;
    throw new GraphQLError("Some events may have been missed. Subscribe again with `after` to receive them.", {
      extensions: { code: STREAM_ENDINGS.internal.code },
    });
  }
}

async function* replay<Row extends ChangingRow<At>, At extends ChangeColumn>(
  { findSince, changeColumn: movedAt }: RowSubscription<Row, At>,
  after: Position,
): AsyncGenerator<Row> {
  for (let from: Position | undefined = after; from; ) {
    const rows: Row[] = await findSince(rowsAfter(from, movedAt));
    yield* rows;
    const last: Row | undefined = rows.length === REPLAY_PAGE_SIZE ? rows.at(-1) : undefined;
    from = last && { changedAt: last[movedAt], id: last.id };
  }
}

function rowsAfter<At extends ChangeColumn>({ changedAt: movedAt, id }: Position, column: At): NextRows<At> {
  const at = <Value>(value: Value) => ({ [column]: value }) as Record<At, Value>;
  return {
    where: { OR: [at({ gt: movedAt }), { ...at(movedAt), id: { gt: id } }] },
    orderBy: [at("asc"), { id: "asc" }],
    take: REPLAY_PAGE_SIZE,
  };
}

function toUpdate<Row extends ChangingRow<At>, At extends ChangeColumn>(row: Row, movedAt: At): Update<Row> {
  return { cursor: encodeCursor(row[movedAt], row.id), row };
}

function encodeCursor(changedAt: Date, id: string): string {
  return Buffer.from(`${changedAt.getTime()}:${id}`).toString("base64url");
}

function readCursor(cursor: string): Position {
  const [, changedAtMs, id] = /^(\d{1,14}):(\w{1,80})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (!changedAtMs || !id) throw new InvalidRequestError("after is not a cursor of this subscription.", "after");
  return { changedAt: new Date(Number(changedAtMs) - OVERLAP_MS), id };
}
