import { ModelNotFoundError, ProviderFailedError, ProviderRefusedError } from "../../src/gateway/errors.ts";
import { builder } from "../builder.ts";
import { errorOf } from "../errors.ts";
import { PAYMENT_ERRORS } from "../payments/payment-errors.ts";

const PAID = "The ledger's id of the payment that was sent before the failure; null when nothing was paid.";

builder.objectType(ModelNotFoundError, {
  name: "ModelNotFoundError",
  ...errorOf("No provider offers that language model."),
  fields: (t) => ({ field: t.exposeString("field", { nullable: true, description: "The place in the input." }) }),
});

builder.objectType(ProviderFailedError, {
  name: "ProviderFailedError",
  ...errorOf("Every provider of the language model failed, or has failed too often of late."),
  fields: (t) => ({ paidTransactionId: t.exposeString("transactionId", { nullable: true, description: PAID }) }),
});

builder.objectType(ProviderRefusedError, {
  name: "ProviderRefusedError",
  ...errorOf("The provider found fault with the request; any other would too."),
  fields: (t) => ({
    providerStatus: t.exposeInt("status", { description: "The provider's HTTP status, from 400 to 499." }),
    providerError: t.expose("providerError", {
      type: "JSON",
      description: "What it said, as OpenAI writes errors: `message`, `type`, `code`, `param`.",
    }),
    paidTransactionId: t.exposeString("transactionId", { nullable: true, description: PAID }),
  }),
});

/** What a chat may be refused with. */
export const CHAT_ERRORS = [...PAYMENT_ERRORS, ModelNotFoundError, ProviderFailedError, ProviderRefusedError];
