/** One-time codes by email: six digits, ten minutes, five wrong tries, for the browser that asked. */
import { createHash, randomInt } from "node:crypto";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { ServiceError } from "../../platform/errors.ts";
import { hashToken } from "../secret-token.ts";
import { beginAttempt } from "./attempts.ts";
import type { SignInDeps, StartedAttempt, Visitor } from "./deps.ts";
import { describeBrowser } from "./describe-browser.ts";
import { limitByNetwork, limitCodes } from "./limits.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_FAILED_ATTEMPTS = 5;

/** The code is not the one that was sent to this browser, or it is no longer good (not said which). */
export class InvalidCodeError extends ServiceError {
  readonly code = "invalid_code";
  /** How many tries are left; none when a new code is needed. */
  readonly attemptsLeft: number;
  constructor(attemptsLeft: number) {
    super(
      attemptsLeft > 0
        ? `That is not the code. ${attemptsLeft === 1 ? "One try is" : `${attemptsLeft} tries are`} left.`
        : "That code is no longer good here. Ask for a new one.",
    );
    this.attemptsLeft = attemptsLeft;
  }
}

export interface VerifiedCode {
  readonly email: string;
  readonly returnTo: string | null;
}

// One statement counts a wrong try or takes the attempt: however many guess at once, each try is counted before the next.
const TRY_CODE: Statement = {
  name: "try-email-code",
  text: `UPDATE sign_in_attempts SET
      failed_attempts = failed_attempts + CASE WHEN code_hash = $4 THEN 0 ELSE 1 END,
      consumed_at = CASE WHEN code_hash = $4 THEN now() END
    WHERE id = $1 AND kind = 'email_code' AND browser_hash = $2 AND account_id IS NOT DISTINCT FROM $3::uuid
      AND consumed_at IS NULL AND expires_at > now() AND failed_attempts < ${MAX_FAILED_ATTEMPTS}
    RETURNING consumed_at IS NOT NULL AS is_right, failed_attempts, email, return_to`,
};

/**
 * Sends a code. What happens is the same whether an account has the address or not: nobody looks.
 * @param purpose what the letter says the code is for, as in "to …"
 * @throws {RateLimitedError} too many codes to the address, or from the caller's network
 * @throws {MailNotConfiguredError | MailFailedError} the letter was not sent
 */
export async function sendCode(
  deps: SignInDeps,
  visitor: Visitor,
  attempt: {
    readonly email: string;
    readonly accountId: string | null;
    readonly returnTo: string | null;
    readonly purpose: string;
  },
): Promise<StartedAttempt> {
  await limitByNetwork(deps, "email_code", visitor.ip);
  await limitCodes(deps, attempt.email, visitor.ip);
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const started = await beginAttempt(deps.db, visitor, {
    kind: "email_code",
    lifetimeMs: LIFETIME_MS,
    accountId: attempt.accountId,
    email: attempt.email,
    returnTo: attempt.returnTo,
    codeHash: (attemptId, browserSecret) => hashCode(attemptId, browserSecret, code),
  });
  await deps.mailer.send({
    to: attempt.email,
    subject: "Your code for Satchel",
    text: letter(code, attempt.purpose, visitor, new URL(deps.site.browserUrl()).host),
  });
  return started;
}

/**
 * Tries a code, and takes the attempt when it is right: a code is good once.
 * @param attempt.accountId the account it was asked for by somebody signed in; null to sign in
 * @throws {InvalidCodeError} it is wrong, or no longer good
 * @throws {RateLimitedError} too many tries from the caller's network
 */
export async function verifyCode(
  deps: SignInDeps,
  visitor: Visitor,
  attempt: { readonly attemptId: string; readonly code: string; readonly accountId: string | null },
): Promise<VerifiedCode> {
  await limitByNetwork(deps, "email_guess", visitor.ip);
  const { browserSecret } = visitor;
  if (browserSecret === null) throw new InvalidCodeError(0);
  const tried = await tryCode(deps.db, browserSecret, attempt);
  if (tried === null) throw new InvalidCodeError(0);
  if (!tried.is_right) throw new InvalidCodeError(MAX_FAILED_ATTEMPTS - tried.failed_attempts);
  return { email: tried.email, returnTo: tried.return_to };
}

async function tryCode(
  db: Database,
  browserSecret: string,
  { attemptId, code, accountId }: { attemptId: string; code: string; accountId: string | null },
) {
  // People copy codes with the space the letter shows them with.
  const given = hashCode(attemptId, browserSecret, code.replace(/\s/g, ""));
  const [tried] = await db.query<{
    is_right: boolean;
    failed_attempts: number;
    email: string;
    return_to: string | null;
  }>(TRY_CODE, [attemptId, hashToken(browserSecret), accountId, given]);
  return tried ?? null;
}

/** With the browser's secret in it, which is not stored: who reads the table cannot try the million codes. */
function hashCode(attemptId: string, browserSecret: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`${attemptId}\0${browserSecret}\0${code}`).digest());
}

function letter(code: string, purpose: string, visitor: Visitor, host: string): string {
  return [
    `${code.slice(0, 3)} ${code.slice(3)}`,
    "",
    `This is your code to ${purpose}. It is good for 10 minutes, once, and only in the browser that asked for it.`,
    "",
    `It was asked for at ${host}, with ${describeBrowser(visitor.userAgent)}, from the address ${visitor.ip ?? "unknown"}.`,
    "",
    `Enter it there and nowhere else. Satchel never asks for it by telephone, in a letter or on another site.`,
    "If you did not ask for it, somebody typed your address: without the code nothing happens.",
    "",
  ].join("\n");
}
