/**
 * Evidence bundle of an ended order: its request, approval, execution and merchant response (decisions, "Checkout
 * bodies").
 */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import {
  type CheckoutApproval,
  type CheckoutArtifact,
  type CheckoutOrder,
  type CheckoutStep,
  type OrderQuestion,
  Prisma,
} from "../../../generated/prisma/client.ts";
import type { KeyEncryptionKeys } from "../../platform/crypto/sealing/wrapped-key.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import type { MandateDeps } from "../deps.ts";
import { createReceipt, signBundle } from "../mandates/mandate-chain.ts";
import { CONSTRAINT_FIELDS, type Constraints } from "../quote/constraints.ts";
import type { Quote } from "../quote/quote.ts";
import { SHIP_TO_FIELDS, type ShipTo } from "../quote/ship-to.ts";
import { toRestNames } from "../rest-names.ts";
import { openDeliveryAddress } from "./delivery-address.ts";
import { readPurchase } from "./request.ts";
import { isTerminal } from "./states.ts";

export interface EvidenceDeps extends MandateDeps {
  readonly keks: KeyEncryptionKeys;
}

export interface EvidenceBundle {
  /** SHA-256 over the canonical JSON (RFC 8785) of all members except this one and the signature, hexadecimal. */
  readonly bundle_sha256: string;
  /** Compact JWS (RFC 7515) over `bundle_sha256`. */
  readonly signature: string;
  readonly [member: string]: unknown;
}

const BATCH_SIZE = 100;

/** The column `removal` of an order. */
interface Removal {
  readonly at: string;
  readonly members: readonly string[];
  /** Digest and signature of the complete bundle; null if it was never signed. */
  readonly bundleSha256: string | null;
  readonly bundleSignature: string | null;
}

type EvidenceOrder = CheckoutOrder & {
  readonly approval: Pick<CheckoutApproval, "signature"> | null;
  readonly merchant: { readonly rail: string } | null;
  readonly steps: readonly CheckoutStep[];
  readonly questions: readonly OrderQuestion[];
  readonly artifacts: readonly Omit<
    CheckoutArtifact,
    "bytes" | "orderId" | "contentType" | "createdAt" | "removedAt"
  >[];
};

/**
 * Returns the bundle in snake case, as in REST; null until the order has ended, because it grows until then. The first read
 * signs the bundle; ended orders never change. After retention has removed personal data, the rest is signed again. `removed` then
 * states what was removed, with digest and signature of the complete bundle.
 */
export async function readEvidence(deps: EvidenceDeps, orderId: string): Promise<EvidenceBundle | null> {
  const { db, keks } = deps;
  const order: EvidenceOrder | null = await db.prisma.checkoutOrder.findUnique({
    where: { id: orderId },
    include: {
      approval: { select: { signature: true } },
      merchant: { select: { rail: true } },
      steps: { orderBy: { seq: "asc" } },
      questions: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] },
      artifacts: {
        select: { id: true, kind: true, sha256: true, redactions: true },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      },
    },
  });
  if (!order || !isTerminal(order.status)) return null;
  const contents = createContents(order, await openDeliveryAddress(keks, order));
  const sha256 = createHash("sha256")
    .update(canonicalize(contents) ?? "")
    .digest("hex");
  return {
    ...contents,
    bundle_sha256: sha256,
    signature: order.bundleSignature ?? (await sign(deps, order, sha256)),
  };
}

/** Signs bundles that were not yet read. @returns the number of attempted bundles */
export async function signEvidence(deps: EvidenceDeps & { readonly logger: Logger }): Promise<number> {
  const unsigned = await deps.db.prisma.checkoutOrder.findMany({
    where: { bundleSha256: null, completedAt: { not: null } },
    select: { id: true },
    orderBy: { completedAt: "desc" },
    take: BATCH_SIZE,
  });
  for (const { id } of unsigned) {
    // An order whose address cannot be decrypted must not block the others.
    await readEvidence(deps, id).catch((err: unknown) =>
      deps.logger.error({ err, order: id }, "Signing the evidence of an order failed"),
    );
  }
  return unsigned.length;
}

