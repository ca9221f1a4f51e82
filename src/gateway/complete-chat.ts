/** `POST /v1/chat/completions`, the mutation `completeChat` and the subscription `chatCompletion` (spec section 4.5). */
import { createHash } from "node:crypto";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import { X402NotEnabledError } from "../payments/refusals.ts";
import { limitInFlight } from "../platform/egress/in-flight-limit.ts";
import { ServiceError } from "../platform/errors.ts";
import { type ClaimFence, claimIdempotencyKey } from "../platform/idempotency/claim.ts";
import type { Attempt } from "./attempt.ts";
import { bindRequest, dependsOnPrompt, selectOffers } from "./bind-request.ts";
import { openCall } from "./call.ts";
import { callProvider } from "./call-provider.ts";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { type ChatResult, deliverComplete, deliverStream } from "./deliver.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { createFinalError, type Failures, recordFailure, sumSettled } from "./failures.ts";
import { findOffers, type Offer } from "./models.ts";
import { assertOwnIds } from "./provider-ids.ts";
import { omitResponse, replayResponse, storeResponse } from "./stored-response.ts";
import { boundPrompt, countPrompt, estimatePrompt, type PromptCount, reserveContext } from "./tokens.ts";

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
      deps.gateway.maxCallsInFlight,
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
  const offers = orderByHealth(selectOffers(await findOffers(deps, request.model), request));
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
        ? bindRequest(
            request,
            offer,
            boundPrompt(await count(), offer.model),
            reserveContext(await count(), offer.model),
          )
        : bindRequest(request, offer, { atMostTokens: 0 });
      const attempt: Attempt = { offer, request, bound, promptTokens, call, ...idempotency, signal };
      const result = await tryProvider(deps, account, attempt);
      health.succeed(...subject);
      return result;
    } catch (error) {
      reportFailure(offer, account, error, signal);
      if (signal?.aborted) return await failCall(error, "aborted");
      if (!recordFailure(failures, error)) return await failCall(error, "failed");
      deps.logger.info(
        { err: error, callId: call.id, provider: offer.provider.name },
        "Provider failed; trying the next one",
      );
    }
  }
  return await failCall(createFinalError(offers, failures), "failed");

  async function failCall(error: unknown, status: "aborted" | "failed"): Promise<never> {
    const errorCode = error instanceof ServiceError ? error.code : status === "aborted" ? "aborted" : "internal_error";
    const paidMicroUsd = await sumSettled(deps.db, call.transactionIds).catch(() => null);
    call.end({ status, errorCode, ...(paidMicroUsd !== null && { costMicroUsd: paidMicroUsd }) });
    throw error;
  }
}

/** Moves offers of doubtful providers to the end. */
function orderByHealth(offers: readonly Offer[]): Offer[] {
  const isDoubtful = ({ provider, model }: Offer) => provider.health.isDoubtful(model.upstreamId);
  return [...offers.filter((offer) => !isDoubtful(offer)), ...offers.filter(isDoubtful)];
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
  else if (fault?.isProviderFailure) health.fail(model.upstreamId, accountId);
  else health.leave(model.upstreamId, accountId);
}
