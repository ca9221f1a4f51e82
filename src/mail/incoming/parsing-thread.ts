/** Worker thread that parses messages. It reads untrusted bytes, so it has no access to the database or to secrets. */
import type { IncomingMessage } from "./incoming-message.ts";
import { parseMessage } from "./parse-message.ts";

export interface ParsingTask {
  readonly path: string;
  /** Folder for attachments. */
  readonly folder: string;
  readonly envelopeFrom: string;
}

/** Parses a message. Null only loads the modules. */
export default async function parse(task: ParsingTask | null): Promise<IncomingMessage | null> {
  return task === null ? null : await parseMessage(task.path, task.folder, task.envelopeFrom);
}
