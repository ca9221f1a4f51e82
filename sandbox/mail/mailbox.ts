import { EventEmitter } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MailContent } from "./parse.ts";

/** The SMTP envelope, independent of the header. Bare addresses; `from` is empty for bounces. */
export interface Envelope {
  from: string;
  to: string[];
}

/** A received message. `id` counts up from 1; `receivedAt` is ISO 8601. */
export interface Message extends MailContent {
  id: string;
  receivedAt: string;
  envelope: Envelope;
}

/** The fields shown in lists, cached in memory. */
export type MessageSummary = Pick<Message, "id" | "receivedAt" | "envelope" | "from" | "to" | "subject">;

/** All messages received by the sandbox, on disk: `<id>.json` is parsed, `<id>.eml` is the original. */
export interface Mailbox {
  /** Stores a message; resolves when it is on disk. Deletes the oldest message above the limit. */
  add(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message>;
  /** Returns messages, newest first. If `to` is given, only those delivered to that address (case-insensitive). */
  list(to: string | undefined, limit: number): MessageSummary[];
  /** Returns the messages after `id`, oldest first. */
  since(id: string): MessageSummary[];
  read(id: string): Promise<Message | undefined>;
  readRaw(id: string): Promise<Buffer | undefined>;
  /** Calls `listener` for every new message. Returns a function that unsubscribes it. */
  onMessage(listener: (message: MessageSummary) => void): () => void;
}

const MAX_MESSAGES = 1_000;

/** Opens the mailbox. @param options.maxMessages maximum number of stored messages; default 1,000 */
export function openMailbox(dataDir: string, options: { maxMessages?: number } = {}): Mailbox {
  const maxMessages = options.maxMessages ?? MAX_MESSAGES;
  const folder = join(dataDir, "mail");
  mkdirSync(folder, { recursive: true });
  const summaries = readSummaries(folder);
  let last: Promise<unknown> = Promise.resolve();
  const events = new EventEmitter().setMaxListeners(0);
  const pathOf = (id: string, extension: string) => join(folder, `${id}.${extension}`);
  const isKnown = (id: string) => summaries.some((summary) => summary.id === id);

  async function store(envelope: Envelope, content: MailContent, raw: Buffer): Promise<Message> {
    const id = String(Number(summaries.at(-1)?.id ?? 0) + 1);
    const message: Message = { id, receivedAt: new Date().toISOString(), envelope, ...content };
    await writeFile(pathOf(id, "eml"), raw);
    // Renamed last, so the message is either complete or absent.
    await writeFile(pathOf(id, "part"), JSON.stringify(message));
    await rename(pathOf(id, "part"), pathOf(id, "json"));
    summaries.push(toSummary(message));
    for (const { id: old } of summaries.splice(0, Math.max(0, summaries.length - maxMessages))) {
      await rm(pathOf(old, "json"), { force: true });
      await rm(pathOf(old, "eml"), { force: true });
    }
    events.emit("message", toSummary(message));
    return message;
  }

  return {
    add(envelope, content, raw) {
      // Serialised, so listeners receive messages in the order of their ids.
      const adding = last.then(() => store(envelope, content, raw));
      last = adding.catch(() => {});
      return adding;
    },
    list(to, limit) {
      const recipient = to?.trim().toLowerCase();
      const isDelivered = ({ envelope }: MessageSummary) =>
        recipient === undefined || envelope.to.some((address) => address.toLowerCase() === recipient);
      return summaries.filter(isDelivered).slice(-limit).reverse();
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
    .map((name) => toSummary(JSON.parse(readFileSync(join(folder, name), "utf8")) as Message))
    .sort((one, other) => Number(one.id) - Number(other.id));
}

function toSummary({ id, receivedAt, envelope, from, to, subject }: Message): MessageSummary {
  return { id, receivedAt, envelope, from, to, subject };
}
