/** Standing policies: signed with the account owner's passkey, one in force at a time, immutable. */
import { z } from "zod";
import type { CheckoutPolicy } from "../../../generated/prisma/client.ts";
import { withAccountLock } from "../../accounts/account-lock.ts";
import { requireSession } from "../../accounts/recent-proof.ts";
import { beginAttempt, consumeAttempt } from "../../accounts/sign-in/attempts.ts";
import type { StartedAttempt, Visitor } from "../../accounts/sign-in/deps.ts";
import { PasskeyRefusedError } from "../../accounts/sign-in/passkey-responses.ts";
import { passkeySignatureOptions, verifyPasskeySignature } from "../../accounts/sign-in/passkey-signature.ts";
import { formatSubject } from "../../accounts/subject.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError, NotFoundError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { SigningDeps } from "../deps.ts";
import { periodsOf } from "./evaluate-policy.ts";
import { checkTerms, createPolicyDocument, PolicyDocument, type PolicyTerms } from "./policy-document.ts";

export interface StartedPolicy extends StartedAttempt {
  readonly document: PolicyDocument;
  /** PublicKeyCredentialRequestOptionsJSON; its challenge is the document's digest. */
  readonly options: object;
}

const LIFETIME_MS = 5 * 60_000;
const Details = z.object({ policy: PolicyDocument });

/**
 * Creates the policy document to sign. The attempt is valid for 5 minutes and one response.
 * @throws {ForbiddenError | InvalidRequestError}
 */
export async function startCheckoutPolicy(
  deps: SigningDeps,
  visitor: Visitor,
  terms: PolicyTerms,
): Promise<StartedPolicy> {
  const { accountId } = requireSession(visitor.viewer);
  checkTerms(terms);
  const { agent, paymentCard, checkoutPolicy } = deps.db.prisma;
  const cards = await paymentCard.count({ where: { accountId, removedAt: null, id: { in: [...terms.cardIds] } } });
  if (cards < new Set(terms.cardIds).size) {
    throw new InvalidRequestError("cardIds contains an unknown card.", "cardIds");
  }
  const [newest, ownAgent] = await Promise.all([
    checkoutPolicy.aggregate({ where: { accountId }, _max: { version: true } }),
    agent.findFirst({ where: { accountId }, select: { id: true } }),
  ]);
  const document = createPolicyDocument(terms, {
    id: newId("pol"),
    version: (newest._max.version ?? 0) + 1,
    sub: formatSubject(deps.site.baseUrl(), accountId),
    agent_id: ownAgent?.id ?? null,
  });
  const options = await passkeySignatureOptions(deps, accountId, canonicalDigest(document));
  const attempt = await beginAttempt(deps.db, visitor, {
    kind: "passkey_signature",
    lifetimeMs: LIFETIME_MS,
    accountId,
    details: { policy: document },
  });
  return { ...attempt, document, options };
}

/**
 * Puts the signed policy in force and replaces the previous one. Carries over the usage of day and month in the same
 * currency, so a new policy grants no new allowance.
 * @throws {PasskeyRefusedError | InvalidRequestError | ForbiddenError}
 */
export async function createCheckoutPolicy(
  deps: SigningDeps,
  visitor: Visitor,
  input: { readonly attemptId: string; readonly response?: unknown },
): Promise<CheckoutPolicy> {
  const { accountId } = requireSession(visitor.viewer);
  const attempt = await consumeAttempt(deps.db, visitor, {
    id: input.attemptId,
    kind: "passkey_signature",
    accountId,
    details: Details,
  });
  if (!attempt) throw new PasskeyRefusedError();
  const { policy: document } = attempt.details;
  const policySha256 = canonicalDigest(document);
  const signature = await verifyPasskeySignature(deps, accountId, policySha256, input.response);
  const { day, month } = periodsOf(new Date());
  return await withAccountLock(deps.db, accountId, async (tx) => {
    // Ends the current policy first: concurrent uses of it wait for this row and then find it inactive.
    await tx.checkoutPolicy.updateMany({ where: { activeSlot: accountId }, data: { activeSlot: null } });
    const earlier = await tx.checkoutPolicy.findMany({ where: { accountId }, orderBy: { version: "desc" } });
    if ((earlier[0]?.version ?? 0) >= document.version) {
      throw new InvalidRequestError("Another policy was signed in the meantime. Nothing changed. Start again.");
    }
    const before = earlier.find(({ currency }) => currency === document.currency);
    const { day: usedOn, dayUsedMinor, month: usedIn, monthUsedMinor } = before ?? {};
    return await tx.checkoutPolicy.create({
      data: {
        id: document.id,
        accountId,
        version: document.version,
        document,
        policySha256,
        signature: { ...signature },
        currency: document.currency,
        activeSlot: accountId,
        day: usedOn ?? new Date(day),
        dayUsedMinor: dayUsedMinor ?? 0n,
        month: usedIn ?? new Date(month),
        monthUsedMinor: monthUsedMinor ?? 0n,
        notBefore: new Date(document.not_before),
        expiresAt: new Date(document.expires_at),
      },
    });
  });
}

/** Revokes a policy immediately; orders in flight continue. @throws {ForbiddenError | NotFoundError} */
export async function revokeCheckoutPolicy(
  deps: Pick<SigningDeps, "db">,
  viewer: Viewer | null,
  policyId: string,
): Promise<CheckoutPolicy> {
  const { accountId } = requireSession(viewer);
  const { checkoutPolicy } = deps.db.prisma;
  const where = { id: policyId, accountId };
  await checkoutPolicy.updateMany({
    where: { ...where, revokedAt: null },
    data: { revokedAt: new Date(), activeSlot: null },
  });
  const policy = await checkoutPolicy.findFirst({ where });
  if (!policy) throw new NotFoundError("There is no such policy.");
  return policy;
}
