/** Attempts to sign in, from the first step to the last. Only the browser that began one ends it, once. */
import type { z } from "zod";
import type { Prisma } from "../../../generated/prisma/client.ts";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import { hashToken } from "../secret-token.ts";
import { newBrowserSecret } from "./browser-cookie.ts";
import type { StartedAttempt, Visitor } from "./deps.ts";

export type AttemptKind = "email_code" | "passkey_sign_in" | "passkey_registration" | "passkey_signature" | "oidc";

export interface NewAttempt {
  readonly kind: AttemptKind;
  readonly lifetimeMs: number;
  /** Somebody signed in, who adds to their account; null for one that signs in. */
  readonly accountId: string | null;
  readonly email?: string;
  readonly details?: Prisma.InputJsonObject;
  readonly returnTo?: string | null;
  /** What is stored of a one-time code, made from the attempt's id and the browser's secret. */
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

const DELETE_OLD: Statement = {
  name: "delete-old-sign-in-attempts",
  text: "DELETE FROM sign_in_attempts WHERE expires_at < now() - interval '1 day'",
};

/** Stores an attempt, tied to the browser's secret: the one it has, or a new one. */
export async function beginAttempt(db: Database, visitor: Visitor, attempt: NewAttempt): Promise<StartedAttempt> {
  const attemptId = newId("sia");
  const browserSecret = visitor.browserSecret ?? newBrowserSecret();
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
 * Takes an attempt, so that nobody can again, however it ends. Null when there is none to take: unknown, past its time,
 * taken before, of another kind, begun in another browser or by somebody else.
 * @param asked.details what its kind keeps from the first step to the last; null where it keeps nothing
 */
export async function consumeAttempt<Details>(
  db: Database,
  visitor: Visitor,
  asked: {
    readonly id: string;
    readonly kind: AttemptKind;
    readonly accountId: string | null;
    readonly details: z.ZodType<Details>;
  },
): Promise<ConsumedAttempt<Details> | null> {
  if (visitor.browserSecret === null) return null;
  const values = [asked.id, asked.kind, hashToken(visitor.browserSecret), asked.accountId];
  const [attempt] = await db.query<ConsumedAttempt<unknown>>(CONSUME, values);
  return attempt ? { ...attempt, details: asked.details.parse(attempt.details) } : null;
}

/** Forgets attempts that ended a day ago. */
export async function deleteOldAttempts(db: Database): Promise<void> {
  await db.query(DELETE_OLD, []);
}
