/** `POST /v1/chat/completions`, the mutation `completeChat` and the subscription `chatCompletion` (spec section 4.5). */
import { createHash } from "node:crypto";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import { PermitOutstandingError, X402NotEnabledError } from "../payments/refusals.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "../payments/x402/choice.ts";
import { limitInFlight } from "../platform/egress/in-flight-limit.ts";
import { ForbiddenError, RateLimitedError, ServiceError } from "../platform/errors.ts";
import { type ClaimFence, claimIdempotencyKey } from "../platform/idempotency/claim.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../wallet/refusal-reason.ts";
import type { Attempt } from "./attempt.ts";
import { bindRequest, dependsOnPrompt, selectOffers } from "./bind-request.ts";
import { openCall } from "./call.ts";
import { callProvider } from "./call-provider.ts";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { type ChatResult, deliverComplete, deliverStream } from "./deliver.ts";
import type { GatewayDeps } from "./deps.ts";
import { ModelNotFoundError, ProviderFailedError, ProviderFault } from "./errors.ts";
import { findOffers, type Offer } from "./models.ts";
import type { Suspension } from "./provider-health.ts";
import { assertOwnIds } from "./provider-ids.ts";
import { omitResponse, replayResponse, storeResponse } from "./stored-response.ts";
import { boundPrompt, countPrompt, estimatePrompt, type PromptCount } from "./tokens.ts";

export interface ChatInput {
  /** The body in OpenAI's format. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal | undefined;
  /** Whether a call that the caller leaves before its first byte counts as made, so its key does not permit another. */
  readonly isFinalOnceAborted?: boolean;
}

/** Maximum providers that are paid for one call. After a paid provider fails, one more is paid. */
const MAX_PAID_PROVIDERS = 2;
const RETRY_AFTER_MS = 1_000;

/** Payment errors that depend on the price; the next provider may cost less. */
const PAYMENT_REFUSALS = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
  PermitOutstandingError,
  ForbiddenError,
];

/**
 * Calls a model to complete a chat and pays for it within all limits. A repeated Idempotency-Key returns the first response.
 *
 * @throws {InvalidRequestError | ForbiddenError | X402NotEnabledError | ModelNotFoundError | ProviderFailedError |
 *   ProviderRefusedError | RateLimitedError | SpendingLimitExceededError | InsufficientBalanceError | MaxValueExceededError |
 *   NoAcceptableRequirementError | PermitOutstandingError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function completeChat(deps: GatewayDeps, viewer: Viewer | null, input: ChatInput): Promise<ChatResult> {
  const account = requireAccount(viewer);
  requireScope(account, "payments:sign");
  const request = readChatRequest(input.body);
  await assertOwnIds(deps.db, account.accountId, request.body);
  if (!account.x402Enabled) throw new X402NotEnabledError(deps.settings.dashboardUrl);
  const { idempotencyKey, signal } = input;
  const runCall = (claim: ClaimFence | null) =>
    limitInFlight(
      account.accountId,
      "providers",
      () => callProviders(deps, account, request, { idempotencyKey, claim }, signal),
      ({ stream }) => stream,
    );
  if (idempotencyKey === null) return await runCall(null);

  const bodySha256 = createHash("sha256").update(JSON.stringify(request.body)).digest("hex");
  const fingerprint = ["completeChat", account.budgetId, bodySha256];
  const claim = await claimIdempotencyKey(deps.db, account.accountId, idempotencyKey, fingerprint);
  if (claim.stored !== null) return replayResponse(claim.stored);
  try {
    return await storeResponse(deps, account.accountId, await runCall(claim.fence), claim);
  } catch (error) {
    if (input.isFinalOnceAborted && signal?.aborted) await omitResponse(deps, claim);
    else await claim.discard();
    throw error;
  }
}

async function callProviders(
  deps: GatewayDeps,
  account: AccountViewer,
  request: ChatRequest,
  idempotency: Pick<Attempt, "idempotencyKey" | "claim">,
  signal: AbortSignal | undefined,
): Promise<ChatResult> {
  const offers = selectOffers(await findOffers(deps, request.model), request);
  let counted: Promise<PromptCount> | undefined;
  const count = () => {
    counted ??= countPrompt(request.body);
    return counted;
  };
  const call = openCall(deps, account, request);
  const failures: Failures = { refusal: null, fault: null, suspension: null, paid: new Set() };
  for (const offer of offers) {
    if (failures.paid.size >= MAX_PAID_PROVIDERS) break;
    const { health } = offer.provider;
    const subject = [offer.model.upstreamId, account.accountId] as const;
    const suspension = health.suspensionOf(...subject);
    if (suspension) {
      failures.suspension = suspension;
      continue;
    }
    // All within the block: the health waits for the end of each call that it permits.
    try {
      const promptTokens = async () => estimatePrompt(await count(), offer.model);
      const bound = dependsOnPrompt(request, offer.model)
        ? bindRequest(request, offer, boundPrompt(await count(), offer.model), (await count()).textTokens)
        : bindRequest(request, offer, { atMostTokens: 0 });
      const attempt: Attempt = { offer, request, bound, promptTokens, call, ...idempotency, signal };
      const result = await tryProvider(deps, account, attempt);
      health.succeed(...subject);
      return result;
    } catch (error) {
      reportFailure(offer, account, error, signal);
      if (signal?.aborted) return failCall(error, "aborted");
      if (!recordFailure(failures, error)) return failCall(error, "failed");
      deps.logger.info(
        { err: error, callId: call.id, provider: offer.provider.name },
        "Provider failed; trying the next one",
      );
    }
  }
  return failCall(createFinalError(offers, failures), "failed");

  function failCall(error: unknown, status: "aborted" | "failed"): never {
    const errorCode = error instanceof ServiceError ? error.code : status === "aborted" ? "aborted" : "internal_error";
    call.end({ status, errorCode });
    throw error;
  }
}

async function tryProvider(deps: GatewayDeps, account: AccountViewer, attempt: Attempt): Promise<ChatResult> {
  const response = await callProvider(deps, account, attempt);
  try {
    return attempt.request.isStreamed
      ? await deliverStream(deps, account, attempt, response)
      : await deliverComplete(deps, account, attempt, response);
  } catch (error) {
    // Releases an uncharged reservation with the end of the request, regardless of the error.
    await response.payment.release("The response could not be delivered.").catch(() => {});
    throw error;
  }
}

/** Reports a failed call to the provider's health. */
function reportFailure(
  { provider, model }: Offer,
  { accountId }: AccountViewer,
  error: unknown,
  signal: AbortSignal | undefined,
): void {
  const { health } = provider;
  const fault = error instanceof ProviderFault && !signal?.aborted ? error : null;
  if (fault?.status === 429) health.coolDown(model.upstreamId, accountId, fault.retryAfterMs);
  if (fault?.isProviderFailure) health.fail(model.upstreamId, accountId);
  else health.leave(model.upstreamId, accountId);
}

