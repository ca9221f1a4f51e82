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
    "Leave to make one payment: to one merchant, on one network, within a cap and five minutes. Whoever holds it sends it to the fetch proxy as `X-Service-Token`. The token is shown this once. At most 30 a minute. Any address but the merchant's is refused with 403. Free credit never pays an offer `upto` of X402 version 1, which is a permit: the wallet does. Of any `upto`, `X-Satchel-Amount-Paid` says the most that may be charged.",
  scope: null,
  authentication: "login_token",
  movesMoney: false,
  query: z.object({}),
  body: z.object({
    merchant_url: z
      .string(orMissing("must be a string"))
      .max(MAX_URL_CHARS, `may have at most ${MAX_URL_CHARS} characters`)
      .meta({
        format: "uri",
        description: "The merchant's full address; the token pays it and what lies under it.",
      }),
    network: oneOf(NETWORKS, "The network to pay on; `avalanche` where it is configured."),
    max_amount_usd: usdNumber("The most the payment may cost, in US dollars; at most 6 decimal places."),
  }),
  exactNumbers: true,
  bodyExample: '{"merchant_url": "https://shop.example/report", "network": "base", "max_amount_usd": 0.25}',
  document: CreatePurchaseTokenDocument,
  variables: ({ body }) => ({
    input: { merchantUrl: body.merchant_url, network: body.network, maxAmountUsd: body.max_amount_usd },
  }),
  fieldNames: { merchantUrl: "merchant_url", maxAmountUsd: "max_amount_usd" },
  answer({ createPurchaseToken: result }) {
    if (result.__typename !== "CreatePurchaseTokenSuccess") return result;
    const { purchaseTokenId, expiresAt, merchantUrl, network, maxAmountUsd } = result.purchaseToken;
    return {
      token: result.token,
      id: purchaseTokenId,
      expires_at: expiresAt,
      merchant_url: merchantUrl.replace(/^https?:\/\//, ""),
      network,
      // The contract's number; up to 15 digits are exact in it.
      max_amount_usd: Number(maxAmountUsd),
    };
  },
  success: {
    description: "The purchase token.",
    schema: z.object({
      token: z.string().meta({ description: "What is sent as `X-Service-Token`. Shown this once." }),
      id: z.string().meta({ description: "`pt_<epoch_seconds>_<suffix>`." }),
      expires_at: z.iso.datetime().meta({ description: "When it ends, in UTC: five minutes after it was made." }),
      merchant_url: z.string().meta({ description: "What it pays, without the scheme." }),
      network: z.string().meta({ description: "The network it pays on." }),
      max_amount_usd: z.number().meta({ description: "The most its payment may cost; the charge may be lower." }),
    }),
    example: {
      token: "satchel_pt_…",
      id: "pt_1795195756_k3v9Qm2LxT7a",
      expires_at: "2026-11-20T17:34:16.000Z",
      merchant_url: "shop.example/report",
      network: "base",
      max_amount_usd: 0.25,
    },
  },
  errors: ["forbidden", "unsupported_network", "rate_limited"],
});
