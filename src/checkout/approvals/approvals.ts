/** Purchases outside of the standing policy: asked for, polled, and consumed by the dispatch that was approved. */
import type { CheckoutApproval, Prisma } from "../../../generated/prisma/client.ts";
import { hashToken, isWellFormedToken, mintToken } from "../../accounts/secret-token.ts";
import { requireAccount, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { newId } from "../../platform/ids.ts";
import type { ApprovalDeps } from "../deps.ts";
import type { ApprovalReason } from "../policy/evaluate-policy.ts";

export type ApprovalStatus = "pending" | "approved" | "denied" | "expired" | "consumed";

const PREFIX = "satchel_ap_";
/** Statuses an approval can still go on from. */
export const OPEN_STATUSES: string[] = ["pending", "approved"];

export interface RequiredApproval {
  readonly approvalId: string;
  /** For the caller that dispatched, and nobody else; only its hash is kept. */
  readonly token: string;
  /** Where its person decides. */
  readonly url: string;
  readonly expiresInSeconds: number;
  readonly reason: ApprovalReason;
}

/**
 * Asks the person for a purchase, in the transaction that writes its order.
 * @param input.document what the person is shown and signs: all of it, and nothing that is secret
 */
export async function requestApproval(
  tx: Prisma.TransactionClient,
  { site, checkout }: Pick<ApprovalDeps, "site" | "checkout">,
  input: {
    readonly orderId: string;
    readonly accountId: string;
    readonly credentialId: string;
    readonly dispatchSha256: Uint8Array<ArrayBuffer>;
    readonly reason: ApprovalReason;
    readonly document: Prisma.InputJsonObject;
  },
): Promise<RequiredApproval> {
  const { document, ...columns } = input;
  const id = newId("apr");
  const token = mintToken(PREFIX);
  const expiresAt = new Date(Date.now() + checkout.approvalMs);
  // Named in what is signed, so that a signature is good for this one purchase.
  const names = {
    approval_id: id,
    order_id: input.orderId,
    dispatch_sha256: Buffer.from(input.dispatchSha256).toString("hex"),
    expires_at: expiresAt.toISOString(),
  };
  await tx.checkoutApproval.create({
    data: {
      ...columns,
      id,
      tokenHash: hashToken(token),
      document: { ...document, ...names },
      status: "pending",
      expiresAt,
    },
  });
  const expiresInSeconds = Math.floor(checkout.approvalMs / 1_000);
  return { approvalId: id, token, url: approvalUrl(site, id), expiresInSeconds, reason: input.reason };
}

/**
 * A new token for the caller that dispatched the same again while its approval was open; the one before it is good no
 * more. Null when it is not open any more, or another caller asked for it.
 */
export async function reissueApprovalToken(
  tx: Pick<Prisma.TransactionClient, "checkoutApproval">,
  site: Site,
  { orderId, credentialId }: { readonly orderId: string; readonly credentialId: string },
): Promise<RequiredApproval | null> {
  const token = mintToken(PREFIX);
  const [row] = await tx.checkoutApproval.updateManyAndReturn({
    where: { orderId, credentialId, status: { in: OPEN_STATUSES }, expiresAt: { gt: new Date() } },
    data: { tokenHash: hashToken(token) },
  });
  return row ? requiredApproval(site, row, token) : null;
}

/** What the caller that has `token` is told of an open approval. */
export function requiredApproval(site: Site, approval: CheckoutApproval, token: string): RequiredApproval {
  const { id: approvalId, reason } = approval;
  const url = approvalUrl(site, approvalId);
  return { approvalId, token, url, expiresInSeconds: secondsLeft(approval), reason: reason as ApprovalReason };
}

/** An approval with its status as of now, not as its row has it: an open one expires with its date. */
export type TokenApproval = CheckoutApproval & { readonly status: ApprovalStatus };

/** What the token is for; null for anybody but the caller that dispatched. */
export async function findApprovalByToken(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  token: string,
): Promise<TokenApproval | null> {
  const { accountId, credentialId } = requireAccount(viewer);
  if (!isWellFormedToken(token, PREFIX)) return null;
  const approval = await db.prisma.checkoutApproval.findFirst({
    where: { tokenHash: hashToken(token), accountId, credentialId },
  });
  return approval && { ...approval, status: approvalStatus(approval) };
}

/**
 * Takes an approval for the dispatch it was given for, once. Null, with nothing changed, when it is of another dispatch
 * or caller, was not approved, or is over. Move the order in the same transaction, and roll both back when that fails.
 */
export async function consumeApproval(
  tx: Pick<Prisma.TransactionClient, "checkoutApproval">,
  input: {
    readonly token: string;
    readonly dispatchSha256: Uint8Array<ArrayBuffer>;
    readonly accountId: string;
    readonly credentialId: string;
  },
  now = new Date(),
): Promise<CheckoutApproval | null> {
  const { token, dispatchSha256, accountId, credentialId } = input;
  if (!isWellFormedToken(token, PREFIX)) return null;
  const [consumed] = await tx.checkoutApproval.updateManyAndReturn({
    where: {
      tokenHash: hashToken(token),
      dispatchSha256,
      accountId,
      credentialId,
      status: "approved",
      expiresAt: { gt: now },
    },
    data: { status: "consumed", consumedAt: now },
  });
  return consumed ?? null;
}

/** Where it stands: `expired` is told from the date. */
export function approvalStatus({ status, expiresAt }: Pick<CheckoutApproval, "status" | "expiresAt">): ApprovalStatus {
  return OPEN_STATUSES.includes(status) && expiresAt.getTime() <= Date.now() ? "expired" : (status as ApprovalStatus);
}

/** Whole seconds until it is over; 0 once it is. */
export function secondsLeft({ expiresAt }: Pick<CheckoutApproval, "expiresAt">): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
}

export function approvalUrl(site: Site, approvalId: string): string {
  return `${site.browserUrl()}/approve/${approvalId}`;
}
