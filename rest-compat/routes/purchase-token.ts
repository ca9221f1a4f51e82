import { z } from "zod";
import { orMissing } from "../../src/platform/validation.ts";
import { CreatePurchaseTokenDocument } from "../generated/graphql.ts";
import { NETWORKS, oneOf, usdNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";

const MAX_URL_CHARS = 2_048;

export const purchaseTokenCreate = defineRoute({
  method: "POST",
  path: "/api/purchase-token/create",
  dialect: "native",
  summary: "Create a one-time purchase token",
  description:
    "Creates a token for one payment: to one merchant, on one network, up to a cap and within five minutes. The holder sends it to the fetch proxy as `X-Service-Token`. The token is shown only once. Rate limit: 30 per minute. Requests to any other URL than the merchant's get a 403 response. An `upto` offer of X402 version 1 is a permit, which the wallet pays, never free credit. For `upto`, `X-Satchel-Amount-Paid` is the maximum charge.",
  authentication: "login_token",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    merchant_url: z
      .string(orMissing("must be a string"))
      .max(MAX_URL_CHARS, `must have at most ${MAX_URL_CHARS} characters`)
      .refine(
        (url) => URL.canParse(url),
        `must be an absolute http or https URL of at most ${MAX_URL_CHARS} characters, such as https://merchant.example/report`,
      )
      .meta({
        format: "uri",
        description: "The merchant's full URL; the token pays for this URL and paths below it.",
      }),
    network: oneOf(NETWORKS, "The network of the payment; `avalanche` only if configured."),
    max_amount_usd: usdNumber("Maximum cost of the payment in US dollars; at most 6 decimal places."),
  }),
  hasExactNumbers: true,
  bodyExample: '{"merchant_url": "https://merchant.example/report", "network": "base", "max_amount_usd": 0.25}',
  document: CreatePurchaseTokenDocument,
  variables: ({ body }) => ({
    input: { merchantUrl: body.merchant_url, network: body.network, maxAmountUsd: body.max_amount_usd },
  }),
  fieldNames: { merchantUrl: "merchant_url", maxAmountUsd: "max_amount_usd" },
  toResponse({ createPurchaseToken: result }) {
    if (result.__typename !== "CreatePurchaseTokenSuccess") return result;
    const { purchaseTokenId, expiresAt, merchantUrl, network, maxAmountUsd } = result.purchaseToken;
    return {
      token: result.token,
      id: purchaseTokenId,
      expires_at: expiresAt,
      merchant_url: merchantUrl.replace(/^https?:\/\//, ""),
      network,
      // The contract specifies a number, which is exact up to 15 digits.
      max_amount_usd: Number(maxAmountUsd),
    };
  },
  success: {
    description: "The purchase token.",
    schema: z.object({
      token: z.string().meta({ description: "The token; send it as `X-Service-Token`. Shown only once." }),
      id: z.string().meta({ description: "`pt_<epoch_seconds>_<suffix>`." }),
      expires_at: z.iso
        .datetime()
        .meta({ description: "Timestamp when the token expires (UTC): five minutes after its creation." }),
      merchant_url: z.string().meta({ description: "The merchant's URL, without the scheme." }),
      network: z.string().meta({ description: "The network of the payment." }),
      max_amount_usd: z
        .number()
        .meta({ description: "Maximum cost of the payment in US dollars; the charge may be lower." }),
    }),
    example: {
      token: "satchel_pt_…",
      id: "pt_1795195756_k3v9Qm2LxT7a",
      expires_at: "2026-11-20T17:34:16.000Z",
      merchant_url: "merchant.example/report",
      network: "base",
      max_amount_usd: 0.25,
    },
  },
  errors: ["forbidden", "unsupported_network", "rate_limited"],
});
