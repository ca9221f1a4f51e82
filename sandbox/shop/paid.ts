import type { Request, RequestHandler, Response } from "express";
import { type Price, type RequirementV1, requirementV1 } from "./requirements.ts";
import { answeredRequirement, paymentResponse, type Till } from "./till.ts";

/** A version 1 resource: what it costs, and what it serves once it is paid. */
export interface PaidResource {
  description: string;
  mimeType?: string;
  /** The prices on offer for this request; the payer picks one. */
  prices(request: Request): Price[];
  /** Entries shown before the real ones, for a payer to skip. */
  decoys?(real: RequirementV1[]): unknown[];
  /** For `upto`: what this request really costs (at most the cap). */
  actualAtomic?(request: Request, capAtomic: bigint): bigint;
  serve(request: Request, response: Response): void;
}

/** Gates a resource the honest way: verify, settle, then serve with the receipt in `X-PAYMENT-RESPONSE`. */
export function paid(till: Till, shopUrl: () => string, resource: PaidResource): RequestHandler {
  return async (request, response) => {
    const url = shopUrl() + request.originalUrl;
    const accepts = resource.prices(request).map((price) => requirementV1(price, { url, ...resource }));
    const offered = [...(resource.decoys?.(accepts) ?? []), ...accepts];
    const refuse = (error?: string) => void response.status(402).json(till.bill(offered, error));

    const payment = till.payment(request);
    if (!payment) return refuse(request.get("x-payment") ? "invalid_payload" : undefined);
    const requirement = answeredRequirement(payment, accepts);
    if (!requirement) return refuse("invalid_scheme");
    const refusal = await till.refusal(payment, requirement);
    if (refusal) return refuse(refusal);

    const cap = BigInt(requirement.maxAmountRequired);
    const actual = resource.actualAtomic?.(request, cap) ?? cap;
    const settled = await till.settle(payment, { ...requirement, maxAmountRequired: actual.toString() });
    if (!settled.success) return refuse(settled.errorReason);
    response.set("X-PAYMENT-RESPONSE", paymentResponse(settled));
    resource.serve(request, response);
  };
}
