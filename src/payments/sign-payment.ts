/** `POST /api/sign-payment` and the mutation `signPayment` (spec sections 2.11 and 4.3). */
import { requireAccount, type SpendingRules, type Viewer } from "../accounts/viewer.ts";
import { ForbiddenError, InvalidRequestError } from "../platform/errors.ts";
import { runIdempotent } from "../platform/idempotency/claim.ts";
import type { PaymentDeps } from "./deps.ts";
import { pay } from "./pay.ts";
import { PROXY_METHODS } from "./proxy/ports.ts";
import { resumePayment } from "./resume-payment.ts";
import type { SignedPayment } from "./signed-payment.ts";
import { assertWellFormed, parsePaymentRequired } from "./x402/requirements.ts";

/** Methods of requests that callers send themselves. */
export const SIGNABLE_METHODS = [...PROXY_METHODS, "HEAD", "OPTIONS"] as const;
export type SignableMethod = (typeof SIGNABLE_METHODS)[number];

export interface SignPaymentInput {
  /** The body of a 402 response, its `accepts`, or one entry of `accepts`. */
  readonly paymentRequirements: unknown;
  readonly requestData: { readonly url: string; readonly method: SignableMethod };
  /** Maximum price in atomic units; null: only the limits apply. */
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string | null;
}

const MAX_URL_LENGTH = 8_192;

/**
 * Signs a payment for the caller to attach to its own request. Without an idempotency key, each call is a payment.
 *
 * @throws {InvalidRequestError} naming the field
 * @throws {ForbiddenError} for a token with allowed hosts
 * @throws the errors of `pay`
 */
export async function signPayment(
  deps: PaymentDeps,
  viewer: Viewer | null,
  input: SignPaymentInput,
): Promise<SignedPayment> {
  const account = requireAccount(viewer);
  const { accountId, budgetId } = account;
  assertHostsEnforceable(account.rules);
  const { paymentRequirements, requestData, maxValueAtomic, idempotencyKey } = input;
  const url = checkUrl(requestData.url);
  const required = parsePaymentRequired({ body: paymentRequirements, field: "paymentRequirements" });
  assertWellFormed(required);
  const order = { url, required, maxValueAtomic, idempotencyKey };
  if (idempotencyKey === null) return await pay(deps, viewer, order);

  let signed: SignedPayment | undefined;
  const cap = maxValueAtomic === null ? [] : [maxValueAtomic.toString()];
  const request = ["signPayment", budgetId, url, requestData.method, required.accepts, ...cap];
  await runIdempotent(deps.db, accountId, idempotencyKey, request, async (claim) => {
    signed = await pay(deps, viewer, { ...order, claim });
    return { transactionId: signed.transactionId };
  });
  return signed ?? (await resumePayment(deps, account, { ...order, idempotencyKey }));
}

/** Rejects tokens limited to hosts without a limit on payees: a signature can be presented to any host. */
function assertHostsEnforceable({ allowedHosts, allowedPayees }: SpendingRules): void {
  if (allowedHosts.length === 0 || allowedPayees.length > 0) return;
  throw new ForbiddenError(
    "This token may only pay certain hosts, which a signature cannot enforce. Nothing was signed. Use the proxy, or a token that also limits payees.",
  );
}

function checkUrl(text: string): string {
  const field = "requestData.url";
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text))
    throw new InvalidRequestError(`${field} must be a URL.`, field);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidRequestError(`${field} must be an http or https URL.`, field);
  }
  if (url.username || url.password) throw new InvalidRequestError(`${field} must not contain credentials.`, field);
  return url.href;
}
