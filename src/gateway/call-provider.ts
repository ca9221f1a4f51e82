/** Asking one provider. */
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
import { ProviderFault, ProviderRefusedError } from "./errors.ts";
import { askWithKey } from "./pay-by-key.ts";
import { askAndPay, type ProviderResponse } from "./pay-by-x402.ts";

const TARGET_FAILURES = [TargetTimeoutError, TargetUnreachableError, TargetResponseInvalidError, UrlNotAllowedError];
/** Faults of the request that any provider would find; others, such as a refused key, are the provider's own. */
const REQUEST_FAULTS = new Set([400, 405, 409, 411, 413, 414, 415, 422, 431]);
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Answers the provider's 200.
 * @throws {ProviderFault} another provider may do better; {ProviderRefusedError} none would; {ServiceError} what refuses the payment.
 */
export async function callProvider(
  deps: GatewayDeps,
  account: AccountViewer,
  attempt: Attempt,
): Promise<ProviderResponse> {
  const { kind, name } = attempt.offer.provider;
  let response: ProviderResponse;
  try {
    response = kind === "x402" ? await askAndPay(deps, account, attempt) : await askWithKey(deps, account, attempt);
  } catch (error) {
    if (!TARGET_FAILURES.some((failure) => error instanceof failure)) throw error;
    const { transactionId = null } = error as { transactionId?: string };
    throw new ProviderFault(`${name} did not answer.`, { transactionId, cause: error });
  }
  const { status, body, payment } = response;
  const { transactionId } = payment;
  if (status === 200) return response;
  if (!REQUEST_FAULTS.has(status)) {
    body.destroy();
    throw new ProviderFault(`${name} answered ${status}.`, { status, transactionId });
  }
  const said = await readError(body);
  throw new ProviderRefusedError(status, said, transactionId);
}

async function readError(body: Readable): Promise<object> {
  try {
    const { error } = JSON.parse(await readBounded(body, MAX_ERROR_BYTES)) as { error?: unknown };
    if (typeof error === "object" && error !== null) return error;
    return { message: typeof error === "string" ? error : "The provider refused the request." };
  } catch {
    return { message: "The provider refused the request." };
  }
}
