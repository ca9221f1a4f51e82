/** What SQL this process sends: to tell whether a longer list takes more of it. */
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

type Method = (this: unknown, first: unknown, ...rest: unknown[]) => unknown;

/**
 * The statements sent while `use` runs that match the pattern. The service's background work sends some too: the
 * pattern is to leave those out.
 */
export async function statementsDuring(use: () => Promise<unknown>, pattern: RegExp): Promise<string[]> {
  const sent: string[] = [];
  const note = (text: string | undefined) => {
    if (text !== undefined && pattern.test(text)) sent.push(text);
  };
  const restore = [
    overhear(pg.Client.prototype, "query", (asked) =>
      note(typeof asked === "string" ? asked : (asked as { text?: string }).text),
    ),
    // What PGlite runs in a transaction passes here alone.
    overhear(PGlite.prototype, "execProtocolStream", (message) => note(parsedBy(message as Uint8Array))),
  ];
  try {
    await use();
  } finally {
    for (const undo of restore) undo();
  }
  return sent;
}

function overhear(prototype: object, name: string, hear: (first: unknown) => void): () => void {
  const methods = prototype as Record<string, Method>;
  const original = methods[name] as Method;
  methods[name] = function (first, ...rest) {
    hear(first);
    return original.call(this, first, ...rest);
  };
  return () => {
    methods[name] = original;
  };
}

/** The text in a Parse message of PostgreSQL's protocol: "P", its length, a name and the text, each ended by a zero. */
function parsedBy(message: Uint8Array): string | undefined {
  return message[0] === 0x50 ? Buffer.from(message.subarray(5)).toString().split("\0")[1] : undefined;
}
