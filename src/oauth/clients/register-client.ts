/** Registering an application (spec section 2.2): three steps' worth of input at once, and a secret that is shown once. */
import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { hashToken, mintToken } from "../../accounts/secret-token.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { type ClientSteps, checkSteps, columnsOf } from "./fields.ts";

export const REGISTRABLE_KINDS = ["confidential", "public", "automation"] as const;
/** Decides PKCE and how long tokens live. */
export type RegistrableKind = (typeof REGISTRABLE_KINDS)[number];

export interface NewClient {
  readonly kind: RegistrableKind;
  readonly steps: ClientSteps;
  readonly acceptTerms: boolean;
}

const MAX_CLIENTS_OF_AN_ACCOUNT = 100;
/** Registrations and edits of an account: some of them write letters. */
export const CHANGES_PER_MINUTE = 30;

/**
 * Registers an application for the viewer's account; it waits for approval, and nobody can authorize it before.
 * @returns the row, and the secret, which is shown this once.
 * @throws {InvalidRequestError} naming the field at fault; {@link ForbiddenError} past 100 applications.
 */
export async function registerClient(
  { db, rateLimiter }: { readonly db: Database; readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  input: NewClient,
): Promise<{ client: OAuthClient; secret: string }> {
  const { accountId } = requireManager(viewer);
  await rateLimiter.consume("oauth-client", accountId, CHANGES_PER_MINUTE);
  const steps = checkSteps(input.steps);
  if (!input.acceptTerms) {
    throw new InvalidRequestError("oauth.acceptTerms must be true: the terms apply to every app.", "oauth.acceptTerms");
  }
  const now = new Date();
  const { secret, columns } = mintSecret(now);
  const data = {
    id: newId("cl"),
    accountId,
    kind: input.kind,
    status: "pending_approval",
    ...columnsOf(steps),
    ...columns,
    termsAcceptedAt: now,
    // Whoever registered it knows: no letter is owed.
    reviews: { create: { id: newId("clr"), toStatus: "pending_approval", notifiedAt: now } },
  };
  const client = await withAccountLock(db, accountId, async ({ oAuthClient }) => {
    if ((await oAuthClient.count({ where: { accountId } })) >= MAX_CLIENTS_OF_AN_ACCOUNT) {
      throw new ForbiddenError(`An account registers at most ${MAX_CLIENTS_OF_AN_ACCOUNT} applications.`);
    }
    return await oAuthClient.create({ data });
  });
  return { client, secret };
}

/** A new secret, and what is kept of it. */
export function mintSecret(now: Date) {
  const secret = mintToken("satchel_cs_");
  return { secret, columns: { secretHash: hashToken(secret), secretHint: secret.slice(-4), secretCreatedAt: now } };
}
