/** All that shows what was asked, approved, done and answered (decisions, "Checkout bodies"): the bundle of an order that has ended. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type {
  CheckoutApproval,
  CheckoutArtifact,
  CheckoutOrder,
  CheckoutStep,
} from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database.ts";
import type { KeyEncryptionKeys } from "../../platform/sealing/wrapped-key.ts";
import { CONSTRAINT_FIELDS, type Constraints } from "../quote/constraints.ts";
import { SHIP_TO_FIELDS, type ShipTo } from "../quote/ship-to.ts";
import { openDeliveryAddress } from "./delivery-address.ts";
import { purchaseOf } from "./request.ts";
import { isTerminal } from "./states.ts";

interface EvidenceDeps {
  readonly db: Database;
  readonly keks: KeyEncryptionKeys;
}

type Kept = CheckoutOrder & {
  readonly approval: Pick<CheckoutApproval, "signature"> | null;
  readonly merchant: { readonly rail: string } | null;
  readonly steps: readonly CheckoutStep[];
  readonly artifacts: readonly Omit<CheckoutArtifact, "bytes" | "orderId" | "contentType" | "createdAt">[];
};

/**
 * The bundle, in snake case as REST shows it; null while the order has not ended, for until then it grows. `bundle_sha256`
 * is over the canonical JSON (RFC 8785) of everything but itself and the signature.
 */
export async function evidenceOf({ db, keks }: EvidenceDeps, orderId: string): Promise<object | null> {
  const order: Kept | null = await db.prisma.checkoutOrder.findUnique({
    where: { id: orderId },
    include: {
      approval: { select: { signature: true } },
      merchant: { select: { rail: true } },
      steps: { orderBy: { seq: "asc" } },
      artifacts: {
        select: { id: true, kind: true, sha256: true, redactions: true },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      },
    },
  });
  if (!order || !isTerminal(order.status)) return null;
  const contents = contentsOf(order, await openDeliveryAddress(keks, order));
  const sha256 = createHash("sha256")
    .update(canonicalize(contents) ?? "")
    .digest("hex");
  return { ...contents, bundle_sha256: sha256, signature: order.bundleSignature };
}

function contentsOf(order: Kept, shipTo: ShipTo | null) {
  const asked = purchaseOf(order);
  return {
    order_id: order.id,
    request: {
      user_prompt: order.userPrompt,
      items: asked?.items ?? [],
      constraints: asked?.constraints ? capsOf(asked.constraints) : null,
      agent_id: asked?.agentId ?? null,
      received_at: order.createdAt.toISOString(),
      ...(asked ? {} : { exploration: order.request }),
    },
    approval: {
      user_confirmation_text: order.userConfirmationText,
      user_approved_at_iso: timeOf(order.userApprovedAt),
      mode: order.approvalMode,
      quote_sha256: order.quoteSha256,
      policy_id: order.policyId,
      ...(order.approval?.signature ? { webauthn: order.approval.signature } : {}),
    },
    mandate_chain: order.mandateChain ?? [],
    execution: executionOf(order),
    merchant_response: order.merchantResponse,
    ship_to: shipTo && named(SHIP_TO_FIELDS, shipTo),
    ship_to_sha256: order.shipToSha256,
  };
}

function executionOf(order: Kept) {
  return {
    rail: order.merchant?.rail ?? null,
    worker_job_id: order.workerJobId,
    recipe_id: order.recipeId,
    recipe_version: order.recipeVersion,
    browser_version: order.browserVersion,
    submitted_at: timeOf(order.submittedAt),
    steps: order.steps.map(({ seq, at, action, selector, urlOrigin, outcome, screenshotId }) => ({
      ...{ seq, at: at.toISOString(), action, selector },
      ...{ url_origin: urlOrigin, outcome, screenshot_id: screenshotId },
    })),
    artifacts: order.artifacts.map(({ id, kind, sha256, redactions }) => ({ id, kind, sha256, redactions })),
  };
}

const timeOf = (time: Date | null) => time?.toISOString() ?? null;

const capsOf = (constraints: Constraints) => named(CONSTRAINT_FIELDS, constraints);

/** What is there, under the names that REST uses. */
function named<Field extends string>(names: Readonly<Record<Field, string>>, values: Readonly<Record<Field, unknown>>) {
  const fields = Object.entries<string>(names).map(([field, name]) => [name, values[field as Field]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined));
}
