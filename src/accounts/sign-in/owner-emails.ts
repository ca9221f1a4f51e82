import type { SignInDeps } from "./deps.ts";

interface OwnerEmail {
  readonly subject: string;
  readonly text: string;
  /**
   * Sends at most one email per address in this interval. For repeatable changes, which could otherwise fill the queue.
   */
  readonly everyMs?: number;
}

const OWNER_EMAILS = {
  emailChanged: {
    subject: "The email address of your Satchel account was changed",
    text: "Your Satchel account now has another email address. Sign-in codes are no longer sent to this one.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your Satchel account",
    text: "A new passkey can now sign in to your Satchel account.",
  },
  passkeyRemoved: {
    subject: "A passkey was removed from your Satchel account",
    text: "The removed passkey can no longer sign in to your Satchel account.",
  },
  emailRecovered: {
    subject: "The email address of your Satchel account was changed by an administrator",
    text: "Your Satchel account now has another email address, as announced. Its sessions were ended. Sign-in codes are no longer sent to this address.",
  },
  limitsRaised: {
    subject: "A limit of your Satchel account was raised or removed",
    text: "Payments from your Satchel account may now exceed the previous limit: one of the account's limits was raised or removed.",
    everyMs: 60_000,
  },
  accountStopped: {
    subject: "Your Satchel account was stopped",
    text: "Everything is stopped in your Satchel account: payments, orders, trades and outgoing email. Resume it in the dashboard with a passkey.",
    everyMs: 60_000,
  },
  accountFrozen: {
    subject: "Your Satchel account was frozen",
    text: "An administrator has frozen your Satchel account: payments, orders, trades, outgoing email and new sign-ins. Reply to the operator of the service to find out why.",
    everyMs: 60_000,
  },
  accountResumed: {
    subject: "Your Satchel account was resumed",
    text: "Your Satchel account is no longer frozen. Payments, orders, trades and outgoing email are possible again.",
    everyMs: 60_000,
  },
} as const satisfies Record<string, OwnerEmail>;

/** Dependencies for email to an account owner. */
export type OwnerEmailDeps = Pick<SignInDeps, "site" | "queueEmail" | "logger">;

/**
 * Queues an email that notifies the account owner of a change, so an unauthorized change is noticed. A failure is
 * logged and does not affect the change.
 */
export async function notifyOwner(
  deps: OwnerEmailDeps,
  to: string | null,
  change: keyof typeof OWNER_EMAILS,
): Promise<void> {
  if (to === null) return;
  const { subject, text, everyMs }: OwnerEmail = OWNER_EMAILS[change];
  const security = `${deps.site.browserUrl()}/dashboard/security`;
  const advice = `If you did not make this change, sign in, revoke unknown sessions and remove unknown passkeys: ${security}`;
  const deduplication = everyMs && { idempotencyKey: `${change}:${to}:${Math.floor(Date.now() / everyMs)}` };
  try {
    await deps.queueEmail({ to, subject, text: `${text}\n\n${advice}\n`, ...deduplication });
  } catch (error) {
    deps.logger.error({ err: error }, "Owner notification email was not queued");
  }
}