interface Failures {
  refusal: ServiceError | null;
  fault: ProviderFault | null;
  /** Why the last provider that was not called was skipped. */
  suspension: Suspension | null;
  /** IDs of payments that were sent to providers that then failed. */
  readonly paid: Set<string>;
}

/** Records a failure. Returns false if no other provider can succeed either. */
function recordFailure(failures: Failures, error: unknown): boolean {
  if (error instanceof ProviderFault) {
    failures.fault = error;
    if (error.transactionId !== null) failures.paid.add(error.transactionId);
    return true;
  }
  if (!PAYMENT_REFUSALS.some((kind) => error instanceof kind)) return false;
  failures.refusal ??= error as ServiceError;
  return true;
}

/** Returns the error for the caller after all providers have failed. */
function createFinalError(offers: readonly Offer[], { refusal, fault, suspension, paid }: Failures): Error {
  const [first] = paid;
  if (first !== undefined) {
    const nextStep = "A payment settles if its provider redeems it, and is released once it expires.";
    return new ProviderFailedError(`Every called provider failed after it was paid. ${nextStep}`, first);
  }
  if (refusal) return refusal;
  const stated = fault?.reason ? ` The provider states: ${fault.reason}` : "";
  const [offer] = offers;
  if (fault?.status === 404 && offer) return new ModelNotFoundError(offer.model.id, fault.reason);
  const isRateLimited = fault ? fault.status === 429 : suspension?.cause === "rate_limited";
  if (isRateLimited) {
    const retryAfterMs = fault?.retryAfterMs ?? suspension?.retryAfterMs ?? RETRY_AFTER_MS;
    return new RateLimitedError(
      `The providers of this model are overloaded.${stated} No payment was made.`,
      retryAfterMs,
    );
  }
  const subject = offers.length === 1 ? "The provider of this model" : "Every provider of this model";
  const failed = fault ? "failed" : "is suspended for some seconds after repeated failures";
  return new ProviderFailedError(`${subject} ${failed}.${stated} No payment was made.`);
}
