/** Tells mail that machines wrote, which no machine should answer (RFC 3834). */
import type { Automated } from "./incoming-message.ts";

/** The value of a header field by its lower-case name, undefined without one. */
export type HeaderReader = (name: string) => string | undefined;

const BOUNCE_SENDERS = /^(?:mailer-daemon|postmaster)$/;

/** @param envelopeFrom empty for bounces */
export function recogniseAutomated(header: HeaderReader, from: string, envelopeFrom: string): Automated | null {
  const contentType = header("content-type")?.toLowerCase() ?? "";
  const isReport = contentType.startsWith("multipart/report");
  const localPart = from.slice(0, Math.max(0, from.lastIndexOf("@"))).toLowerCase();
  const isFromServer = BOUNCE_SENDERS.test(localPart);
  if (isReport && (contentType.includes("delivery-status") || envelopeFrom === "")) return "bounce";
  if (header("x-failed-recipients") !== undefined || (isFromServer && envelopeFrom === "")) return "bounce";

  const submitted = header("auto-submitted")?.toLowerCase().trim();
  const precedence = header("precedence")?.toLowerCase().trim();
  // Newsletters say who they are to mailing lists' software, and say so beside "auto-generated".
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
  // A null sender wants no answer, whatever it is.
  return envelopeFrom === "" ? "auto_reply" : null;
}

function isAutoReply(header: HeaderReader, submitted: string | undefined): boolean {
  return (
    submitted?.startsWith("auto-replied") === true ||
    ["x-autoreply", "x-autorespond", "x-auto-reply"].some((name) => header(name) !== undefined) ||
    /^auto(?:matic reply|matische antwort|mated reply)?:|^out of office:/i.test(header("subject")?.trim() ?? "")
  );
}
