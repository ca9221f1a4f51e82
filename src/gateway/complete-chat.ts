/** `POST /v1/chat/completions`, the mutation `completeChat` and the subscription `chatCompletion` (spec section 4.5). */
import { createHash } from "node:crypto";
import { isBrokenCircuitError } from "cockatiel";
import { type AccountViewer, requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import { PermitOutstandingError, X402NotEnabledError } from "../payments/pay.ts";
import { MaxValueExceededError, NoAcceptableRequirementError } from "../payments/x402/choice.ts";
import { limitInFlight } from "../platform/egress/in-flight-limit.ts";
import { ForbiddenError, RateLimitedError, ServiceError } from "../platform/errors.ts";
import { claimIdempotencyKey } from "../platform/idempotency/claim.ts";
import { InsufficientBalanceError, SpendingLimitExceededError } from "../wallet/refusal-reason.ts";
import type { Attempt } from "./attempt.ts";
import { bindRequest, dependsOnPrompt, offersFor } from "./bind-request.ts";
import { openCall } from "./call.ts";
import { callProvider } from "./call-provider.ts";
import { type ChatRequest, readChatRequest } from "./chat-request.ts";
import { type ChatAnswer, deliverStream, deliverWhole } from "./deliver.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFailedError, ProviderFault } from "./errors.ts";
import { findOffers, type Offer } from "./models.ts";
import { replayResponse, storeResponse } from "./stored-response.ts";
import { countPrompt, mostTokens, type PromptCount } from "./tokens.ts";

export interface ChatInput {
  /** The body as OpenAI writes it. */
  readonly body: unknown;
  readonly idempotencyKey: string | null;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal | undefined;
}

/** A provider that takes money and fails is followed by one more that is paid, and no third. */
const MAX_PAID_PROVIDERS = 2;
const RETRY_AFTER_MS = 1_000;

/** What one provider's price meets, and another's may not. */
const PAYMENT_REFUSALS = [
  SpendingLimitExceededError,
  InsufficientBalanceError,
  MaxValueExceededError,
  NoAcceptableRequirementError,
  PermitOutstandingError,
  ForbiddenError,
];

/**
 * Has a model complete a chat, and pays for it within every limit. With an Idempotency-Key the first answer is given again.
 * @throws {InvalidRequestError | ForbiddenError | X402NotEnabledError | ModelNotFoundError | ProviderFailedError |
 *   ProviderRefusedError | RateLimitedError | SpendingLimitExceededError | InsufficientBalanceError | MaxValueExceededError |
 *   NoAcceptableRequirementError | PermitOutstandingError | IdempotencyKeyReusedError | IdempotencyInFlightError}
 */
export async function completeChat(deps: GatewayDeps, viewer: Viewer | null, input: ChatInput): Promise<ChatAnswer> {
  const account = requireAccount(viewer);
  requireScope(account, "payments:sign");
  const request = readChatRequest(input.body);
  if (!account.x402Enabled) throw new X402NotEnabledError(deps.settings.dashboardUrl);
  const { idempotencyKey, signal } = input;
  const completed = () =>
    limitInFlight(
      account.accountId,
      "providers",
      () => complete(deps, account, request, idempotencyKey, signal),
      ({ stream }) => stream,
    );
  if (idempotencyKey === null) return await completed();

  const bodySha256 = createHash("sha256").update(JSON.stringify(request.body)).digest("hex");
  const same = ["completeChat", account.budgetId, bodySha256];
  const claim = await claimIdempotencyKey(deps.db, account.accountId, idempotencyKey, same);
  if (claim.stored !== null) return replayResponse(claim.stored);
  try {
    return await storeResponse(deps, account.accountId, await completed(), claim);
  } catch (error) {
    await claim.discard();
    throw error;
  }
}

async function complete(
  deps: GatewayDeps,
  account: AccountViewer,
  request: ChatRequest,
  idempotencyKey: string | null,
  signal: AbortSignal | undefined,
): Promise<ChatAnswer> {
  const offers = offersFor(await findOffers(deps, request.model), request);
  let counted: Promise<PromptCount> | undefined;
  const count = () => {
    counted ??= countPrompt(request.body);
    return counted;
  };
  const call = openCall(deps, account, request);
  const failures: Failures = { refusal: null, fault: null, paid: new Set() };
  for (const offer of offers) {
    if (failures.paid.size >= MAX_PAID_PROVIDERS) break;
    const promptTokens = async () => mostTokens(await count(), offer.model);
    const bound = dependsOnPrompt(request, offer.model)
      ? bindRequest(request, offer, await promptTokens(), (await count()).textTokens)
      : bindRequest(request, offer, 0);
    const attempt: Attempt = { offer, request, bound, promptTokens, call, idempotencyKey, signal };
    try {
      return await offer.provider.breaker.execute(() => tryProvider(deps, account, attempt));
    } catch (error) {
      if (signal?.aborted) return giveUp(error, "aborted");
      if (!note(failures, error)) return giveUp(error, "failed");
      deps.logger.info({ err: error, callId: call.id, provider: offer.provider.name }, "asking the next provider");
    }
  }
  return giveUp(summary(offers, failures), "failed");

  function giveUp(error: unknown, status: "aborted" | "failed"): never {
    const errorCode = error instanceof ServiceError ? error.code : status === "aborted" ? "aborted" : "internal_error";
    call.end({ status, errorCode });
    throw error;
  }
}

async function tryProvider(deps: GatewayDeps, account: AccountViewer, attempt: Attempt): Promise<ChatAnswer> {
  const response = await callProvider(deps, account, attempt);
  try {
    return attempt.request.isStreamed
      ? await deliverStream(deps, attempt, response)
      : await deliverWhole(attempt, response);
  } catch (error) {
    // Whatever went wrong: what is not charged by now is not held for longer than the request.
    await response.payment.giveBack("The answer could not be delivered.").catch(() => {});
    throw error;
  }
}

interface Failures {
  refusal: ServiceError | null;
  fault: ProviderFault | null;
  /** Payments that providers were sent before they failed. */
  readonly paid: Set<string>;
}

/** Remembers a failure after which the next provider is asked; false when no other would do better. */
function note(failures: Failures, error: unknown): boolean {
  if (isBrokenCircuitError(error)) return true;
  if (error instanceof ProviderFault) {
    failures.fault = error;
    if (error.transactionId !== null) failures.paid.add(error.transactionId);
    return true;
  }
  if (!PAYMENT_REFUSALS.some((kind) => error instanceof kind)) return false;
  failures.refusal ??= error as ServiceError;
  return true;
}

/** What the caller is told when nobody answered. */
function summary(offers: readonly Offer[], { refusal, fault, paid }: Failures): Error {
  const [first] = paid;
  if (first !== undefined) {
    const kept = "What they may have taken is kept under watch, and released once it no longer can be.";
    return new ProviderFailedError(`Every provider that was asked failed after it was paid. ${kept}`, first);
  }
  if (refusal) return refusal;
  if (fault?.status === 429) {
    return new RateLimitedError("The providers of this model have too much to do. No money moved.", RETRY_AFTER_MS);
  }
  const who = offers.length === 1 ? "The provider of this model" : "Every provider of this model";
  return new ProviderFailedError(`${who} failed, or has failed too often of late. No money moved.`);
}
