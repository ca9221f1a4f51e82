/** Worker thread that parses messages. It reads untrusted bytes, so it has no access to the database or to secrets. */
import type { IncomingMessage } from "./incoming-message.ts";
import { parseMessage } from "./parse-message.ts";

export interface ParsingTask {
  readonly path: string;
  /** Folder for attachments. */
  readonly folder: string;
  readonly envelopeFrom: string;
}

export default function parse({ path, folder, envelopeFrom }: ParsingTask): Promise<IncomingMessage> {
  return parseMessage(path, folder, envelopeFrom);
}
