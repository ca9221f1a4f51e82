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
import type { Attempt } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault } from "./errors.ts";
import { callWithKey } from "./pay-by-key.ts";
import { callWithX402, type ProviderResponse } from "./pay-by-x402.ts";
import { createProviderFailure } from "./provider-failure.ts";
import { findProviderError, type ProviderError } from "./provider-reason.ts";

const TARGET_FAILURES = [TargetTimeoutError, TargetUnreachableError, TargetResponseInvalidError, UrlNotAllowedError];
const MAX_ERROR_BYTES = 64 * 1024;

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
  const { provider } = attempt.offer;
  let response: ProviderResponse;
  try {
    response =
      provider.kind === "x402" ? await callWithX402(deps, account, attempt) : await callWithKey(deps, account, attempt);
  } catch (error) {
    if (!TARGET_FAILURES.some((failure) => error instanceof failure)) throw error;
    const { transactionId = null } = error as { transactionId?: string };
    throw new ProviderFault(`${provider.name} did not respond.`, { transactionId, cause: error });
  }
  const { status, headers, body, payment } = response;
  if (status === 200) return response;
  const error = await readError(body);
  throw createProviderFailure({ provider, status, headers, error, transactionId: payment.transactionId });
}

/** Returns the provider's error; null if the body contains none, such as an HTML page. */
async function readError(body: Readable): Promise<ProviderError | null> {
  try {
    return findProviderError(JSON.parse(await readBounded(body, MAX_ERROR_BYTES)));
  } catch {
    return null;
  }
}
