/** Approvals of purchases outside the standing policy: requested, polled, and consumed by the approved dispatch. */
import type { CheckoutApproval, Prisma } from "../../../generated/prisma/client.ts";
import { hashToken, isWellFormedToken, mintToken } from "../../accounts/secret-token.ts";
import { requesterIdOf, requireAccount, type Viewer } from "../../accounts/viewer.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { Site } from "../../platform/http/site.ts";
import { newId } from "../../platform/ids.ts";
import type { ApprovalDeps } from "../deps.ts";
import type { ApprovalReason } from "../policy/evaluate-policy.ts";

export type ApprovalStatus = "pending" | "approved" | "denied" | "expired" | "consumed";

const PREFIX = "satchel_ap_";
/** Statuses that are not final. */
export const OPEN_STATUSES: string[] = ["pending", "approved"];

export interface RequiredApproval {
  readonly approvalId: string;
  /** Approval token for the caller that dispatched; only its hash is stored. */
  readonly token: string;
  /** Page on which the account owner decides. */
  readonly url: string;
  readonly expiresInSeconds: number;
  readonly reason: ApprovalReason;
}

/**
 * Creates a pending approval in the transaction that writes its order.
 * @param input.document the complete document that the account owner sees and signs; contains no secrets
 */
export async function requestApproval(
  tx: Prisma.TransactionClient,
  { site, checkout }: Pick<ApprovalDeps, "site" | "checkout">,
  input: {
    readonly orderId: string;
    readonly accountId: string;
    readonly requesterId: string;
    readonly dispatchSha256: Uint8Array<ArrayBuffer>;
    readonly reason: ApprovalReason;
    readonly document: Prisma.InputJsonObject;
  },
): Promise<RequiredApproval> {
  const { document, ...columns } = input;
  const id = newId("apr");
  const token = mintToken(PREFIX);
  const expiresAt = new Date(Date.now() + checkout.approvalMs);
  // Part of the signed document: binds the signature to this one purchase.
  const signedIds = {
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
      document: { ...document, ...signedIds },
      status: "pending",
      expiresAt,
    },
  });
  const expiresInSeconds = Math.floor(checkout.approvalMs / 1_000);
  return { approvalId: id, token, url: createApprovalUrl(site, id), expiresInSeconds, reason: input.reason };
}

/**
 * Issues a new approval token to the caller that repeated its dispatch while the approval was open. The previous token
 * becomes invalid. Returns null when the approval is closed or belongs to another caller.
 */
export async function reissueApprovalToken(
  tx: Pick<Prisma.TransactionClient, "checkoutApproval">,
  site: Site,
  { orderId, requesterId }: { readonly orderId: string; readonly requesterId: string },
): Promise<RequiredApproval | null> {
  const token = mintToken(PREFIX);
  const [row] = await tx.checkoutApproval.updateManyAndReturn({
    where: { orderId, requesterId, status: { in: OPEN_STATUSES }, expiresAt: { gt: new Date() } },
    data: { tokenHash: hashToken(token) },
  });
  return row ? requiredApproval(site, row, token) : null;
}

/** Returns the required approval for the caller that holds `token`. */
export function requiredApproval(site: Site, approval: CheckoutApproval, token: string): RequiredApproval {
  const { id: approvalId, reason } = approval;
  const url = createApprovalUrl(site, approvalId);
  return { approvalId, token, url, expiresInSeconds: secondsUntilExpiry(approval), reason: reason as ApprovalReason };
}

/** An approval with its current status: an open approval past its expiry date counts as expired, unlike in its row. */
export type TokenApproval = CheckoutApproval & { readonly status: ApprovalStatus };

/** Returns the approval of the token; null unless the caller acts for the API token, grant or session that dispatched. */
export async function findApprovalByToken(
  { db }: { readonly db: Database },
  viewer: Viewer | null,
  token: string,
): Promise<TokenApproval | null> {
  const caller = requireAccount(viewer);
  if (!isWellFormedToken(token, PREFIX)) return null;
  const approval = await db.prisma.checkoutApproval.findFirst({
    where: { tokenHash: hashToken(token), accountId: caller.accountId, requesterId: requesterIdOf(caller) },
  });
  return approval && { ...approval, status: currentApprovalStatus(approval) };
}

/**
 * Consumes an approval once, for the dispatch it was granted for. Returns null and changes nothing when the approval
 * belongs to another dispatch or caller, was not approved, or has expired. Transition the order in the same transaction,
 * and roll back both when that fails.
 */
export async function consumeApproval(
  tx: Pick<Prisma.TransactionClient, "checkoutApproval">,
  input: {
    readonly token: string;
    readonly dispatchSha256: Uint8Array<ArrayBuffer>;
    readonly accountId: string;
    readonly requesterId: string;
  },
  now = new Date(),
): Promise<CheckoutApproval | null> {
  const { token, dispatchSha256, accountId, requesterId } = input;
  if (!isWellFormedToken(token, PREFIX)) return null;
  const [consumed] = await tx.checkoutApproval.updateManyAndReturn({
    where: {
      tokenHash: hashToken(token),
      dispatchSha256,
      accountId,
      requesterId,
      status: "approved",
      expiresAt: { gt: now },
    },
    data: { status: "consumed", consumedAt: now },
  });
  return consumed ?? null;
}

/** Returns the current status; `expired` is derived from the expiry date. */
export function currentApprovalStatus({
  status,
  expiresAt,
}: Pick<CheckoutApproval, "status" | "expiresAt">): ApprovalStatus {
  return OPEN_STATUSES.includes(status) && expiresAt.getTime() <= Date.now() ? "expired" : (status as ApprovalStatus);
}

/** Returns the filter for approvals that wait for the account owner (`currentApprovalStatus`). */
export function pendingWhere(): Prisma.CheckoutApprovalWhereInput {
  return { status: "pending", expiresAt: { gt: new Date() } };
}

/** `currentApprovalStatus` as an SQL expression on a row with the alias `child`. */
export const STATUS_IN_SQL = `CASE WHEN child.status IN (${OPEN_STATUSES.map((status) => `'${status}'`).join(", ")})
  AND child.expires_at <= now() THEN 'expired' ELSE child.status END`;

/** Returns the whole seconds until the approval expires; 0 afterwards. */
export function secondsUntilExpiry({ expiresAt }: Pick<CheckoutApproval, "expiresAt">): number {
  return Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1_000));
}

export function createApprovalUrl(site: Site, approvalId: string): string {
  return `${site.browserUrl()}/approve/${approvalId}`;
}
