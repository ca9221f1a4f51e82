/** Ports of the fetch proxy: the payment core it depends on, its input and its result. */
import type { Readable } from "node:stream";
import type { Egress } from "../../platform/egress/egress.ts";
import type { ResponseHeaders } from "../../platform/egress/exchange.ts";
import type { ClaimFence } from "../../platform/idempotency/claim.ts";
import type { Attempt } from "../../wallet/attempts.ts";

export const PROXY_METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type ProxyMethod = (typeof PROXY_METHODS)[number];

/** A 402 response as the target sent it. The body is decompressed and at most 256 KiB. */
export interface PaymentRequiredResponse {
  readonly status: 402;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

export interface PaymentOrder {
  /** URL and method of the request that required payment. After redirects they differ from the caller's. */
  readonly url: string;
  readonly method: string;
  readonly paymentRequired: PaymentRequiredResponse;
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string | null;
  readonly claim: ClaimFence | null;
  /** The caller's request. Without an idempotency key, an equal request continues a payment without a definitive response. */
  readonly request: Pick<X402FetchInput, "url" | "method" | "body">;
}

/** A reserved and signed payment, ready to be sent. Sending it again is harmless, because the network accepts it once. */
export interface AuthorizedPayment {
  readonly transactionId: string;
  readonly accountId: string;
  /** The attempt to get a response; null if equal requests do not continue the payment. */
  readonly attempt: Attempt | null;
  /** Whether a one-time purchase token pays. */
  readonly isOneTime: boolean;
  readonly paymentHeaderName: "X-PAYMENT" | "PAYMENT-SIGNATURE";
  readonly paymentHeader: string;
  /** Expiry of the authorization, as Unix time in milliseconds; null if only a block height bounds it. */
  readonly expiresAtMs: number | null;
  /** Amount as a decimal string in USD; for `upto` the cap. */
  readonly amountPaidUsd: string;
  /** Short name of the network. */
  readonly network: string;
  readonly scheme: string;
}

/** The settlement as the target reports it; unverified until the chain confirms it. */
export interface SettlementClaim {
  readonly txHash: string;
  readonly payer: string | null;
}

/** The target's reaction to the payment. No outcome is proof of a settlement; only the chain is. */
export type PaymentOutcome =
  /** The target delivered, or reports a settlement. */
  | { readonly kind: "claimed"; readonly claim: SettlementClaim | null }
  /** The target responded with 402 to every attempt. */
  | { readonly kind: "refused"; readonly response: PaymentRequiredResponse }
  /** The target failed, was not reached, or sent an inconclusive response. */
  | { readonly kind: "unknown" };

export interface PaymentPort<Viewer> {
  /**
   * Chooses an offer, reserves the amount and signs. Called at most once a request.
   * @throws {ServiceError} when limits, balance or `maxValueAtomic` refuse the payment, or no offer is acceptable.
   */
  payFor(viewer: Viewer, order: PaymentOrder): Promise<AuthorizedPayment>;
  /**
   * Records the outcome. Called exactly once for every payment that `payFor` returned.
   * @param delivery what the caller receives; null while a body is streamed to it: `endAttempt` is then called at its end
   */
  recordOutcome(payment: AuthorizedPayment, outcome: PaymentOutcome, delivery: Delivery | null): Promise<void>;
  /** Returns false once the account is frozen: the signed bytes are then not sent again. Never rejects. */
  maySendAgain(payment: AuthorizedPayment): Promise<boolean>;
  /** Ends the attempt to get a response for the payment. Never rejects. */
  endAttempt(payment: AuthorizedPayment, delivery: Delivery): Promise<void>;
}

/**
 * What the caller receives for its payment: `delivered` is a response below status 400, `refused` a definitive error. After `none`
 * the target failed, was not reached, broke off its response, or requires payment again.
 */
export type Delivery = "delivered" | "refused" | "none";

/** The counterparty of paid requests: resources over HTTP, or a tool of an MCP server (`paid-tools/tool-target.ts`). */
export interface Target extends Pick<Egress, "request"> {
  /** Returns whether an equal request continues the payment after a response with this status. Default: temporary statuses only. */
  isUnfinished?(status: number): boolean;
}

export interface X402FetchDeps<Viewer> {
  readonly target: Target;
  readonly payments: PaymentPort<Viewer>;
  readonly log: { error(fields: object, message: string): void };
}

export interface X402FetchInput {
  readonly url: string;
  readonly method: ProxyMethod;
  /** Maximum price in atomic units of the asset; null applies only the caller's limits. */
  readonly maxValueAtomic: bigint | null;
  /** Time until the headers of the final response; 1 to 120000. */
  readonly timeoutMs: number;
  /** Maximum time after the payment during which failed attempts are repeated. Default: until the timeout. */
  readonly paidRetryMs?: number;
  /** The serialised request body; at most 10 MiB. */
  readonly body: { readonly bytes: Uint8Array; readonly contentType: string } | null;
  /** The caller's headers; those not meant for the target are removed (`headersForTarget`). */
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** The claim on an idempotency key (`Reservation.claim`). Default null. */
  readonly claim?: ClaimFence | null;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Resolves with whether the caller received the response. Absent: it did once the body was read. Must not reject. */
  readonly delivered?: Promise<boolean> | undefined;
  /**
   * Whether an equal request without an idempotency key is refused while this one is in flight. Default false: it is another
   * purchase.
   */
  readonly isExclusive?: boolean | undefined;
  /** Whether an equal exclusive request is in flight, so that this one must not pay. Default false. */
  readonly isEqualInFlight?: boolean;
  /**
   * Called when the response to the payment was read.
   * @param ended resolves once the attempt for the payment has ended; never rejects
   */
  readonly onEnding?: (ended: Promise<void>) => void;
}

export interface X402FetchResult {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Streamed from the target. Must be read or destroyed. */
  readonly body: Readable;
  /** The URL that responded, after redirects. */
  readonly url: string;
  readonly payment: Pick<AuthorizedPayment, "transactionId" | "amountPaidUsd" | "network" | "scheme"> | null;
}
