import { z } from "zod";
import { SignPaymentDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

/** Version 1 and 2 of X402 (spec section 2.9); servers add members of their own. */
const REQUIREMENTS = {
  description: "The body of the 402 answer as it is, with its `accepts`; X402 version 1 or 2.",
  properties: {
    x402Version: { enum: [1, 2], description: "The protocol's version; default 1." },
    error: { type: "string", description: "Why the target wants to be paid." },
    accepts: {
      type: "array",
      description: "What the target takes; one of them is paid.",
      items: {
        type: "object",
        properties: {
          scheme: { type: "string", description: "`exact` or `upto`; others are passed over." },
          network: { type: "string", description: "A short name such as `base`, or in version 2 a CAIP-2 name." },
          maxAmountRequired: {
            type: ["string", "integer"],
            description: "The price in atomic units; version 2 says `amount`.",
          },
          amount: { type: ["string", "integer"], description: "The price in atomic units, in version 2." },
          resource: {
            type: "string",
            description: "The address that is paid for; version 2 says it beside `accepts`.",
          },
          payTo: { type: "string", description: "Who is paid." },
          asset: { type: "string", description: "The token's contract or mint." },
          maxTimeoutSeconds: { type: "number", description: "How long the payment may hold." },
          extra: { type: ["object", "null"], description: "What the scheme needs beside, such as the token's domain." },
          description: { description: "What is sold." },
          mimeType: { type: "string", description: "What kind of answer is sold." },
        },
        // An entry of a scheme that is not known may look like anything.
        required: ["scheme", "network"],
        additionalProperties: true,
      },
    },
  },
};

export const signPayment = defineRoute({
  method: "POST",
  path: "/api/sign-payment",
  dialect: "native",
  summary: "Sign a payment",
  description:
    "Signs an X402 payment within every limit and returns it, for the caller to attach to its own request. Sending it twice pays once.",
  scope: "payments:sign",
  movesMoney: true,
  query: z.object({}),
  body: z.object({
    // What cannot be read of it is told entry by entry, in the answer's `considered`: here its shape is described alone.
    paymentRequirements: z.looseObject({}).meta(REQUIREMENTS),
    requestData: z
      .object({
        url: z.string().meta({ format: "uri", description: "The address that is paid for." }),
        method: z.string().nullish().meta({ description: "The method used there; default `GET`." }),
      })
      .meta({ description: "The request that the payment is for." }),
  }),
  bodyExample:
    '{"paymentRequirements": {"x402Version": 1, "accepts": […]}, "requestData": {"url": "https://shop.example/report"}}',
  document: SignPaymentDocument,
  variables: ({ body: { paymentRequirements, requestData } }) => ({
    input: { paymentRequirements, requestData: { url: requestData.url, method: requestData.method ?? null } },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  answer({ signPayment: result }) {
    if (result.__typename !== "SignPaymentSuccess") return result;
    return {
      success: true,
      paymentHeader: result.paymentHeader,
      paymentProof: result.paymentProof,
      // The contract's number; up to 15 digits are exact in it.
      amountPaid: Number(result.amountPaidUsd),
      network: result.network,
      userWallet: result.userWallet,
      signingWallet: result.signingWallet,
      scheme: result.scheme,
      paidFromCredit: result.paidFromCredit,
      paymentId: result.transactionId,
      headerName: result.headerName,
    };
  },
  success: {
    description: "The signed payment.",
    schema: z.object({
      success: z.literal(true),
      paymentHeader: z.string().meta({ description: "Base64 of the proof: the header's value." }),
      paymentProof: z.looseObject({}).meta({ description: "The proof decoded, for inspection." }),
      amountPaid: z.number().meta({ description: "US dollars; for `upto` the most that may be charged." }),
      network: z.string(),
      userWallet: z.string().meta({ description: "The account's address on that network." }),
      signingWallet: z.string().meta({ description: "The address that pays: another one when credit pays." }),
      scheme: z.enum(["exact", "upto"]),
      paidFromCredit: z.boolean(),
      paymentId: z.string().meta({ description: "The ledger's id." }),
      headerName: z.enum(["X-PAYMENT", "PAYMENT-SIGNATURE"]).meta({ description: "The header to send it in." }),
    }),
    example: {
      success: true,
      paymentHeader: "eyJ4NDAyVmVyc2lvbiI6MSwic2NoZW1lIjoiZXhhY3QiLCAuLi4gfQ==",
      paymentProof: { x402Version: 1, scheme: "exact", network: "base", payload: {} },
      amountPaid: 0.25,
      network: "base",
      userWallet: "0x1c0F2c5E1a2B3c4D5e6F708192a3b4C5D6e7F809",
      signingWallet: "0x1c0F2c5E1a2B3c4D5e6F708192a3b4C5D6e7F809",
      scheme: "exact",
      paidFromCredit: false,
      paymentId: "tx_1795195756000_k3v9Qm2LxT7a",
      headerName: "X-PAYMENT",
    },
  },
  errors: PAYMENT_ERRORS,
});
