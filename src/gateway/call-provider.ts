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
import { REQUEST_FAULT_STATUSES } from "../platform/http/request-fault-statuses.ts";
import type { Attempt } from "./attempt.ts";
import type { GatewayDeps } from "./deps.ts";
import { ProviderFault, ProviderRefusedError } from "./errors.ts";
import { callWithKey } from "./pay-by-key.ts";
import { callWithX402, type ProviderResponse } from "./pay-by-x402.ts";

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
  const { kind, name } = attempt.offer.provider;
  let response: ProviderResponse;
  try {
    response = kind === "x402" ? await callWithX402(deps, account, attempt) : await callWithKey(deps, account, attempt);
  } catch (error) {
    if (!TARGET_FAILURES.some((failure) => error instanceof failure)) throw error;
    const { transactionId = null } = error as { transactionId?: string };
    throw new ProviderFault(`${name} did not respond.`, { transactionId, cause: error });
  }
  const { status, body, payment } = response;
  const { transactionId } = payment;
  if (status === 200) return response;
  if (!REQUEST_FAULT_STATUSES.includes(status)) {
    body.destroy();
    throw new ProviderFault(`${name} responded with ${status}.`, { status, transactionId });
  }
  const providerError = await readError(body);
  throw new ProviderRefusedError(status, providerError, transactionId);
}

async function readError(body: Readable): Promise<object> {
  try {
    const { error } = JSON.parse(await readBounded(body, MAX_ERROR_BYTES)) as { error?: unknown };
    if (typeof error === "object" && error !== null) return error;
    return { message: typeof error === "string" ? error : "The provider rejected the request." };
  } catch {
    return { message: "The provider rejected the request." };
  }
}
