/** Registration of an application (spec section 2.2): the input of all three steps, and a secret that is shown once. */
import type { OAuthClient } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { hashToken, mintToken } from "../../accounts/secret-token.ts";
import { requireManager, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import { ForbiddenError, InvalidRequestError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import type { RateLimiter } from "../../platform/rate-limit.ts";
import { requiresSecret } from "../client-authentication.ts";
import { type ClientSteps, checkSteps, toColumns } from "./fields.ts";
import { checkLifetime } from "./token-lifetime.ts";

export const REGISTRABLE_KINDS = ["confidential", "public", "native", "automation"] as const;
/** The kind determines PKCE, client authentication and token lifetimes. */
export type RegistrableKind = (typeof REGISTRABLE_KINDS)[number];

export interface NewClient {
  readonly kind: RegistrableKind;
  readonly steps: ClientSteps;
  readonly deviceGrant: boolean;
  readonly acceptTerms: boolean;
  /** False registers the waiver of spec section 5: tokens may call any route, and the consent page says so. */
  readonly strictScopes: boolean;
  /** Lifetime of access tokens in seconds; null for the default of the kind. */
  readonly accessTokenSeconds: number | null;
}

const MAX_CLIENTS_OF_AN_ACCOUNT = 100;
/** Rate limit of registrations and edits per account, because some of them send email. */
export const CHANGES_PER_MINUTE = 30;

/**
 * Registers an application for the viewer's account. Users can authorize it only after its approval.
 * @returns the row and the secret, which is shown only once; null for a public client, which cannot store one
 * @throws {InvalidRequestError} for an invalid field
 * @throws {ForbiddenError} if the account already has 100 applications
 */
export async function registerClient(
  { db, rateLimiter }: { readonly db: Database; readonly rateLimiter: RateLimiter },
  viewer: Viewer | null,
  input: NewClient,
): Promise<{ client: OAuthClient; secret: string | null }> {
  const { accountId } = requireManager(viewer);
  await rateLimiter.consume("oauth-client", accountId, CHANGES_PER_MINUTE);
  const steps = checkSteps(input.kind, input.steps);
  const accessTokenSeconds = checkLifetime(input.kind, input.accessTokenSeconds);
  if (!input.acceptTerms) {
    throw new InvalidRequestError(
      "oauth.acceptTerms must be true: the terms apply to every application.",
      "oauth.acceptTerms",
    );
  }
  const now = new Date();
  const { secret, columns } = requiresSecret(input) ? mintSecret(now) : NO_SECRET;
  const data = {
    id: newId("cl"),
    accountId,
    kind: input.kind,
    deviceGrant: input.deviceGrant,
    status: "pending_approval",
    ...toColumns(steps),
    ...columns,
    strictScopes: input.strictScopes,
    accessTokenSeconds,
    termsAcceptedAt: now,
    // Marked as notified: the owner registered the application and needs no email.
    reviews: { create: { id: newId("clr"), toStatus: "pending_approval", notifiedAt: now } },
  };
  const client = await withAccountLock(db, accountId, async ({ oAuthClient }) => {
    if ((await oAuthClient.count({ where: { accountId } })) >= MAX_CLIENTS_OF_AN_ACCOUNT) {
      throw new ForbiddenError(
        `Nothing was registered: an account has at most ${MAX_CLIENTS_OF_AN_ACCOUNT} applications.`,
      );
    }
    return await oAuthClient.create({ data });
  });
  return { client, secret };
}

const NO_SECRET = { secret: null, columns: {} };

/** Creates a secret and the columns that store its hash and hint. */
export function mintSecret(now: Date) {
  const secret = mintToken("satchel_cs_");
  return { secret, columns: { secretHash: hashToken(secret), secretHint: secret.slice(-4), secretCreatedAt: now } };
}
