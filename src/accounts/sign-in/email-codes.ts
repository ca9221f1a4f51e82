/**
 * One-time codes by email: six digits, valid for ten minutes and five wrong attempts, in the browser that requested
 * them.
 */
import { createHash, randomInt } from "node:crypto";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { isStorableText } from "../../platform/database/text.ts";
import { RateLimitedError, ServiceError } from "../../platform/errors.ts";
import { hashToken } from "../secret-token.ts";
import { beginAttempt } from "./attempts.ts";
import type { SignInDeps, StartedAttempt, Visitor } from "./deps.ts";
import { describeBrowser } from "./describe-browser.ts";
import { findKnownBrowser } from "./known-browser.ts";
import { limitCodes, limitKnownBrowser, limitSignIn } from "./limits.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_FAILED_ATTEMPTS = 5;

/** The code is wrong, has expired, or belongs to another browser. The error does not reveal which. */
export class InvalidCodeError extends ServiceError {
  readonly code = "invalid_code";
  /** The number of attempts left; 0 if a new code is required. */
  readonly attemptsLeft: number;
  constructor(attemptsLeft: number) {
    super(
      attemptsLeft > 0
        ? `The code is incorrect. ${attemptsLeft === 1 ? "1 attempt is" : `${attemptsLeft} attempts are`} left.`
        : "The code is no longer valid in this browser. Request a new code.",
    );
    this.attemptsLeft = attemptsLeft;
  }
}

export interface VerifiedCode {
  readonly email: string;
  readonly returnTo: string | null;
}

// One statement either counts a wrong code or consumes the attempt, so concurrent guesses cannot exceed the limit.
const VERIFY_CODE: Statement = {
  name: "try-email-code",
  text: `UPDATE sign_in_attempts SET
      failed_attempts = failed_attempts + CASE WHEN code_hash = $4 THEN 0 ELSE 1 END,
      consumed_at = CASE WHEN code_hash = $4 THEN now() END
    WHERE id = $1 AND kind = 'email_code' AND browser_hash = $2 AND account_id IS NOT DISTINCT FROM $3::uuid
      AND consumed_at IS NULL AND expires_at > now() AND failed_attempts < ${MAX_FAILED_ATTEMPTS}
    RETURNING consumed_at IS NOT NULL AS is_right, failed_attempts, email, return_to`,
};

/**
 * Sends a code. Does not check whether an account has the address, so the behaviour reveals nothing about it.
 * @param attempt.purpose completes the sentence "This is your code to …" in the email
 * @throws {RateLimitedError} after too many codes to the address, or from the caller's network
 * @throws {MailNotConfiguredError | MailFailedError} if the email was not sent
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
  const limit = async () => {
    await limitSignIn(deps, "email_code", visitor.ip);
    await limitCodes(deps, attempt.email, visitor.ip);
  };
  await limitUnlessKnown(deps, visitor, "codes", limit, async () => attempt.email);
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
    text: renderCodeEmail(code, attempt.purpose, visitor, new URL(deps.site.browserUrl()).host),
  });
  return started;
}

/**
 * Verifies a code. A correct code consumes the attempt.
 * @param attempt.accountId the signed-in account that requested the code; null to sign in
 * @throws {InvalidCodeError} if the code is wrong or no longer valid
 * @throws {RateLimitedError} after too many codes from the caller's network
 */
export async function verifyCode(
  deps: SignInDeps,
  visitor: Visitor,
  attempt: { readonly attemptId: string; readonly code: string; readonly accountId: string | null },
): Promise<VerifiedCode> {
  const limit = () => limitSignIn(deps, "email_guess", visitor.ip);
  await limitUnlessKnown(deps, visitor, "guesses", limit, () => findEmail(deps.db, attempt.attemptId));
  const { browserSecret } = visitor;
  if (browserSecret === null) throw new InvalidCodeError(0);
  const tried = await checkCode(deps.db, browserSecret, attempt);
  if (tried === null) throw new InvalidCodeError(0);
  if (!tried.is_right) throw new InvalidCodeError(MAX_FAILED_ATTEMPTS - tried.failed_attempts);
  return { email: tried.email, returnTo: tried.return_to };
}

/**
 * Applies a limit. If it is exceeded, a browser that signed in to the address before proceeds within its own limit.
 * @throws {RateLimitedError}
 */
async function limitUnlessKnown(
  deps: SignInDeps,
  { knownBrowser }: Visitor,
  operation: "codes" | "guesses",
  limit: () => Promise<void>,
  readEmail: () => Promise<string | null>,
): Promise<void> {
  try {
    await limit();
  } catch (error) {
    if (!(error instanceof RateLimitedError) || knownBrowser === null) throw error;
    const email = await readEmail();
    const browserId = email === null ? null : await findKnownBrowser(deps, knownBrowser, email);
    if (browserId === null) throw error;
    await limitKnownBrowser(deps, operation, browserId);
  }
}

async function findEmail({ prisma }: Database, attemptId: string): Promise<string | null> {
  if (!isStorableText(attemptId)) return null;
  const attempt = await prisma.signInAttempt.findUnique({ where: { id: attemptId }, select: { email: true } });
  return attempt?.email ?? null;
}

async function checkCode(
  db: Database,
  browserSecret: string,
  { attemptId, code, accountId }: { attemptId: string; code: string; accountId: string | null },
) {
  // Users copy the code with the space that the email shows.
  const codeHash = hashCode(attemptId, browserSecret, code.replace(/\s/g, ""));
  const [tried] = await db.query<{
    is_right: boolean;
    failed_attempts: number;
    email: string;
    return_to: string | null;
  }>(VERIFY_CODE, [attemptId, hashToken(browserSecret), accountId, codeHash]);
  return tried ?? null;
}

/** Hashes a code with the browser's secret. The secret is not stored, so a leaked table does not allow brute force. */
function hashCode(attemptId: string, browserSecret: string, code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(`${attemptId}\0${browserSecret}\0${code}`).digest());
}

function renderCodeEmail(code: string, purpose: string, visitor: Visitor, host: string): string {
  return [
    `${code.slice(0, 3)} ${code.slice(3)}`,
    "",
    `This is your code to ${purpose}. It is valid for 10 minutes, once, and only in the browser that requested it.`,
    "",
    `It was requested at ${host} with ${describeBrowser(visitor.userAgent)}, from IP address ${visitor.ip ?? "unknown"}.`,
    "",
    "Enter it only there. Satchel never requests this code by telephone, by email or on another site.",
    "If you did not request this code, ignore this email. Without the code, no change is made.",
    "",
  ].join("\n");
}
