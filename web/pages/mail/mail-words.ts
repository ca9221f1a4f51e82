/** States of letters in words, and where a thread is. */
import { PATHS } from "../../app/paths.ts";
import type { MailAutomation, MailStatus } from "../../generated/graphql.ts";

/** What is worth saying of a letter's state: that one came or was sent is plain. */
export const STATUSES: Readonly<
  Record<MailStatus, { readonly tone: "bad" | "caution"; readonly text: string } | null>
> = {
  received: null,
  sent: null,
  queued: { tone: "caution", text: "Waits to be sent" },
  failed: { tone: "bad", text: "Not sent" },
  bounced: { tone: "bad", text: "Came back" },
};

export const AUTOMATIONS: Readonly<Record<MailAutomation, string>> = {
  auto_reply: "Automatic answer",
  bulk: "Sent to many",
  bounce: "Notice of a mail server",
};

export function threadPath(threadId: string): string {
  return PATHS.mailThread.replace(":threadId", encodeURIComponent(threadId));
}

const size = (unit: string, unitDisplay: "long" | "short" = "short") =>
  new Intl.NumberFormat("en-GB", { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 });
const SIZES = [size("byte", "long"), size("kilobyte"), size("megabyte")];

/** `18.2 kB`. */
export function fileSize(sizeBytes: number): string {
  const step = sizeBytes < 1_000 ? 0 : sizeBytes < 1_000_000 ? 1 : 2;
  return SIZES[step]?.format(sizeBytes / 1_000 ** step) ?? "";
}
