import type { Request, RequestHandler, Response } from "express";
import { matchingRequirement, paymentResponse, type SellerProtocol } from "./protocol.ts";
import { type Price, type RequirementV1, requirementV1 } from "./requirements.ts";

/** A paid version 1 resource. */
export interface PaidResourceV1 {
  description: string;
  mimeType?: string;
  /** Prices offered for this request; the payer selects one. */
  prices(request: Request): Price[];
  /** Invalid entries before the real ones, which a payer must skip. */
  decoys?(real: RequirementV1[]): unknown[];
  /** For `upto`: the actual charge of this request, at most the cap. */
  actualAtomic?(request: Request, capAtomic: bigint): bigint;
  serve(request: Request, response: Response): void;
}

/** Requires payment for a resource: verifies, settles, then serves it with the receipt in `X-PAYMENT-RESPONSE`. */
export function paid(protocol: SellerProtocol, sellerUrl: () => string, resource: PaidResourceV1): RequestHandler {
  return async (request, response) => {
    const url = sellerUrl() + request.originalUrl;
    const accepts = resource.prices(request).map((price) => requirementV1(price, { url, ...resource }));
    const offered = [...(resource.decoys?.(accepts) ?? []), ...accepts];
    const reject = (error?: string) => void response.status(402).json(protocol.paymentRequiredBody(offered, error));

    const payment = protocol.decodePayment(request);
    if (!payment) return reject(request.get("x-payment") ? "invalid_payload" : undefined);
    const requirement = matchingRequirement(payment, accepts);
    if (!requirement) return reject("invalid_scheme");
    const rejection = await protocol.findPaymentError(payment, requirement);
    if (rejection) return reject(rejection);

    const cap = BigInt(requirement.maxAmountRequired);
    const actual = resource.actualAtomic?.(request, cap) ?? cap;
    const settled = await protocol.settle(payment, { ...requirement, maxAmountRequired: actual.toString() });
    if (!settled.success) return reject(settled.errorReason);
    response.set("X-PAYMENT-RESPONSE", paymentResponse(settled));
    resource.serve(request, response);
  };
}
