/** Delivery status notifications (RFC 3464): the undelivered message and the reason. */
import { cleanLine } from "./clean-text.ts";
import type { DeliveryFailure } from "./incoming-message.ts";

const MAX_REASON_LENGTH = 500;
/** Bytes read of each part; more than any real report has. */
export const MAX_REPORT_BYTES = 65_536;

/** The decoded parts of a multipart/report, each truncated to {@link MAX_REPORT_BYTES}. */
export interface ReportParts {
  /** Content of the `message/delivery-status` part. */
  readonly status: string;
  /** Content of the `message/rfc822` or `text/rfc822-headers` part: the original message or its header. */
  readonly original: string;
}

/** Returns the failure, or null when the report contains no permanent failure or no Message-ID. */
export function readDeliveryReport({ status, original }: ReportParts): DeliveryFailure | null {
  const fields = parseFields(status);
  const actions = fields.filter(([name]) => name === "action").map(([, value]) => value.toLowerCase());
  if (!actions.includes("failed")) return null;
  const head = original.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const messageIdHeader = parseFields(head).find(([name]) => name === "message-id")?.[1];
  if (messageIdHeader === undefined || !/^<[^\s<>]{1,500}>$/.test(messageIdHeader)) return null;
  const field = (fieldName: string) => fields.find(([name]) => name === fieldName)?.[1] ?? "";
  const text = field("diagnostic-code").replace(/^[\w-]{1,20};\s?/, "") || field("status");
  return { messageIdHeader, reason: cleanLine(text, MAX_REASON_LENGTH) || "The message was not delivered." };
}

/** Parses header fields. Names are in lower case; folded lines are joined. */
function parseFields(text: string): [name: string, value: string][] {
  const fields: [string, string][] = [];
  for (const line of text.slice(0, MAX_REPORT_BYTES).split(/\r?\n/)) {
    const last = fields.at(-1);
    const colon = line.indexOf(":");
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`;
    else if (colon > 0) fields.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return fields;
}
