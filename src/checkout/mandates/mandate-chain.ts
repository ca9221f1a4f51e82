/**
 * Signed mandate chain of an order (AP2 v0.2; decisions, "Policy and mandates"): the account owner's consent, the checked
 * cart and the requested payment. SD-JWTs (RFC 9901) without selective disclosures, signed with ES256.
 */
import { createHash } from "node:crypto";
import { SignJWT } from "jose";
import type {
  CheckoutApproval,
  CheckoutOrder,
  CheckoutPolicy,
  Merchant,
  PaymentCard,
} from "../../../generated/prisma/client.ts";
import { formatSubject } from "../../accounts/subject.ts";
import type { MandateDeps } from "../deps.ts";

export interface SignedMandate {
  readonly role: "intent" | "cart" | "payment";
  readonly vct: string;
  readonly sd_jwt: string;
  /** SHA-256 of `sd_jwt`, hexadecimal. */
  readonly sha256: string;
  readonly [claim: string]: unknown;
}

/** Last entry of a chain: the outcome of the order. */
export interface ReceiptEntry {
  readonly role: "receipt";
  readonly status: string;
  /** Order number assigned by the merchant. */
  readonly reference: string | null;
  readonly order_id: string;
}

type Signer = Pick<MandateDeps, "site" | "signingKeys">;

/** Whether the merchant signed the cart; currently no merchant does. */
const MERCHANT_SIGNED = false;
const TYPE = "dc+sd-jwt";

/** Signed consent of the account owner: the policy that covers the order, or the purchase itself. */
export type Consent =
  | { readonly mode: "policy"; readonly policy: Pick<CheckoutPolicy, "id" | "document" | "signature" | "expiresAt"> }
  | { readonly mode: "passkey"; readonly approval: Pick<CheckoutApproval, "document" | "signature" | "expiresAt"> };

/** Input of a mandate chain. */
export interface MandatedOrder
  extends Pick<
    CheckoutOrder,
    "id" | "accountId" | "dispatchSha256" | "quoteSha256" | "shipToSha256" | "amountIsFinal"
  > {
  /** Request as stored in the order's row. */
  readonly request: unknown;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly merchant: Pick<Merchant, "id" | "name" | "url">;
  readonly card: Pick<PaymentCard, "id" | "brand" | "last4">;
  readonly consent: Consent;
}

/**
 * Builds the chain of an order approved by policy or passkey, without its receipt.
 * @throws if the approval has no signature
 */
export async function buildMandateChain(deps: Signer, order: MandatedOrder): Promise<SignedMandate[]> {
  const { merchant, card, amountMinor, currency } = order;
  const { allowed, proof, until } = describeConsent(order);
  const payment_amount = { amount: Number(amountMinor), currency };
  const payee = { id: merchant.id, name: merchant.name, website: merchant.url };
  const sign = createMandateSigner(deps, order);

  const constraints = { ...allowed, order_digest: Buffer.from(order.dispatchSha256).toString("hex") };
  const openCheckout = await sign("intent", "mandate.checkout.open.1", { constraints, consent: proof, ...until });
  const openPayment = await sign("intent", "mandate.payment.open.1", {
    constraints: { max_amount: payment_amount, payee },
    consent: proof,
    ...until,
  });
  const checkout_jwt = await signJwt(deps, "JWT", {
    iss: deps.site.baseUrl(),
    order_id: order.id,
    merchant: payee,
    request: order.request,
    quote_sha256: order.quoteSha256,
    ship_to_sha256: order.shipToSha256,
    total: { ...payment_amount, is_final: order.amountIsFinal },
  });
  const checkout_hash = createHash("sha256").update(checkout_jwt).digest("base64url");
  const cart = await sign("cart", "mandate.checkout.1", {
    checkout_jwt,
    checkout_hash,
    merchant_signed: MERCHANT_SIGNED,
    open_mandate_sha256: openCheckout.sha256,
  });
  const paid = await sign("payment", "mandate.payment.1", {
    transaction_id: checkout_hash,
    payee,
    payment_amount,
    payment_instrument: { type: "card", id: card.id, description: `${card.brand} ${card.last4}` },
    open_mandate_sha256: openPayment.sha256,
  });
  return [openCheckout, openPayment, cart, paid];
}

/** Returns the last entry of the chain of an ended order. */
export function createReceipt(order: Pick<CheckoutOrder, "id" | "status" | "merchantOrderNumber">): ReceiptEntry {
  return { role: "receipt", status: order.status, reference: order.merchantOrderNumber, order_id: order.id };
}

/** Signs the digest of an evidence bundle as a compact JWS (RFC 7515). @param bundleSha256 hexadecimal */
export function signBundle(deps: Signer, orderId: string, bundleSha256: string): Promise<string> {
  return signJwt(deps, "JWT", { iss: deps.site.baseUrl(), order_id: orderId, bundle_sha256: bundleSha256 });
}

function describeConsent({ id, consent }: MandatedOrder) {
  if (consent.mode === "policy") {
    const { policy } = consent;
    const proof = { mode: "policy", policy_id: policy.id, webauthn: policy.signature };
    return { allowed: { policy: policy.document }, proof, until: { exp: toUnixSeconds(policy.expiresAt) } };
  }
  const { document, signature, expiresAt } = consent.approval;
  if (!signature) throw new Error(`Order ${id} has no signed approval.`);
  return {
    allowed: { purchase: document },
    proof: { mode: "passkey", webauthn: signature },
    until: { exp: toUnixSeconds(expiresAt) },
  };
}

function createMandateSigner(deps: Signer, { accountId }: MandatedOrder) {
  const iss = deps.site.baseUrl();
  const sub = formatSubject(iss, accountId);
  return async (role: SignedMandate["role"], vct: string, claims: Record<string, unknown>): Promise<SignedMandate> => {
    // An SD-JWT without disclosures is the JWT followed by the separator `~`.
    const sd_jwt = `${await signJwt(deps, TYPE, { iss, sub, vct, ...claims })}~`;
    const { exp: _exp, consent: _consent, ...shown } = claims;
    return { role, vct, sd_jwt, sha256: createHash("sha256").update(sd_jwt).digest("hex"), ...shown };
  };
}

async function signJwt(
  { signingKeys }: Pick<Signer, "signingKeys">,
  typ: string,
  claims: Record<string, unknown>,
): Promise<string> {
  const { kid, privateKey } = await signingKeys.current("mandate");
  return await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid, typ }).setIssuedAt().sign(privateKey);
}

function toUnixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
