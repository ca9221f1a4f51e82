import { z } from "zod";
import { CheckoutApprovalDocument } from "../../generated/graphql.ts";
import { defineRoute } from "../../route.ts";

/** Interval between polls, in seconds. */
const POLL_INTERVAL_SECONDS = 3;

export const checkoutApproval = defineRoute({
  method: "GET",
  path: "/api/autofill/approvals/{approval_token}",
  dialect: "native",
  summary: "Get the status of an approval",
  description:
    "Poll this route after a dispatch with status 202. Once the status is `approved`, repeat the dispatch with `approval_token`. Other callers than the one that dispatched get 404.",
  movesMoney: false,
  pathParameters: z.object({
    approval_token: z
      .string()
      .regex(/^[\w-]{1,200}$/, "is not an approval token")
      .meta({ description: "The `approval_token` of the dispatch response." }),
  }),
  query: z.object({}),
  body: null,
  document: CheckoutApprovalDocument,
  variables: ({ path }) => ({ approvalToken: path["approval_token"] ?? "" }),
  fieldNames: {},
  toResponse({ approvalOfToken: approval }) {
    if (!approval) return { code: "not_found", message: "Approval not found.", __typename: "NotFoundError" };
    return {
      status: approval.status,
      approval_url: approval.approvalUrl,
      expires_in: approval.expiresInSeconds,
      interval: POLL_INTERVAL_SECONDS,
      decided_at: approval.decidedAt,
      dispatch_sha256: approval.dispatchSha256,
      reason: approval.reason,
    };
  },
  success: {
    description: "The status of the approval.",
    schema: z.object({
      status: z.enum(["pending", "approved", "denied", "expired", "consumed"]),
      approval_url: z
        .string()
        .meta({ description: "The page where the account owner approves or denies the purchase." }),
      expires_in: z.int().meta({ description: "Seconds." }),
      interval: z.int().meta({ description: "Seconds to wait before the next poll." }),
      decided_at: z.string().nullable(),
      dispatch_sha256: z.string(),
      reason: z.string().meta({ description: "Reason why the standing policy did not cover the purchase." }),
    }),
    example: {
      status: "pending",
      approval_url: "https://satchel.example/approve/apr_1795195756000_k3v9Qm2LxT7a",
      expires_in: 874,
      interval: POLL_INTERVAL_SECONDS,
      decided_at: null,
      dispatch_sha256: "2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
      reason: "above_order_limit",
    },
  },
  errors: ["not_found"],
});
