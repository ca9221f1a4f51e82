/** Price of a resource and the offer that would be chosen. Requests the resource and never pays. */
import { requireAccount, type Viewer } from "../accounts/viewer.ts";
import type { PaymentDeps } from "./deps.ts";
import { chooseOffer } from "./pay.ts";
import { parseOffers } from "./payment-port.ts";
import type { ProxyMethod } from "./proxy/ports.ts";
import { readPaymentRequired } from "./proxy/read-payment-required.ts";
import { type ConsideredEntry, NoAcceptableRequirementError } from "./x402/choice.ts";

export interface ResourcePrice {
  /** HTTP status of the resource: 402 if it requires payment. */
  readonly status: number;
  /** Every entry of `accepts` in order; at most one is chosen. Empty if the resource is free. */
  readonly considered: readonly ConsideredEntry[];
}

const TIMEOUT_MS = 30_000;

/**
 * Requests a resource and returns its status and evaluated offers. A body is sent as JSON: some sellers state a price only for a valid
 * request.
 * @throws {InvalidRequestError | UrlNotAllowedError | TargetUnreachableError | TargetTimeoutError | TargetResponseInvalidError}
 */
export async function x402Requirements(
  deps: PaymentDeps,
  viewer: Viewer | null,
  { url, method, body = null }: { readonly url: string; readonly method: ProxyMethod; readonly body?: unknown },
): Promise<ResourcePrice> {
  const account = requireAccount(viewer);
  const json = body === null ? null : Buffer.from(JSON.stringify(body));
  const headers: Record<string, string> = json ? { "content-type": "application/json" } : {};
  const response = await deps.egress.request({ url, method, headers, body: json, timeoutMs: TIMEOUT_MS });
  if (response.status !== 402) {
    response.body.destroy();
    return { status: response.status, considered: [] };
  }
  const { paymentRequired } = await readPaymentRequired(response, TIMEOUT_MS);
  const text = new TextDecoder().decode(paymentRequired.body);
  const required = parseOffers({ headers: paymentRequired.headers, body: text });
  try {
    return { status: 402, considered: chooseOffer(deps, account, { required, maxValueAtomic: null }).considered };
  } catch (error) {
    if (error instanceof NoAcceptableRequirementError) return { status: 402, considered: error.considered };
    throw error;
  }
}
