/**
 * The request without a payment. Its 402 response must be readable, and any other response must be what the caller requested.
 * The caller's `Accept` and `User-Agent` are therefore sent unchanged, and a page for browsers is replaced by a second request.
 */
import { ReceivedBody } from "../../platform/egress/body.ts";
import type { Egress, EgressRequest, EgressResponse } from "../../platform/egress/egress.ts";
import { TargetResponseInvalidError } from "../../platform/egress/errors.ts";
import { headerValue } from "../x402/headers.ts";
import { decodableEncodings } from "./content-encoding.ts";

/** Request headers of content negotiation that differ between the unpaid and the paid request. */
const NEGOTIATED = ["accept", "accept-encoding", "user-agent"] as const;

const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

export interface UnpaidResponse {
  readonly response: EgressResponse;
  /** The request to repeat with a payment: the unpaid one after redirects, with the caller's own negotiation headers. */
  readonly payable: Pick<EgressResponse, "url" | "sent">;
}

/**
 * Sends a request without a payment, for encodings that the caller accepts and the service can decode. A 402 response with a page
 * for browsers and without offers is requested again, accepting JSON only.
 * @param input.timeoutMs also limits the second request
 * @throws the errors of `Egress.request`, and {TargetResponseInvalidError} when only a page is available
 */
export async function requestUnpaid(egress: Pick<Egress, "request">, input: EgressRequest): Promise<UnpaidResponse> {
  const deadlineMs = performance.now() + input.timeoutMs;
  const headers = { ...input.headers, "accept-encoding": decodableEncodings(input.headers["accept-encoding"]) };
  const response = await egress.request({ ...input, headers });
  const payable = asCallerSent(response, input.headers);
  if (!isPageForBrowsers(response)) return { response, payable };
  // Pages can be megabytes long.
  response.body.destroy();
  if (headerValue(response.headers, "payment-required") !== undefined) {
    return { response: { ...response, body: new ReceivedBody(Buffer.alloc(0)) }, payable };
  }

  const { "user-agent": _browser, ...others } = response.sent.headers;
  const forProgram = await egress.request({
    ...input,
    url: response.url,
    method: response.sent.method,
    body: response.sent.body,
    headers: { ...others, accept: "application/json" },
    timeoutMs: deadlineMs - performance.now(),
  });
  if (forProgram.status === 402) return { response: forProgram, payable: asCallerSent(forProgram, input.headers) };
  forProgram.body.destroy();
  throw new TargetResponseInvalidError(
    "The target requires payment with a web page for browsers, and describes no offers. No payment was made.",
  );
}

/** Returns whether a 402 response is HTML. Sellers choose it by `Accept` and `User-Agent`. */
function isPageForBrowsers({ status, headers }: EgressResponse): boolean {
  return status === 402 && HTML.test(headerValue(headers, "content-type") ?? "");
}

function asCallerSent({ url, sent }: EgressResponse, callerHeaders: Readonly<Record<string, string>>) {
  const headers: Record<string, string> = { ...sent.headers };
  for (const name of NEGOTIATED) {
    const value = callerHeaders[name];
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  }
  return { url, sent: { ...sent, headers } };
}
