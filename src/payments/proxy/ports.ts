/** What the fetch proxy needs from the payment core, and what it takes and gives. */
import type { Readable } from "node:stream";
import type { Egress } from "../../platform/egress/egress.ts";
import type { ResponseHeaders } from "../../platform/egress/exchange.ts";

export const PROXY_METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH"] as const;
export type ProxyMethod = (typeof PROXY_METHODS)[number];

/** A 402 as the target sent it; the body is decompressed and bounded. */
export interface PaymentRequiredAnswer {
  readonly status: 402;
  readonly headers: ResponseHeaders;
  readonly body: Uint8Array;
}

export interface PaymentOrder {
  /** Address and method that asked for payment: after redirects not those the caller named. */
  readonly url: string;
  readonly method: string;
  readonly paymentRequired: PaymentRequiredAnswer;
  readonly maxValueAtomic: bigint | null;
  readonly idempotencyKey: string | null;
}

/** A reserved and signed payment, ready to be sent; sending it again is harmless, the network takes it once. */
export interface AuthorizedPayment {
  readonly transactionId: string;
  readonly paymentHeaderName: "X-PAYMENT" | "PAYMENT-SIGNATURE";
  readonly paymentHeader: string;
  /** Decimal string in USD; for `upto` the most the target may charge. */
  readonly amountPaidUsd: string;
  /** Short name of the network. */
  readonly network: string;
  readonly scheme: string;
}

/** What the target says about the settlement, unproven until the chain confirms it. */
export interface SettlementClaim {
  readonly txHash: string;
  readonly payer: string | null;
}

/** How the target took the payment. None of them is proof; only the chain is. */
export type PaymentOutcome =
  /** It delivered, or says that it settled. */
  | { readonly kind: "claimed"; readonly claim: SettlementClaim | null }
  /** It asked for payment again, every time, and never failed in between. */
  | { readonly kind: "refused"; readonly answer: PaymentRequiredAnswer }
  /** It failed, was not reached or answered something from which nothing follows. */
  | { readonly kind: "unknown" };

export interface PaymentPort<Viewer> {
  /**
   * Chooses, reserves and signs. Called at most once for a request.
   * @throws {ServiceError} what refuses the payment: limits, balance, `maxValueAtomic`, nothing acceptable.
   */
  payFor(viewer: Viewer, order: PaymentOrder): Promise<AuthorizedPayment>;
  /** Writes down how it went. Called exactly once for every payment that `payFor` gave. */
  recordOutcome(transactionId: string, outcome: PaymentOutcome): Promise<void>;
}

export interface X402FetchDeps<Viewer> {
  readonly egress: Pick<Egress, "request">;
  readonly payments: PaymentPort<Viewer>;
  readonly log: { error(fields: object, message: string): void };
}

export interface X402FetchInput {
  readonly url: string;
  readonly method: ProxyMethod;
  /** In atomic units of the asset; null means the caller's limits alone decide. */
  readonly maxValueAtomic: bigint | null;
  /** Until the final response's headers; 1 to 120000. */
  readonly timeoutMs: number;
  /** Already serialised; at most 10 MiB. */
  readonly body: { readonly bytes: Uint8Array; readonly contentType: string } | null;
  /** The caller's headers; those that are none of the target's business are dropped. */
  readonly headers: Readonly<Record<string, string>>;
  readonly idempotencyKey: string | null;
  /** Aborted when the caller goes away. */
  readonly signal?: AbortSignal | undefined;
}

export interface X402FetchResult {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Streamed from the target. Must be read or destroyed. */
  readonly body: Readable;
  /** The address that answered. */
  readonly url: string;
  readonly payment: Omit<AuthorizedPayment, "paymentHeaderName" | "paymentHeader"> | null;
}
