import { onTestFinished } from "vitest";
import type {
  AuthorizedPayment,
  Delivery,
  PaymentOrder,
  PaymentOutcome,
  X402FetchDeps,
  X402FetchInput,
} from "../../../src/payments/proxy/ports.ts";
import { createEgress } from "../../../src/platform/egress/egress.ts";

export interface TestViewer {
  readonly id: string;
}

export const VIEWER: TestViewer = { id: "viewer" };

/** Calls of the proxy to the payment core, and its log. */
export interface Ledger {
  readonly orders: (PaymentOrder & { viewer: TestViewer })[];
  readonly outcomes: { transactionId: string; outcome: PaymentOutcome }[];
  readonly deliveries: { transactionId: string; delivery: Delivery }[];
  readonly logged: { fields: object; message: string }[];
}

/** Creates dependencies with a real egress and a recording payment port, in which every call of `payFor` is another payment. */
export function openDeps(
  overrides: Partial<X402FetchDeps<TestViewer>["payments"]> = {},
  name?: AuthorizedPayment["paymentHeaderName"],
) {
  const egress = createEgress({ allowLoopback: true, resolveAll: async () => [{ address: "127.0.0.1", family: 4 }] });
  onTestFinished(() => egress.close());
  const ledger: Ledger = { orders: [], outcomes: [], deliveries: [], logged: [] };
  const deps: X402FetchDeps<TestViewer> = {
    target: egress,
    log: { error: (fields, message) => ledger.logged.push({ fields, message }) },
    payments: {
      async payFor(viewer, order) {
        ledger.orders.push({ ...order, viewer });
        return {
          transactionId: `tx_${ledger.orders.length}`,
          accountId: "acc_1",
          attempt: null,
          isOneTime: false,
          paymentHeaderName: name ?? "X-PAYMENT",
          paymentHeader: `signed-${ledger.orders.length}`,
          expiresAtMs: null,
          amountPaidUsd: "0.01",
          network: "base-sepolia",
          scheme: "exact",
        };
      },
      async recordOutcome({ transactionId }, outcome, delivery) {
        ledger.outcomes.push({ transactionId, outcome });
        if (delivery !== null) ledger.deliveries.push({ transactionId, delivery });
      },
      async maySendAgain() {
        return true;
      },
      async endAttempt({ transactionId }, delivery) {
        ledger.deliveries.push({ transactionId, delivery });
      },
      ...overrides,
    },
  };
  return { deps, ledger };
}

/** Returns a GET request with defaults. */
export function input(url: string, more: Partial<X402FetchInput> = {}): X402FetchInput {
  return {
    url,
    method: "GET",
    maxValueAtomic: null,
    timeoutMs: 5_000,
    body: null,
    headers: {},
    idempotencyKey: null,
    ...more,
  };
}

export const TX_HASH = `0x${"ab".repeat(32)}`;
export const PAYER = `0x${"cd".repeat(20)}`;

/** Returns the settlement response header of a seller. */
export const paymentResponse = (fields: object) =>
  Buffer.from(
    JSON.stringify({ success: true, transaction: TX_HASH, network: "base-sepolia", payer: PAYER, ...fields }),
  ).toString("base64");
