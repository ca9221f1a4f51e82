import { z } from "zod";
import { type RequestMethod, SignPaymentDocument } from "../generated/graphql.ts";
import { absoluteUrl, atomicAmountMember } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

/** Payment requirements of X402 versions 1 and 2 (spec section 2.9). Servers may add members of their own. */
const REQUIREMENTS = {
  description: "The unchanged body of the 402 response, with its `accepts`; X402 version 1 or 2.",
  properties: {
    x402Version: { enum: [1, 2], description: "The X402 version; default: 1." },
    error: { type: "string", description: "The target's reason for the 402 response." },
    accepts: {
      type: "array",
      description: "The offers that the target accepts; Satchel pays one of them.",
      items: {
        type: "object",
        properties: {
          scheme: { type: "string", description: "`exact` or `upto`; other schemes are skipped." },
          network: { type: "string", description: "A short name such as `base`, or in version 2 a CAIP-2 identifier." },
          maxAmountRequired: {
            type: ["string", "integer"],
            description: "The price in atomic units; version 2 uses `amount`.",
          },
          amount: { type: ["string", "integer"], description: "The price in atomic units, in version 2." },
          resource: {
            type: "string",
            description: "The URL of the paid resource; in version 2 it is a sibling of `accepts`.",
          },
          payTo: { type: "string", description: "The address of the recipient." },
          asset: { type: "string", description: "The contract or mint address of the token." },
          maxTimeoutSeconds: { type: "number", description: "Maximum validity of the payment, in seconds." },
          extra: {
            type: ["object", "null"],
            description: "Additional data of the scheme, such as the EIP-712 domain of the token.",
          },
          description: { description: "The description of the resource." },
          mimeType: { type: "string", description: "The media type of the resource." },
        },
        // Other members depend on the scheme, and unknown schemes are accepted.
        required: ["scheme", "network"],
        additionalProperties: true,
      },
    },
  },
};

const METHODS = [
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "HEAD",
  "OPTIONS",
] as const satisfies readonly RequestMethod[];

/** A method in any case. */
const method = z.string().transform((text, context) => {
  const known = METHODS.find((name) => name === text.toUpperCase());
  if (known) return known;
  context.addIssue({ code: "custom", message: "must be an HTTP method such as GET or POST" });
  return z.NEVER;
});

export const signPayment = defineRoute({
  method: "POST",
  path: "/api/sign-payment",
  dialect: "native",
  summary: "Sign a payment",
  description:
    "Signs an X402 payment within all limits and returns it. The caller attaches it to its own request. A seller can settle it once, also if it is sent twice. Two calls without an `Idempotency-Key` are two payments.",
  movesMoney: true,
  query: z.object({}),
  body: z.object({
    // The schema is documentation only: the operation reports invalid entries one by one in `considered`.
    paymentRequirements: z.looseObject({}).meta(REQUIREMENTS),
    requestData: z
      .object({
        url: absoluteUrl("must be a URL").meta({ format: "uri", description: "The URL of the paid resource." }),
        method: method.nullish().meta({ description: "The HTTP method of the request; default: `GET`." }),
      })
      .meta({ description: "The request that the payment is attached to." }),
    // Null is rejected: a lost cap must not count as no cap.
    maxValue: atomicAmountMember(
      "Maximum payment in the asset's smallest unit; default: only the token's limits apply. Nothing is signed above it.",
    ).optional(),
  }),
  bodyExample:
    '{"paymentRequirements": {"x402Version": 1, "accepts": […]}, "requestData": {"url": "https://merchant.example/report"}}',
  document: SignPaymentDocument,
  variables: ({ body: { paymentRequirements, requestData, maxValue } }) => ({
    input: {
      paymentRequirements,
      requestData: { url: requestData.url, method: requestData.method ?? "GET" },
      maxValue: maxValue ?? null,
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  toResponse({ signPayment: result }) {
    if (result.__typename !== "SignPaymentSuccess") return result;
    return {
      success: true,
      paymentHeader: result.paymentHeader,
      paymentProof: result.paymentProof,
      // The contract specifies a number, which is exact up to 15 digits.
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
      paymentHeader: z.string().meta({ description: "The value of the payment header: the proof in Base64." }),
      paymentProof: z.looseObject({}).meta({ description: "The decoded proof, for inspection." }),
      amountPaid: z.number().meta({ description: "The amount in US dollars; for `upto`, the maximum charge." }),
      network: z.string(),
      userWallet: z.string().meta({ description: "The address of the account's wallet on the network." }),
      signingWallet: z
        .string()
        .meta({ description: "The address that pays; it differs from `userWallet` if free credit pays." }),
      scheme: z.enum(["exact", "upto"]),
      paidFromCredit: z.boolean(),
      paymentId: z.string().meta({ description: "ID of the payment in the ledger." }),
      headerName: z.enum(["X-PAYMENT", "PAYMENT-SIGNATURE"]).meta({ description: "The name of the payment header." }),
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
  errors: [...PAYMENT_ERRORS, "max_value_exceeded"],
});
