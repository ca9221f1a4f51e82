/** Detection of automated mail, to which no automatic reply should be sent (RFC 3834). */
import type { Automated } from "./incoming-message.ts";

/** Returns the value of a header field by its lower-case name; undefined when absent. */
export type HeaderReader = (name: string) => string | undefined;

const BOUNCE_SENDERS = /^(?:mailer-daemon|postmaster)$/;

/**
 * Classifies a message as a bounce, bulk mail or an automatic reply; null for mail written by hand.
 * @param envelopeFrom empty for bounces
 */
export function classifyAutomated(header: HeaderReader, from: string, envelopeFrom: string): Automated | null {
  const contentType = header("content-type")?.toLowerCase() ?? "";
  const isReport = contentType.startsWith("multipart/report");
  const localPart = from.slice(0, Math.max(0, from.lastIndexOf("@"))).toLowerCase();
  const isFromServer = BOUNCE_SENDERS.test(localPart);
  if (isReport && (contentType.includes("delivery-status") || envelopeFrom === "")) return "bounce";
  if (header("x-failed-recipients") !== undefined || (isFromServer && envelopeFrom === "")) return "bounce";

  const submitted = header("auto-submitted")?.toLowerCase().trim();
  const precedence = header("precedence")?.toLowerCase().trim();
  // Checked before Auto-Submitted: newsletters have List-* fields beside "auto-generated".
  if (
    ["list-id", "list-post", "list-unsubscribe", "list-help", "x-mailing-list"].some(
      (name) => header(name) !== undefined,
    )
  )
    return "bulk";
  if (precedence !== undefined && ["bulk", "list", "junk"].includes(precedence) && !isAutoReply(header, submitted))
    return "bulk";
  if (isAutoReply(header, submitted) || precedence === "auto_reply") return "auto_reply";
  if (submitted !== undefined && !/^no(?:$|[\s;(])/.test(submitted)) return "auto_reply";
  // A null sender accepts no replies, regardless of the header.
  return envelopeFrom === "" ? "auto_reply" : null;
}

function isAutoReply(header: HeaderReader, submitted: string | undefined): boolean {
  return (
    submitted?.startsWith("auto-replied") === true ||
    ["x-autoreply", "x-autorespond", "x-auto-reply"].some((name) => header(name) !== undefined) ||
    /^auto(?:matic reply|matische antwort|mated reply)?:|^out of office:/i.test(header("subject")?.trim() ?? "")
  );
}
