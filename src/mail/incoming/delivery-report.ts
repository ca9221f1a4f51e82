/** Reads delivery status notifications (RFC 3464): which message did not arrive, and why. */
import { cleanLine } from "./clean-text.ts";
import type { DeliveryFailure } from "./incoming-message.ts";

const MAX_REASON_LENGTH = 500;
/** More than any report needs; what follows is not read. */
export const MAX_REPORT_BYTES = 65_536;

/** The parts of a multipart/report, decoded: at most {@link MAX_REPORT_BYTES} of each. */
export interface ReportParts {
  /** Of `message/delivery-status`. */
  readonly status: string;
  /** Of `message/rfc822` or `text/rfc822-headers`: the message that was sent, or its head. */
  readonly original: string;
}

/** Null when it does not say that a message failed for good, or not which. */
export function readDeliveryReport({ status, original }: ReportParts): DeliveryFailure | null {
  const fields = fieldsOf(status);
  const actions = fields.filter(([name]) => name === "action").map(([, value]) => value.toLowerCase());
  if (!actions.includes("failed")) return null;
  const head = original.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const messageIdHeader = fieldsOf(head).find(([name]) => name === "message-id")?.[1];
  if (messageIdHeader === undefined || !/^<[^\s<>]{1,500}>$/.test(messageIdHeader)) return null;
  const field = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? "";
  const words = field("diagnostic-code").replace(/^[\w-]{1,20};\s?/, "") || field("status");
  return { messageIdHeader, reason: cleanLine(words, MAX_REASON_LENGTH) || "The message was not delivered." };
}

/** Names in lower case; folded lines joined. */
function fieldsOf(text: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (const line of text.slice(0, MAX_REPORT_BYTES).split(/\r?\n/)) {
    const last = fields.at(-1);
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`;
    else if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return fields;
}
