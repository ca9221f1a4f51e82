/** Worker thread that parses messages. It reads untrusted bytes, so it has no access to the database or to secrets. */
import type { IncomingMessage } from "./incoming-message.ts";
import { parseMessage } from "./parse-message.ts";

export interface ParsingTask {
  readonly path: string;
  /** Folder for attachments. */
  readonly folder: string;
  readonly envelopeFrom: string;
}

export interface ParsingResult {
  readonly message: IncomingMessage;
  /** CPU time of this thread for the message. */
  readonly cpuMs: number;
}

/** Parses a message. Null only loads the modules. */
export default async function parse(task: ParsingTask | null): Promise<ParsingResult | null> {
  if (task === null) return null;
  const started = process.threadCpuUsage();
  const message = await parseMessage(task.path, task.folder, task.envelopeFrom);
  const { user, system } = process.threadCpuUsage(started);
  return { message, cpuMs: (user + system) / 1_000 };
}
