/** A message that no parser could read: kept as it came, as its own attachment. */
import { cleanLine } from "./clean-text.ts";
import type { Envelope, IncomingMessage, SpooledAttachment } from "./incoming-message.ts";
import type { SpooledMessage } from "./spool.ts";

const TEXT = "This message could not be read. It is attached as it came.";
const MAX_ADDRESS_LENGTH = 320;

export function unreadableMessage(spooled: SpooledMessage, { from }: Envelope): IncomingMessage {
  return {
    messageIdHeader: null,
    inReplyTo: null,
    references: [],
    from: { address: cleanLine(from, MAX_ADDRESS_LENGTH), name: "" },
    replyTo: null,
    to: [],
    cc: [],
    subject: "(unreadable message)",
    bodyText: TEXT,
    extractedText: TEXT,
    bodyHtml: null,
    // Nobody should answer what nobody could read.
    automated: "auto_reply",
    deliveryFailure: null,
    attachments: [wholeMessage(spooled)],
    isCut: false,
  };
}

/** The message's own bytes as an attachment. */
export function wholeMessage({ path, sizeBytes, sha256 }: SpooledMessage): SpooledAttachment {
  const [filename, contentType] = ["message.eml", "message/rfc822"];
  return { path, filename, contentType, sizeBytes, sha256, contentId: null, isInline: false };
}
