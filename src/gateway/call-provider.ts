/** Calls of one provider. */
import type { Readable } from "node:stream";
import type { AccountViewer } from "../accounts/viewer.ts";
import { readBounded } from "../platform/egress/body.ts";
import {
  TargetResponseInvalidError,
  TargetTimeoutError,
  TargetUnreachableError,
  UrlNotAllowedError,
} from "../platform/egress/errors.ts";
import { readRetryAfterMs } from "../platform/egress/retry-after.ts";
import { REQUEST_FAULT_STATUSES } from "../platform/http/request-fault-statuses.ts";
import type { Attempt } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault, ProviderRefusedError } from "./errors.ts";
import { callWithKey } from "./pay-by-key.ts";
import { callWithX402, type ProviderResponse } from "./pay-by-x402.ts";
import { findProviderError, readReason } from "./provider-reason.ts";

const TARGET_FAILURES = [TargetTimeoutError, TargetUnreachableError, TargetResponseInvalidError, UrlNotAllowedError];
const MAX_ERROR_BYTES = 64 * 1024;
const UNSTATED = "The provider rejected the request.";

/**
 * Calls the provider and returns its 200 response.
 *
 * @throws {ProviderFault} if the provider failed and another may succeed.
 * @throws {ProviderRefusedError} if any provider would reject the request.
 * @throws {ServiceError} if the payment was rejected.
 */
export async function callProvider(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { kind, name, apiKey } = attempt.offer.provider;
  let response: ProviderResponse;
  try {
    response = kind === "x402" ? await callWithX402(deps, account, attempt) : await callWithKey(deps, account, attempt);
  } catch (error) {
    if (!TARGET_FAILURES.some((failure) => error instanceof failure)) throw error;
    const { transactionId = null } = error as { transactionId?: string };
    throw new ProviderFault(`${name} did not respond.`, { transactionId, cause: error });
  }
  const { status, headers, body, payment } = response;
  const { transactionId } = payment;
  if (status === 200) return response;
  const providerError = await readError(body, apiKey);
  if (REQUEST_FAULT_STATUSES.includes(status)) {
    throw new ProviderRefusedError(status, providerError ?? { message: UNSTATED }, transactionId);
  }
  // 401 and 402 concern the operator's account at the provider.
  const reason = status === 401 || status === 402 ? null : readReason(providerError, apiKey);
  const retryAfterMs = readRetryAfterMs(headers);
  throw new ProviderFault(`${name} responded with ${status}.`, { status, transactionId, reason, retryAfterMs });
}

/**
 * Returns the provider's error; null if the body contains none, such as an HTML page.
 * @param secret the operator's key, which some providers repeat
 */
async function readError(body: Readable, secret: string | null): Promise<{ readonly message?: unknown } | null> {
  try {
    const text = await readBounded(body, MAX_ERROR_BYTES);
    return findProviderError(JSON.parse(secret === null ? text : text.replaceAll(secret, "[key]")));
  } catch {
    return null;
  }
}
