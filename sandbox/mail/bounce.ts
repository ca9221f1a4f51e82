/** Delivery status notifications for undelivered messages (RFC 3464). */
import { randomUUID } from "node:crypto";
import { CORRESPONDENT_DOMAIN, RELAY_NAME } from "./domain.ts";

/** Builds a bounce. @param refusal the receiving server's reply, such as `550 5.1.1 No such user` */
export function createBounce(sender: string, to: string, refusal: string, original: Buffer): Buffer {
  const boundary = `report-${randomUUID()}`;
  const text = refusal.replace(/[^\x20-\x7e]+/g, " ");
  const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] ?? "5.0.0";
  const lines = [
    `From: Mail Delivery System <mailer-daemon@${CORRESPONDENT_DOMAIN}>`,
    `To: ${sender}`,
    "Subject: Undelivered Mail Returned to Sender",
    `Message-ID: <${randomUUID()}@${CORRESPONDENT_DOMAIN}>`,
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=us-ascii",
    "",
    `Your message to ${to} was not delivered:`,
    "",
    `    ${text}`,
    "",
    `--${boundary}`,
    "Content-Type: message/delivery-status",
    "",
    `Reporting-MTA: dns; ${RELAY_NAME}`,
    "",
    `Final-Recipient: rfc822; ${to}`,
    "Action: failed",
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${text}`,
    "",
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "",
    extractHeader(original),
    `--${boundary}--`,
    "",
  ];
  return Buffer.from(lines.join("\r\n"), "latin1");
}

function extractHeader(message: Buffer): string {
  const end = message.indexOf("\r\n\r\n");
  return message.subarray(0, end < 0 ? message.length : end + 2).toString("latin1");
}
