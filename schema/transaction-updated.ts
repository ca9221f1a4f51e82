import { GraphQLError } from "graphql";
import type { Transaction } from "../generated/prisma/client.ts";
import { transactionChannel } from "../src/payments/transaction-events.ts";
import { InvalidRequestError } from "../src/platform/errors.ts";
import { SubscriptionInterruptedError } from "../src/platform/pubsub-subscribers.ts";
import { builder } from "./builder.ts";
import type { Context } from "./context.ts";
import { ownAccountId } from "./owner.ts";
import { TransactionNode } from "./transactions.ts";

const REPLAY_PAGE_SIZE = 100;
/** A move may be committed after a later-stamped one, so a resumed subscription begins a little earlier. */
const OVERLAP_MS = 2_000;

/** A row as it stood after one of its moves. */
interface TransactionUpdate {
  readonly cursor: string;
  readonly row: Transaction;
}

interface Position {
  readonly updatedAt: Date;
  readonly id: string;
}

/** Where a resumed subscription begins, and the event it was given, which does not come again. */
interface Resumption {
  readonly seen: string;
  readonly from: Position;
}

const TransactionUpdateType = builder.objectRef<TransactionUpdate>("TransactionUpdate").implement({
  description: "A transaction that is new or has moved.",
  fields: (t) => ({
    cursor: t.exposeString("cursor", { description: "Pass it as `after` to go on from here after a lost connection." }),
    transaction: t.expose("row", { type: TransactionNode, description: "The transaction as it now stands." }),
  }),
});

builder.subscriptionField("transactionUpdated", (t) =>
  t.field({
    type: TransactionUpdateType,
    complexity: 5,
    // Only those that start with what comes next may share one source: one that resumes sees other events first.
    extensions: { shared: (args: { after?: string | null }) => args.after === undefined || args.after === null },
    description:
      "Every move of the account's transactions, as it happens. With `after`, first what moved since that event, and perhaps again what moved just before it. A client too slow for the events is ended with an error and may resume.",
    args: { after: t.arg.string({ description: "The cursor of the last event seen; default: from now on." }) },
    subscribe: (_root, { after }, context) => {
      const accountId = ownAccountId(context);
      return updates(context, accountId, after === undefined || after === null ? null : readCursor(after));
    },
    resolve: (update) => update,
  }),
);

/** Listens from this moment on, before anything is replayed, so that nothing falls between. */
function updates(
  context: Context,
  accountId: string,
  after: Resumption | null,
): AsyncIterableIterator<TransactionUpdate> {
  const announcements = context.deps.pubsub.subscribe(transactionChannel(accountId));
  const events = replayAndFollow(context, accountId, after, announcements);
  const updatesOfAccount: AsyncIterableIterator<TransactionUpdate> = {
    next: () => events.next(),
    async return() {
      // First, or the generator would wait for the next announcement before it ends.
      await announcements.return?.();
      return await events.return(undefined);
    },
    [Symbol.asyncIterator]: () => updatesOfAccount,
  };
  return updatesOfAccount;
}

/** What both the replay and the announcements bring comes once. */
async function* replayAndFollow(
  context: Context,
  accountId: string,
  after: Resumption | null,
  announcements: AsyncIterable<string>,
): AsyncGenerator<TransactionUpdate> {
  const replayed = new Map<string, number>();
  for await (const row of after ? replay(context, accountId, after.from) : []) {
    replayed.set(row.id, row.updatedAt.getTime());
    const update = toUpdate(row);
    if (update.cursor !== after?.seen) yield update;
  }
  try {
    for await (const id of announcements) {
      const row = await context.deps.db.prisma.transaction.findFirst({ where: { id, accountId } });
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

async function* replay({ deps }: Context, accountId: string, after: Position): AsyncGenerator<Transaction> {
  for (let from: Position | undefined = after; from; ) {
    const rows: Transaction[] = await deps.db.prisma.transaction.findMany({
      where: {
        accountId,
        OR: [{ updatedAt: { gt: from.updatedAt } }, { updatedAt: from.updatedAt, id: { gt: from.id } }],
      },
      orderBy: [{ updatedAt: "asc" }, { id: "asc" }],
      take: REPLAY_PAGE_SIZE,
    });
    yield* rows;
    from = rows.length === REPLAY_PAGE_SIZE ? rows.at(-1) : undefined;
  }
}

function toUpdate(row: Transaction): TransactionUpdate {
  return { cursor: Buffer.from(`${row.updatedAt.getTime()}:${row.id}`).toString("base64url"), row };
}

function readCursor(cursor: string): Resumption {
  const [, updatedAtMs, id] = /^(\d{1,14}):(\w{1,80})$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (!updatedAtMs || !id) throw new InvalidRequestError("after is not a cursor of this subscription.", "after");
  return { seen: cursor, from: { updatedAt: new Date(Number(updatedAtMs) - OVERLAP_MS), id } };
}
