import { z } from "zod";
import {
  CheckoutOrderDocument,
  type CheckoutOrderQuery,
  CheckoutOrdersDocument,
  type CheckoutOrdersQuery,
} from "../../generated/graphql.ts";
import { knownForm } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { capsOf, shipToEchoOf } from "./shapes.ts";

type Listed = NonNullable<CheckoutOrdersQuery["viewer"]>["orders"]["edges"][number]["node"];
type Order = NonNullable<NonNullable<CheckoutOrderQuery["viewer"]>["order"]>;

const RETRY_ACTIONS = ["re_preview", "poll", "handoff", "contact_support", "none"] as const;

const STATUSES = [
  "pending",
  "approval_required",
  "dispatched",
  "succeeded",
  "merchant_error",
  "worker_error",
  "price_changed",
  "out_of_stock",
  "payment_unconfirmed",
  "payment_gate_hit",
  "timeout",
  "explored",
] as const;

const OrderEntryShape = z.object({
  id: z.string(),
  merchant_id: z.string().nullable(),
  merchant_name: z.string().nullable().meta({ description: "Of an exploration, the shop's host until it is known." }),
  status: z.enum(STATUSES),
  kind: z.enum(["purchase", "explored"]),
  amount_minor: z.int().nullable().meta({ description: "The approved figure: the most that may be charged." }),
  amount_charged_minor: z
    .int()
    .nullable()
    .meta({ description: "What the shop's own page said: the figure to report." }),
  currency: z.string().nullable(),
  test: z.boolean().meta({ description: "Placed at a test shop: no real money moved." }),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  retryable: z.boolean().nullable().optional().meta({
    description:
      "Once terminal. True: placing again is safe. False: it fails the same way or has succeeded. Null: unknown, money may have moved.",
  }),
  retry_action: z.enum(RETRY_ACTIONS).meta({ description: "The single next call; `poll` until terminal." }),
});

const ENTRY_EXAMPLE = {
  id: "ord_1795195756000_k3v9Qm2LxT7a",
  merchant_id: "mer_1795195756000_k3v9Qm2LxT7a",
  merchant_name: "Harbour Outfitters",
  status: "succeeded",
  kind: "purchase",
  amount_minor: 2895,
  amount_charged_minor: 2895,
  currency: "GBP",
  test: false,
  created_at: "2026-11-20T17:29:16.000Z",
  completed_at: "2026-11-20T17:30:09.000Z",
  retryable: false,
  retry_action: "none",
};

export const checkoutOrders = defineRoute({
  method: "GET",
  path: "/api/autofill/orders",
  dialect: "native",
  summary: "Recent orders",
  description: "The account's orders, newest first; 50 at most.",
  scope: "transactions:read",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: CheckoutOrdersDocument,
  variables: () => ({}),
  fieldNames: {},
  answer: ({ viewer }) => viewer && { orders: viewer.orders.edges.map(({ node }) => entryOf(node)) },
  success: {
    description: "The orders.",
    schema: z.object({ orders: z.array(OrderEntryShape) }),
    example: { orders: [ENTRY_EXAMPLE] },
  },
  errors: [],
});

/** The path's parameter of an order's routes. */
export const OrderPath = z.object({
  id: z.string().transform(knownForm).meta({ description: "The order's `id`." }),
});

export const NO_ORDER = { __typename: "NotFoundError", code: "not_found", message: "There is no such order." } as const;

const TIME = z.iso.datetime().nullable();

const OrderShape = OrderEntryShape.extend({
  amount_is_final: z.boolean(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  ship_to: z
    .object({
      recipient: z.string(),
      city: z.string(),
      province_code: z.string().nullable(),
      postal_code_prefix: z.string(),
      country_code: z.string(),
    })
    .nullable()
    .meta({ description: "Redacted; null: to the cardholder." }),
  constraints: z.record(z.string(), z.int()).nullable(),
  person_needed_for: z.string().nullable().meta({ description: "What it waits for a person to do." }),
  evidence: z.object({
    available: z.boolean(),
    bundle_url: z.string(),
    sha256: z.string().nullable(),
    merchant_order_number: z.string().nullable(),
    confirmation_url: z.string().nullable(),
    submitted_at: TIME,
    confirmed_at: TIME,
  }),
  live_view_url: z.string().nullable().meta({
    description: "Watch the checkout, and answer the bank there if it asks; null once the order has ended.",
  }),
  order_url: z.string().meta({ description: "The page to give the person: live, then receipt and evidence." }),
});

export const checkoutOrder = defineRoute({
  method: "GET",
  path: "/api/autofill/orders/{id}",
  dialect: "native",
  summary: "One order",
  description: "How far an order is. Poll it until its status is terminal; then branch on `retry_action`.",
  scope: "transactions:read",
  movesMoney: false,
  pathParameters: OrderPath,
  query: z.object({}),
  body: null,
  document: CheckoutOrderDocument,
  variables: ({ path }) => ({ id: path["id"] ?? "" }),
  fieldNames: {},
  answer: ({ viewer }) => viewer && (viewer.order ? orderOf(viewer.order) : NO_ORDER),
  success: {
    description: "The order.",
    schema: OrderShape,
    example: {
      ...ENTRY_EXAMPLE,
      amount_is_final: true,
      error_code: null,
      error_message: null,
      ship_to: null,
      constraints: { max_total_minor: 5000 },
      person_needed_for: null,
      evidence: {
        available: true,
        bundle_url: "https://satchel.example/api/autofill/orders/ord_1795195756000_k3v9Qm2LxT7a/evidence",
        sha256: null,
        merchant_order_number: "H-1042",
        confirmation_url: "https://harbour.example/thanks/1042",
        submitted_at: "2026-11-20T17:29:58.000Z",
        confirmed_at: "2026-11-20T17:30:09.000Z",
      },
      live_view_url: null,
      order_url: "https://satchel.example/orders/ord_1795195756000_k3v9Qm2LxT7a",
    },
  },
  errors: ["not_found"],
});

function entryOf(order: Listed) {
  const { merchant, merchantUrl } = order;
  return {
    id: order.orderId,
    merchant_id: merchant?.merchantId ?? null,
    merchant_name: merchant?.name ?? (merchantUrl ? new URL(merchantUrl).host : null),
    status: order.status,
    kind: order.kind,
    amount_minor: order.amountMinor,
    amount_charged_minor: order.amountChargedMinor,
    currency: order.currency,
    test: order.isTest,
    created_at: order.createdAt,
    completed_at: order.completedAt,
    ...(order.isTerminal ? { retryable: order.retryable } : {}),
    retry_action: order.retryAction,
  };
}

function orderOf(order: Order) {
  const { evidence } = order;
  return {
    ...entryOf(order),
    amount_is_final: order.amountIsFinal,
    error_code: order.errorCode,
    error_message: order.errorMessage,
    ship_to: order.shipTo && shipToEchoOf(order.shipTo),
    constraints: order.constraints && capsOf(order.constraints),
    person_needed_for: order.personNeededFor,
    evidence: {
      available: evidence.available,
      bundle_url: evidence.bundleUrl,
      sha256: evidence.sha256,
      merchant_order_number: evidence.merchantOrderNumber,
      confirmation_url: evidence.confirmationUrl,
      submitted_at: evidence.submittedAt,
      confirmed_at: evidence.confirmedAt,
    },
    live_view_url: order.liveViewUrl,
    order_url: order.orderUrl,
  };
}