/** Signs a bundle and returns the stored signature: the first one, if several processes sign concurrently. */
async function sign(
  deps: EvidenceDeps,
  { id, removal }: Pick<CheckoutOrder, "id" | "removal">,
  bundleSha256: string,
): Promise<string> {
  const bundleSignature = await signBundle(deps, id, bundleSha256);
  const { checkoutOrder } = deps.db.prisma;
  // Retention may have removed data after the bundle was read.
  const asRead = { removal: removal === null ? { equals: Prisma.DbNull } : { not: Prisma.DbNull } };
  await checkoutOrder.updateMany({
    where: { id, bundleSignature: null, ...asRead },
    data: { bundleSha256, bundleSignature },
  });
  const stored = await checkoutOrder.findUniqueOrThrow({ where: { id }, select: { bundleSignature: true } });
  return stored.bundleSignature ?? bundleSignature;
}

function createContents(order: EvidenceOrder, shipTo: ShipTo | null) {
  const purchase = readPurchase(order);
  return {
    order_id: order.id,
    request: {
      user_prompt: order.userPrompt,
      items: purchase?.items ?? [],
      constraints: purchase?.constraints ? toRestCaps(purchase.constraints) : null,
      agent_id: purchase?.agentId ?? null,
      received_at: order.createdAt.toISOString(),
      ...(purchase ? {} : { exploration: order.request }),
    },
    approval: {
      user_confirmation_text: order.userConfirmationText,
      user_approved_at_iso: toIsoTime(order.userApprovedAt),
      // Absent otherwise, as in bundles signed before the column existed.
      ...(order.userConfirmationSource === null ? {} : { user_confirmation_source: order.userConfirmationSource }),
      mode: order.approvalMode,
      quote_sha256: order.quoteSha256,
      policy_id: order.policyId,
      ...(order.approval?.signature ? { webauthn: order.approval.signature } : {}),
    },
    mandate_chain: Array.isArray(order.mandateChain) ? [...order.mandateChain, createReceipt(order)] : [],
    execution: describeExecution(order),
    merchant_response: order.merchantResponse,
    ship_to: shipTo && toRestNames(SHIP_TO_FIELDS, shipTo),
    ship_to_sha256: order.shipToSha256,
    ...(order.removal === null ? {} : { removed: describeRemoval(order.removal as unknown as Removal) }),
  };
}

function describeRemoval({ at, members, bundleSha256, bundleSignature }: Removal) {
  return { at, members, original: { bundle_sha256: bundleSha256, signature: bundleSignature } };
}

function describeExecution(order: EvidenceOrder) {
  return {
    // The rail at dispatch; that of the merchant may have changed since.
    rail: (order.quote as Quote | null)?.rail ?? order.merchant?.rail ?? null,
    worker_job_id: order.workerJobId,
    recipe_id: order.recipeId,
    recipe_version: order.recipeVersion,
    browser_version: order.browserVersion,
    submitted_at: toIsoTime(order.submittedAt),
    steps: order.steps.map(({ seq, at, action, selector, urlOrigin, outcome, screenshotId }) => ({
      ...{ seq, at: at.toISOString(), action, selector },
      ...{ url_origin: urlOrigin, outcome, screenshot_id: screenshotId },
    })),
    // Absent without questions, as in bundles signed before there were any.
    ...(order.questions.length === 0 ? {} : { questions: order.questions.map(describeQuestion) }),
    artifacts: order.artifacts.map(({ id, kind, sha256, redactions }) => ({ id, kind, sha256, redactions })),
  };
}

function describeQuestion(question: OrderQuestion) {
  const { id, purpose, kind, merchantText, status, answer, answeredBy, createdAt, endedAt } = question;
  return {
    ...{ id, purpose, kind, merchant_text: merchantText, asked_at: createdAt.toISOString(), status, answer },
    ...{ answered_by: answeredBy, ended_at: toIsoTime(endedAt) },
  };
}

const toIsoTime = (time: Date | null) => time?.toISOString() ?? null;

const toRestCaps = (constraints: Constraints) => toRestNames(CONSTRAINT_FIELDS, constraints);
