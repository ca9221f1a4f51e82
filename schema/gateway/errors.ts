import { ModelNotFoundError, ProviderFailedError, ProviderRefusedError } from "../../src/gateway/errors.ts";
import { builder } from "../builder.ts";
import { createErrorOptions } from "../errors.ts";
import { PAYMENT_ERRORS } from "../payments/payment-errors.ts";

const PAID = "The ID of the ledger entry for a payment sent before the failure. Null if nothing was paid.";

builder.objectType(ModelNotFoundError, {
  name: "ModelNotFoundError",
  ...createErrorOptions("No provider offers the language model."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The invalid input field." }) }),
});

builder.objectType(ProviderFailedError, {
  name: "ProviderFailedError",
  ...createErrorOptions("All providers of the language model failed, or are suspended after repeated failures."),
  fields: (t) => ({
    paidTransactionId: t.exposeID("transactionId", { nullable: true, description: PAID }),
    providerRetryAfterMs: t.exposeInt("retryAfterMs", {
      nullable: true,
      description: "The delay after which the provider accepts calls again, in milliseconds. Null if unknown.",
    }),
  }),
});

builder.objectType(ProviderRefusedError, {
  name: "ProviderRefusedError",
  ...createErrorOptions("The provider rejected the request, and any other provider would too."),
  fields: (t) => ({
    providerStatus: t.exposeInt("status", {
      description: "The HTTP status of the provider's response, from 400 to 499.",
    }),
    providerError: t.expose("providerError", {
      type: "JSON",
      description: "The provider's error in OpenAI's format: `message`, `type`, `code`, `param`.",
    }),
    paidTransactionId: t.exposeID("transactionId", { nullable: true, description: PAID }),
  }),
});

/** Errors of chat operations. */
export const CHAT_ERRORS = [...PAYMENT_ERRORS, ModelNotFoundError, ProviderFailedError, ProviderRefusedError];
