/** Labels of mail statuses, paths of threads and formatted file sizes. */
import { PATHS } from "../../app/paths.ts";
import type { MailAutomation, MailStatus } from "../../generated/graphql.ts";

/** Badge per mail status. Received and sent messages have none because their direction is visible. */
export const STATUSES: Readonly<
  Record<MailStatus, { readonly tone: "bad" | "caution"; readonly text: string } | null>
> = {
  RECEIVED: null,
  SENT: null,
  QUEUED: { tone: "caution", text: "Queued" },
  FAILED: { tone: "bad", text: "Not sent" },
  BOUNCED: { tone: "bad", text: "Bounced" },
};

export const AUTOMATIONS: Readonly<Record<MailAutomation, string>> = {
  AUTO_REPLY: "Automatic reply",
  BULK: "Bulk mail",
  BOUNCE: "Not delivered",
  COMPLAINT: "Spam complaint",
  DELIVERY_DELAY: "Delivery delayed",
  DELIVERY_RECEIPT: "Delivery receipt",
  READ_RECEIPT: "Read receipt",
};

export function threadPath(threadId: string): string {
  return PATHS.mailThread.replace(":threadId", encodeURIComponent(threadId));
}

const size = (unit: string, unitDisplay: "long" | "short" = "short") =>
  new Intl.NumberFormat("en-GB", { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 });
const SIZES = [size("byte", "long"), size("kilobyte"), size("megabyte")];

/** Formats a file size with its unit, for example `18.2 kB`. */
export function fileSize(sizeBytes: number): string {
  const step = sizeBytes < 1_000 ? 0 : sizeBytes < 1_000_000 ? 1 : 2;
  return SIZES[step]?.format(sizeBytes / 1_000 ** step) ?? "";
}
