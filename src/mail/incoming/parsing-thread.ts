/** What a thread that parses does with a message: nothing here touches the database or a secret, for strangers' bytes are read. */
import type { IncomingMessage } from "./incoming-message.ts";
import { parseMessage } from "./parse-message.ts";

export interface ParsingTask {
  readonly path: string;
  /** Where attachments go. */
  readonly folder: string;
  readonly envelopeFrom: string;
}

export default function parse({ path, folder, envelopeFrom }: ParsingTask): Promise<IncomingMessage> {
  return parseMessage(path, folder, envelopeFrom);
}
