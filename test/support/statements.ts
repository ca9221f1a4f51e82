/** Records the SQL statements of this process, to check that their number does not grow with a list. */
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

type Method = (this: unknown, first: unknown, ...rest: unknown[]) => unknown;

/**
 * Returns the statements sent while `use` runs that match the pattern. The pattern must exclude statements of the service's
 * background jobs.
 */
export async function recordStatements(use: () => Promise<unknown>, pattern: RegExp): Promise<string[]> {
  const sent: string[] = [];
  const record = (text: string | undefined) => {
    if (text !== undefined && pattern.test(text)) sent.push(text);
  };
  const restore = [
    observeCalls(pg.Client.prototype, "query", (query) =>
      record(typeof query === "string" ? query : (query as { text?: string }).text),
    ),
    // PGlite sends the statements of a transaction only through this method.
    observeCalls(PGlite.prototype, "execProtocolStream", (message) => record(readParseText(message as Uint8Array))),
  ];
  try {
    await use();
  } finally {
    for (const undo of restore) undo();
  }
  return sent;
}

/** A statement with its parameters. */
export interface SentQuery {
  /** The name of a prepared statement, which PostgreSQL may plan in general; undefined if it plans each call. */
  readonly name?: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** As `recordStatements`, with the parameters; without the statements of transactions on PGlite. */
export async function recordQueries(use: () => Promise<unknown>, pattern: RegExp): Promise<SentQuery[]> {
  const sent: SentQuery[] = [];
  const record = (first: unknown, second: unknown) => {
    const query = typeof first === "string" ? { text: first } : (first as Partial<SentQuery>);
    const values = query.values ?? (Array.isArray(second) ? second : []);
    if (query.text !== undefined && pattern.test(query.text)) sent.push({ name: query.name, text: query.text, values });
  };
  const restore = [observeCalls(pg.Client.prototype, "query", record), observeCalls(PGlite.prototype, "query", record)];
  try {
    await use();
  } finally {
    for (const undo of restore) undo();
  }
  return sent;
}

function observeCalls(prototype: object, name: string, observe: (first: unknown, second: unknown) => void): () => void {
  const methods = prototype as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (first, ...rest) {
    observe(first, rest[0]);
    return original.call(this, first, ...rest);
  };
  return () => {
    methods[name] = original;
  };
}

/**
 * Returns the statement in a Parse message of the PostgreSQL protocol: "P", the length, then name and statement, both
 * terminated by a zero byte.
 */
function readParseText(message: Uint8Array): string | undefined {
  return message[0] === 0x50 ? Buffer.from(message.subarray(5)).toString().split("\0")[1] : undefined;
}
