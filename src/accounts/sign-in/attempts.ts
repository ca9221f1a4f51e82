/**
 * Sign-in attempts between their first and last request. An attempt is bound to one browser and can be completed once.
 */
import type { z } from "zod";
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import { hashToken } from "../secret-token.ts";
import { createBrowserSecret } from "./browser-cookie.ts";
import type { StartedAttempt, Visitor } from "./deps.ts";

export type AttemptKind = "email_code" | "passkey_sign_in" | "passkey_registration" | "passkey_signature" | "oidc";

export interface NewAttempt {
  readonly kind: AttemptKind;
  readonly lifetimeMs: number;
  /** The signed-in account that adds an email address or passkey; null when signing in. */
  readonly accountId: string | null;
  readonly email?: string;
  readonly details?: Prisma.InputJsonObject;
  readonly returnTo?: string | null;
  /** Computes the stored hash of a one-time code from the attempt's id and the browser's secret. */
  readonly codeHash?: (attemptId: string, browserSecret: string) => Uint8Array<ArrayBuffer>;
}

export interface ConsumedAttempt<Details> {
  readonly id: string;
  readonly details: Details;
  readonly returnTo: string | null;
}

const CONSUME: Statement = {
  name: "consume-sign-in-attempt",
  text: `UPDATE sign_in_attempts SET consumed_at = now()
    WHERE id = $1 AND kind = $2 AND browser_hash = $3 AND account_id IS NOT DISTINCT FROM $4::uuid AND consumed_at IS NULL AND expires_at > now()
    RETURNING id, details, return_to AS "returnTo"`,
};

/** Stores an attempt bound to the browser's secret. Creates a secret if the browser has none. */
export async function beginAttempt(db: Database, visitor: Visitor, attempt: NewAttempt): Promise<StartedAttempt> {
  const attemptId = newId("sia");
  const browserSecret = visitor.browserSecret ?? createBrowserSecret();
  const expiresAt = new Date(Date.now() + attempt.lifetimeMs);
  await db.prisma.signInAttempt.create({
    data: {
      id: attemptId,
      kind: attempt.kind,
      browserHash: hashToken(browserSecret),
      accountId: attempt.accountId,
      email: attempt.email ?? null,
      codeHash: attempt.codeHash?.(attemptId, browserSecret) ?? null,
      ...(attempt.details ? { details: attempt.details } : {}),
      returnTo: attempt.returnTo ?? null,
      expiresAt,
    },
  });
  return { attemptId, expiresAt, browserSecret };
}

/**
 * Consumes an attempt, which prevents any further use regardless of the outcome. Returns null if the attempt is
 * unknown, expired, already consumed, of another kind, of another browser or of another account.
 * @param expected.details schema of the details stored at the first step; `z.null()` if the kind stores none
 */
export async function consumeAttempt<Details>(
  db: Database,
  visitor: Visitor,
  expected: {
    readonly id: string;
    readonly kind: AttemptKind;
    readonly accountId: string | null;
    readonly details: z.ZodType<Details>;
  },
): Promise<ConsumedAttempt<Details> | null> {
  if (visitor.browserSecret === null) return null;
  const values = [expected.id, expected.kind, hashToken(visitor.browserSecret), expected.accountId];
  const [attempt] = await db.query<ConsumedAttempt<unknown>>(CONSUME, values);
  return attempt ? { ...attempt, details: expected.details.parse(attempt.details) } : null;
}
