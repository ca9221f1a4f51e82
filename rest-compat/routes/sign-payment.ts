import { z } from "zod";
import { SignPaymentDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

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
    paymentRequirements: z
      .looseObject({})
      .meta({ description: "The body of the 402 answer as it is, with its `accepts`; X402 version 1 or 2." }),
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
