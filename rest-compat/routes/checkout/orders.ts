import { z } from "zod";
import {
  CheckoutOrderDocument,
  type CheckoutOrderQuery,
  CheckoutOrdersDocument,
  type CheckoutOrdersQuery,
} from "../../generated/graphql.ts";
import { idOrNone, toGlobalId } from "../../parameters.ts";
import { defineRoute } from "../../route.ts";
import { QuestionShape, toQuestion } from "./question.ts";
import { toCaps, toShipToEcho } from "./shapes.ts";

type ListedOrder = NonNullable<NonNullable<CheckoutOrdersQuery["viewer"]>["orders"]>["edges"][number]["node"];
type Order = NonNullable<CheckoutOrderQuery["checkoutOrder"]>;

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
  merchant_name: z.string().nullable().meta({
    description: "The merchant's name; for an exploration, the host name until the name is known.",
  }),
  status: z.enum(STATUSES),
  kind: z.enum(["purchase", "explored"]),
  amount_minor: z.int().nullable().meta({ description: "The approved amount, which is the maximum charge." }),
  amount_charged_minor: z
    .int()
    .nullable()
    .meta({ description: "The charged amount as shown by the merchant; report this figure." }),
  currency: z.string().nullable(),
  test: z.boolean().meta({ description: "Whether the merchant is a test merchant: no real money moved." }),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().nullable(),
  retryable: z.boolean().nullable().optional().meta({
    description:
      "Present once the status is terminal. True: a new order is safe. False: it would fail the same way, or has succeeded. Null: a charge is unconfirmed.",
  }),
  retry_action: z.enum(RETRY_ACTIONS).meta({ description: "The only next step; `poll` until the status is terminal." }),
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
  summary: "List orders",
  description: "Returns the account's latest orders, newest first; at most 50.",
  movesMoney: false,
  query: z.object({}),
  body: null,
  document: CheckoutOrdersDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse: ({ viewer }) =>
    viewer?.orders ? { orders: viewer.orders.edges.map(({ node }) => toOrderEntry(node)) } : null,
  success: {
    description: "The orders.",
    schema: z.object({ orders: z.array(OrderEntryShape) }),
    example: { orders: [ENTRY_EXAMPLE] },
  },
  errors: [],
});

/** The path parameter of order routes. */
export const OrderPath = z.object({
  id: z.string().transform(idOrNone).meta({ description: "The order's `id`." }),
});

export const NO_ORDER = { __typename: "NotFoundError", code: "not_found", message: "Order not found." } as const;

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
    .meta({ description: "The redacted delivery address; null for the cardholder's own." }),
  constraints: z.record(z.string(), z.int()).nullable(),
  person_needed_for: z
    .string()
    .nullable()
    .meta({ description: "The action that the order needs from the account owner." }),
  question: QuestionShape.nullable().meta({
    description:
      "The question on which the order waits, if `person_needed_for` is `question`. The order ends without an answer at `expires_at`.",
  }),
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
    description:
      "The live view of the checkout, where the account owner completes 3-D Secure challenges. Null once the order has ended.",
  }),
  order_url: z.string().meta({
    description: "The order page to show to the account owner: live view, then receipt and evidence.",
  }),
  dry_run: z
    .object({
      is_at_payment: z.boolean().meta({
        description:
          "Whether the page was reached at which a purchase would use the card. Only then the total is final.",
      }),
      total_minor: z.int().nullable().meta({ description: "The total of the last page; null if it states none." }),
      tax_minor: z.int().nullable().meta({ description: "The tax that the page states; null if it states none." }),
      currency: z.string().nullable(),
      missing_fields: z
        .array(z.object({ purpose: z.string(), label: z.string() }))
        .meta({ description: "Required fields for which the order has no value. The labels are the merchant's." }),
      valid_until: z.iso.datetime(),
    })
    .optional()
    .meta({ description: "The result of a dry run, once it has ended." }),
});

export const checkoutOrder = defineRoute({
  method: "GET",
  path: "/api/autofill/orders/{id}",
  dialect: "native",
  summary: "Get an order",
  description: "Returns an order. Poll it until its status is terminal, then act on `retry_action`.",
  movesMoney: false,
  pathParameters: OrderPath,
  query: z.object({}),
  body: null,
  document: CheckoutOrderDocument,
  variables: ({ path }) => ({ id: toGlobalId("CheckoutOrder", path["id"]) }),
  fieldNames: {},
  toResponse: ({ checkoutOrder: order }) => (order ? toOrder(order) : NO_ORDER),
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
      question: null,
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

/** REST names of the questions of an order. */
const QUESTIONS = {
  ThreeDSecureQuestion: "three_d_secure",
  SecurityCodeQuestion: "security_code",
  OrderQuestion: "question",
} as const satisfies Record<NonNullable<Order["question"]>["__typename"], string>;

function toOrderEntry(order: ListedOrder) {
  const { merchant, merchantUrl } = order;
  return {
    id: order.orderId,
    merchant_id: merchant?.merchantId ?? null,
    merchant_name: merchant?.name ?? (merchantUrl ? new URL(merchantUrl).host : null),
    status: order.status,
    kind: order.kind,
    amount_minor: order.amount?.amountMinor ?? null,
    amount_charged_minor: order.amountCharged?.amountMinor ?? null,
    currency: order.currency,
    test: order.isTest,
    created_at: order.createdAt,
    completed_at: order.completedAt,
    ...(order.isTerminal ? { retryable: order.retryable } : {}),
    retry_action: order.retryAction,
  };
}

function toOrder(order: Order) {
  const { evidence } = order;
  return {
    ...toOrderEntry(order),
    amount_is_final: order.amountIsFinal,
    error_code: order.errorCode,
    error_message: order.errorMessage,
    ship_to: order.shipTo && toShipToEcho(order.shipTo),
    constraints: order.constraints && toCaps(order.constraints),
    person_needed_for: order.question && QUESTIONS[order.question.__typename],
    question: order.question?.__typename === "OrderQuestion" ? toQuestion(order.question) : null,
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
    ...(order.dryRun ? { dry_run: toDryRun(order.dryRun) } : {}),
  };
}

function toDryRun({ isAtPayment, total, tax, missingFields, validUntil }: NonNullable<Order["dryRun"]>) {
  return {
    is_at_payment: isAtPayment,
    total_minor: total?.amountMinor ?? null,
    tax_minor: tax?.amountMinor ?? null,
    currency: total?.currency ?? null,
    missing_fields: missingFields.map(({ purpose, label }) => ({ purpose, label })),
    valid_until: validUntil,
  };
}
