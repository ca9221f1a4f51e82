import { EventEmitter } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MailContent } from "./parse.ts";

/** Who the mail server was told, whatever the headers say. Bare addresses; an empty `from` is a bounce. */
export interface Envelope {
  from: string;
  to: string[];
}

/** One message as it was received. `id` counts up from 1; `receivedAt` ISO 8601. */
export interface Message extends MailContent {
  id: string;
  receivedAt: string;
  envelope: Envelope;
}

/** What lists show, kept in memory. */
export type MessageSummary = Pick<Message, "id" | "receivedAt" | "envelope" | "from" | "to" | "subject">;

/** Every message this machine was sent, on disk: `<id>.json` for readers and `<id>.eml` as it came. */
export interface Mailbox {
  /** Keeps a message; it is on disk when this resolves. The oldest goes when there are too many. */
  add(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message>;
  /** Newest first; only those delivered to the address `to` when given, in any case. */
  list(to: string | undefined, limit: number): MessageSummary[];
  /** Those that came after `id`, oldest first. */
  since(id: string): MessageSummary[];
  read(id: string): Promise<Message | undefined>;
  readRaw(id: string): Promise<Buffer | undefined>;
  /** Calls `listener` for every new message, until the returned function is called. */
  onMessage(listener: (message: MessageSummary) => void): () => void;
}

const KEPT = 1_000;

/** @param options.kept how many messages stay; 1,000 unless given */
export function openMailbox(dataDir: string, options: { kept?: number } = {}): Mailbox {
  const { kept = KEPT } = options;
  const folder = join(dataDir, "mail");
  mkdirSync(folder, { recursive: true });
  const summaries = readSummaries(folder);
  let last: Promise<unknown> = Promise.resolve();
  const events = new EventEmitter().setMaxListeners(0);
  const pathOf = (id: string, extension: string) => join(folder, `${id}.${extension}`);
  const isKnown = (id: string) => summaries.some((summary) => summary.id === id);

  async function keep(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message> {
    const id = String(Number(summaries.at(-1)?.id ?? 0) + 1);
    const message: Message = { id, receivedAt: new Date().toISOString(), envelope, ...content };
    await writeFile(pathOf(id, "eml"), raw);
    // Last and at once: a message is there whole or not at all.
    await writeFile(pathOf(id, "part"), JSON.stringify(message));
    await rename(pathOf(id, "part"), pathOf(id, "json"));
    summaries.push(summaryOf(message));
    for (const { id: old } of summaries.splice(0, Math.max(0, summaries.length - kept))) {
      await rm(pathOf(old, "json"), { force: true });
      await rm(pathOf(old, "eml"), { force: true });
    }
    events.emit("message", summaryOf(message));
    return message;
  }

  return {
    add(envelope, content, raw) {
      // One after the other: whoever has heard of a message has heard of all before it.
      const adding = last.then(() => keep(envelope, content, raw));
      last = adding.catch(() => {});
      return adding;
    },
    list(to, limit) {
      const wanted = to?.trim().toLowerCase();
      const delivered = ({ envelope }: MessageSummary) =>
        wanted === undefined || envelope.to.some((address) => address.toLowerCase() === wanted);
      return summaries.filter(delivered).slice(-limit).reverse();
    },
    since: (id) => summaries.filter((summary) => Number(summary.id) > Number(id)),
    read: async (id) => (isKnown(id) ? (JSON.parse(await readFile(pathOf(id, "json"), "utf8")) as Message) : undefined),
    readRaw: async (id) => (isKnown(id) ? await readFile(pathOf(id, "eml")) : undefined),
    onMessage(listener) {
      events.on("message", listener);
      return () => void events.off("message", listener);
    },
  };
}

function readSummaries(folder: string): MessageSummary[] {
  return readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => summaryOf(JSON.parse(readFileSync(join(folder, name), "utf8")) as Message))
    .sort((one, other) => Number(one.id) - Number(other.id));
}

function summaryOf({ id, receivedAt, envelope, from, to, subject }: Message): MessageSummary {
  return { id, receivedAt, envelope, from, to, subject };
}
