/** Emails about the recovery of an account. */
import type { AccountRecovery } from "../../../generated/prisma/client.ts";
import type { SignInDeps } from "../sign-in/deps.ts";

export type RecoveryEmailDeps = Pick<SignInDeps, "site" | "mailer" | "queueEmail" | "logger" | "pubsub">;

interface Notice {
  readonly subject: string;
  text(recovery: AccountRecovery, securityUrl: string): string;
}

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;

const NOTICES = {
  recoveryStarted: {
    subject: "An administrator is changing the email address of your Satchel account",
    text: ({ newEmail, effectiveAt }, securityUrl) =>
      [
        `An administrator started to change the email address of your Satchel account to ${maskAddress(newEmail)}, because its owner reported that this mailbox is lost.`,
        "",
        `The change takes effect at ${formatTime(effectiveAt)} and ends all sessions of the account.`,
        "",
        `If you did not request this, sign in with this address before then and cancel it: ${securityUrl}`,
      ].join("\n"),
  },
  recoveryCancelled: {
    subject: "The change of the email address of your Satchel account was cancelled",
    text: () => "The email address of your Satchel account remains as it is.",
  },
} as const satisfies Record<string, Notice>;

/** Shows only the first character and the domain, because the reader may not be the account's owner. */
function maskAddress(email: string): string {
  const [name = "", domain = ""] = email.split("@");
  return `${[...name][0] ?? ""}…@${domain}`;
}

/**
 * Sends the link that confirms the new address. It contains a secret, so the email is not queued.
 * @throws {MailNotConfiguredError | MailFailedError}
 */
export async function sendConfirmationEmail(
  { mailer, site }: RecoveryEmailDeps,
  { newEmail, effectiveAt }: AccountRecovery,
  token: string,
): Promise<void> {
  await mailer.send({
    to: newEmail,
    subject: "Confirm the new email address of your Satchel account",
    text: [
      "You requested to use this address for a Satchel account whose mailbox is lost. Confirm that you read this mailbox:",
      "",
      `${site.browserUrl()}/recover#${token}`,
      "",
      `The change takes effect at ${formatTime(effectiveAt)}, unless the account's owner cancels it. After that, sign in with this address.`,
      "If you did not request this, ignore this email. Without your confirmation the address is not changed.",
      "",
    ].join("\n"),
  });
}

/** Queues a notice to the previous and the new address. A failure is logged and does not affect the recovery. */
export async function sendNoticeEmails(
  { queueEmail, logger, site }: RecoveryEmailDeps,
  recovery: AccountRecovery,
  name: keyof typeof NOTICES,
): Promise<void> {
  const { subject, text }: Notice = NOTICES[name];
  // The new address receives its own email at the start.
  const recipients = name === "recoveryStarted" ? [recovery.oldEmail] : [recovery.oldEmail, recovery.newEmail];
  for (const to of recipients) {
    if (to === null) continue;
    const body = `${text(recovery, `${site.browserUrl()}/dashboard/security`)}\n`;
    try {
      await queueEmail({ to, subject, text: body, idempotencyKey: `${name}:${recovery.id}:${to}` });
    } catch (error) {
      logger.error({ err: error, recoveryId: recovery.id }, "Notice of an account recovery was not queued");
    }
  }
}
