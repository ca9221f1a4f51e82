import type { SignInDeps } from "./deps.ts";

interface OwnerEmail {
  readonly subject: string;
  readonly text: string;
  /** Of what can be done again and again: one letter in so long, or those to others would wait behind them. */
  readonly everyMs?: number;
}

const LETTERS = {
  emailChanged: {
    subject: "The address of your Satchel account was changed",
    text: "Your Satchel account now has another e-mail address. Codes to sign in no longer come to this one.",
  },
  passkeyAdded: {
    subject: "A passkey was added to your Satchel account",
    text: "A new passkey now opens your Satchel account.",
  },
  passkeyRemoved: {
    subject: "A passkey of your Satchel account was removed",
    text: "A passkey no longer opens your Satchel account.",
  },
  limitsRaised: {
    subject: "A limit of your Satchel account was raised or removed",
    text: "What pays from your Satchel account may now spend more than before: one of the account's own limits was raised or removed.",
    everyMs: 60_000,
  },
} as const satisfies Record<string, OwnerEmail>;

/** What it takes to write to an account's owner. */
export type OwnerEmailDeps = Pick<SignInDeps, "site" | "queueEmail" | "logger">;

/** Tells an account's owner what was changed, so that they notice when it was not them. Queued: it neither delays nor stops the change. */
export async function notifyOwner(deps: OwnerEmailDeps, to: string | null, what: keyof typeof LETTERS): Promise<void> {
  if (to === null) return;
  const { subject, text, everyMs }: OwnerEmail = LETTERS[what];
  const security = `${deps.site.browserUrl()}/dashboard/security`;
  const advice = `If this was not you, sign in, end the sessions you do not know, and remove what you did not add: ${security}`;
  const once = everyMs && { idempotencyKey: `${what}:${to}:${Math.floor(Date.now() / everyMs)}` };
  try {
    await deps.queueEmail({ to, subject, text: `${text}\n\n${advice}\n`, ...once });
  } catch (error) {
    deps.logger.error({ err: error }, "a letter about a change of an account was not queued");
  }
}
