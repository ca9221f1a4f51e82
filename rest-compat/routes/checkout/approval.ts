import { z } from "zod";
import { CheckoutApprovalDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

/** How long to wait between polls, in seconds. */
const INTERVAL = 3;

export const checkoutApproval = defineRoute({
  method: "GET",
  path: "/api/autofill/approvals/{approval_token}",
  dialect: "native",
  summary: "Whether a purchase was approved",
  description:
    "Poll it after a dispatch answered 202. Once `approved`, dispatch the same again with `approval_token`. Only the caller that dispatched finds it.",
  scope: "payments:sign",
  movesMoney: false,
  pathParameters: z.object({
    approval_token: z
      .string()
      .regex(/^[\w-]{1,200}$/, "is not an approval token")
      .meta({ description: "As the dispatch answered it." }),
  }),
  query: z.object({}),
  body: null,
  document: CheckoutApprovalDocument,
  variables: ({ path }) => ({ approvalToken: path["approval_token"] ?? "" }),
  fieldNames: {},
  answer({ approvalOfToken: approval }) {
    if (!approval) return { code: "not_found", message: "There is no such approval.", __typename: "NotFoundError" };
    return {
      status: approval.status.toLowerCase(),
      approval_url: approval.approvalUrl,
      expires_in: approval.expiresInSeconds,
      interval: INTERVAL,
      decided_at: approval.decidedAt,
      dispatch_sha256: approval.dispatchSha256,
      reason: approval.reason,
    };
  },
  success: {
    description: "Where the approval stands.",
    schema: z.object({
      status: z.enum(["pending", "approved", "denied", "expired", "consumed"]),
      approval_url: z.string().meta({ description: "Show it to the person: they decide there." }),
      expires_in: z.int().meta({ description: "Seconds." }),
      interval: z.int().meta({ description: "Seconds to wait before the next poll." }),
      decided_at: z.string().nullable(),
      dispatch_sha256: z.string(),
      reason: z.string().meta({ description: "Why the standing policy did not cover it." }),
    }),
    example: {
      status: "pending",
      approval_url: "https://satchel.example/approve/apr_1795195756000_k3v9Qm2LxT7a",
      expires_in: 874,
      interval: INTERVAL,
      decided_at: null,
      dispatch_sha256: "2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
      reason: "above_order_limit",
    },
  },
  errors: ["not_found"],
});
