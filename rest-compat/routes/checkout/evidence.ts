import { z } from "zod";
import { CheckoutEvidenceDocument } from "../../generated/graphql.ts";
import { toGlobalId } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { NO_ORDER, OrderPath } from "./orders.ts";

const BundleShape = z.object({
  order_id: z.string(),
  request: z.object({
    user_prompt: z.string().nullable(),
    items: z.array(z.object({ sku: z.string(), quantity: z.int() })),
    constraints: z.record(z.string(), z.int()).nullable(),
    agent_id: z.string().nullable(),
    received_at: z.iso.datetime(),
  }),
  approval: z.object({
    user_confirmation_text: z.string().nullable(),
    user_approved_at_iso: z.iso.datetime().nullable(),
    mode: z.enum(["policy", "passkey"]).nullable(),
    quote_sha256: z.string().nullable(),
    policy_id: z.string().nullable(),
    webauthn: z.unknown().optional(),
  }),
  mandate_chain: z.array(z.unknown()),
  execution: z.object({
    rail: z.string().nullable(),
    worker_job_id: z.string().nullable(),
    recipe_id: z.string().nullable(),
    recipe_version: z.int().nullable(),
    browser_version: z.string().nullable(),
    submitted_at: z.iso.datetime().nullable(),
    steps: z.array(z.unknown()),
    artifacts: z.array(z.unknown()),
  }),
  merchant_response: z.unknown(),
  ship_to: z.record(z.string(), z.string()).nullable().meta({ description: "The full delivery address." }),
  ship_to_sha256: z.string().nullable(),
  removed: z
    .object({
      at: z.iso.datetime(),
      members: z.array(z.string()).meta({ description: "Paths of the removed members." }),
      original: z
        .object({ bundle_sha256: z.string().nullable(), signature: z.string().nullable() })
        .meta({ description: "Digest and signature of the complete bundle, which verify an earlier copy." }),
    })
    .optional()
    .meta({ description: "Personal data that was removed at the end of its retention. Absent from complete bundles." }),
  bundle_sha256: z.string().meta({
    description: "SHA-256 of the bundle's canonical JSON (RFC 8785) without this member and `signature`, hexadecimal.",
  }),
  signature: z.string().nullable(),
});

export const checkoutEvidence = defineRoute({
  method: "GET",
  path: "/api/autofill/orders/{id}/evidence",
  dialect: "native",
  summary: "Get the evidence of an order",
  description:
    "Returns the request, the account owner's approval, the execution steps, the merchant's response and the full delivery address. Available once the order has ended; 404 before.",
  movesMoney: false,
  pathParameters: OrderPath,
  query: z.object({}),
  body: null,
  document: CheckoutEvidenceDocument,
  variables: ({ path }) => ({ id: toGlobalId("CheckoutOrder", path["id"]) }),
  fieldNames: {},
  toResponse({ checkoutOrder: order }) {
    if (!order) return NO_ORDER;
    const message = "The order has not ended yet. Evidence is available once it has.";
    return (order.evidenceBundle as object | null) ?? { ...NO_ORDER, message };
  },
  success: {
    description: "The evidence bundle.",
    schema: BundleShape,
    example: {
      order_id: "ord_1795195756000_k3v9Qm2LxT7a",
      request: {
        user_prompt: "Two pairs of the grey socks, please.",
        items: [{ sku: "gid://shopify/ProductVariant/710031", quantity: 2 }],
        constraints: { max_total_minor: 5000 },
        agent_id: null,
        received_at: "2026-11-20T17:29:16.000Z",
      },
      approval: {
        user_confirmation_text: "Yes, buy them.",
        user_approved_at_iso: "2026-11-20T17:29:10.000Z",
        mode: "passkey",
        quote_sha256: null,
        policy_id: null,
      },
      mandate_chain: [],
      execution: {
        rail: "shopify",
        worker_job_id: "wjb_1795195757000_k3v9Qm2LxT7a",
        recipe_id: null,
        recipe_version: null,
        browser_version: "148.0.7778.96",
        submitted_at: "2026-11-20T17:29:58.000Z",
        steps: [],
        artifacts: [],
      },
      merchant_response: null,
      ship_to: null,
      ship_to_sha256: null,
      bundle_sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      signature: null,
    },
  },
  errors: ["not_found"],
});
