/** Errors for a provider's failed response. */
import { readRetryAfterMs } from "../platform/egress/retry-after.ts";
import { REQUEST_FAULT_STATUSES } from "../platform/http/request-fault-statuses.ts";
import { ProviderFault, ProviderRefusedError } from "./errors.ts";
import { type ProviderError, readErrorStatus, readReason, readRetryDelayMs } from "./provider-reason.ts";

const UNSTATED = "The provider rejected the request.";

interface FailedResponse {
  readonly provider: { readonly name: string; readonly apiKey: string | null };
  /** The HTTP status; for 200, the error states its own. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The error in the body; null if it contains none, such as an HTML page. */
  readonly error: ProviderError | null;
  /** ID of a payment that may be charged; null if none was sent. */
  readonly transactionId: string | null;
}

/** Returns the error for a failed response: any provider would reject the request, or another provider may succeed. */
export function createProviderFailure(response: FailedResponse): ProviderRefusedError | ProviderFault {
  const { provider, headers, error, transactionId } = response;
  const status = response.status === 200 ? error && readErrorStatus(error) : response.status;
  if (status !== null && REQUEST_FAULT_STATUSES.includes(status)) {
    const details = error && removeSecret(error, provider.apiKey);
    const hasReason = typeof details?.message === "string" && details.message !== "";
    return new ProviderRefusedError(status, hasReason ? details : { ...details, message: UNSTATED }, transactionId);
  }
  // 401 and 402 concern the operator's account at the provider.
  const reason = status === 401 || status === 402 ? null : readReason(error, provider.apiKey);
  const retryAfterMs = readRetryAfterMs(headers) ?? (error && readRetryDelayMs(error));
  const what = status === null ? "reported an error" : `responded with ${status}`;
  return new ProviderFault(`${provider.name} ${what}.`, { status, transactionId, reason, retryAfterMs });
}

/** Removes the operator's key, which some providers repeat. */
function removeSecret(error: ProviderError, secret: string | null): ProviderError {
  return secret === null ? error : JSON.parse(JSON.stringify(error).replaceAll(secret, "[key]"));
}
