/** Tools that quote carts and place orders with a saved card. A quote's handle is consumed once by its order. */
import { code as currencyOf } from "currency-codes";
import { z } from "zod";
import type { DataWithoutErrors } from "../../src/platform/graphql/typed-document.ts";
import { formatDecimal } from "../../src/platform/money.ts";
import { ApprovalRequired } from "../approvals.ts";
import {
  GetOrderDocument,
  ListOrdersDocument,
  type OrderSummaryFragment,
  PlaceOrderDocument,
  type PlaceOrderMutation,
  QuoteCartDocument,
} from "../generated/graphql.ts";
import type { HandleTerms } from "../handles.ts";
import { pageOfConnection } from "../pages.ts";
import { PAGE, PAGE_OUTPUT, readPage } from "../parameters.ts";
import type { OrderParties } from "../records.ts";
import { defineTool } from "../tool.ts";
import { notFound, requireSuccess, ToolError } from "../tool-error.ts";
import { untrusted } from "../untrusted.ts";
import { findOwnerQuestion } from "./owner-questions.ts";
import { ORDERS } from "./status-texts.ts";

const TEXT = z.string().max(200);
/** The members of an address are known to models by name. */
const SHIP_TO = z.strictObject({
  first_name: TEXT,
  last_name: TEXT,
  company: TEXT.optional(),
  address1: TEXT,
  address2: TEXT.optional(),
  city: TEXT,
  province_code: TEXT.optional(),
  postal_code: TEXT.optional(),
  country_code: TEXT,
  phone: TEXT.optional(),
});

const CART = {
  merchant_id: z.string().max(100),
  items: z
    .array(z.strictObject({ sku: z.string().max(200), quantity: z.int().min(1).max(999).optional() }))
    .min(1)
    .max(50),
  ship_to: SHIP_TO.optional().meta({ description: "Default: the cardholder's address." }),
  option_id: z.string().max(500).optional().meta({ description: "Delivery or pickup option of the quote." }),
};
const CartObject = z.strictObject(CART);
type Cart = z.output<typeof CartObject>;

function toCartInput({ merchant_id: merchantId, items, ship_to: to, option_id: fulfillmentOptionId }: Cart) {
  return {
    merchantId,
    items: items.map(({ sku, quantity }) => ({ sku, quantity: quantity ?? 1 })),
    fulfillmentOptionId: fulfillmentOptionId ?? null,
    shipTo: to
      ? {
          firstName: to.first_name,
          lastName: to.last_name,
          company: to.company ?? null,
          address1: to.address1,
          address2: to.address2 ?? null,
          city: to.city,
          provinceCode: to.province_code ?? null,
          postalCode: to.postal_code ?? null,
          countryCode: to.country_code,
          phone: to.phone ?? null,
        }
      : null,
  };
}

/** Returns what a `quote_id` is bound to: the cart, and the currency, fulfilment and time of the quote. */
function termsOf(cart: Cart, { currency, fulfillment, time }: QuoteTerms): HandleTerms {
  const quotedAtMs = Number.parseInt(time, 36) || 0;
  const terms = [toCartInput(cart), currency, quotedAtMs, ...(fulfillment === "" ? [] : [fulfillment])];
  return { tool: "place_order", arguments: terms, field: "quote_id" };
}

interface QuoteTerms {
  readonly currency: string;
  /** `P` for a pickup, `D` for a digital delivery, empty for a delivery to the address. */
  readonly fulfillment: string;
  /** Time of the quote in milliseconds, in base 36. */
  readonly time: string;
}

/** A quote's id: its terms, which the handle is bound to, before the handle. */
const QUOTE_ID = /^([A-Z]{3})([PD]?)([0-9a-z]{8,9})\.([\w-]+)$/;
const formatQuoteId = ({ currency, fulfillment, time }: QuoteTerms, handle: string) =>
  `${currency}${fulfillment}${time}.${handle}`;
const FULFILLMENTS: Readonly<Record<string, string>> = { pickup: "P", digital: "D" };

export const quoteCart = defineTool({
  name: "quote_cart",
  title: "Quote cart",
  description:
    "Returns the total of a cart with delivery, and a quote_id with which place_order buys it once. Choose an option_id and quote again if requires_choice. Show the owner the total.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: CartObject,
  output: null,
  document: QuoteCartDocument,
  async call(cart, { run, handles }) {
    const quote = requireSuccess((await run({ input: toCartInput(cart) })).cartQuote);
    const { currency, expectedAmount: total, unfulfillable, pickupResolution: pickup } = quote;
    const isOrderable = total !== null && !quote.requiresFulfillmentChoice && unfulfillable === null;
    const selected = quote.fulfillmentOptions.find(({ optionId }) => optionId === quote.selectedOptionId);
    const fulfillment = FULFILLMENTS[selected?.location ? "pickup" : (selected?.type ?? "")] ?? "";
    const terms = { currency, fulfillment, time: Date.now().toString(36) };
    const create = async () =>
      formatQuoteId(terms, await handles.create(termsOf(cart, terms), BigInt(total?.amountMinor ?? 0)));
    return {
      quote_id: isOrderable ? await create() : null,
      total: total?.amount ?? null,
      currency,
      is_final: quote.amountIsFinal,
      ...(quote.amountIsFinal ? {} : { note: "The total is a maximum. Do not state it as the price." }),
      requires_choice: quote.requiresFulfillmentChoice,
      selected_option_id: quote.selectedOptionId,
      ship_to: quote.shipTo && {
        ...{ recipient: quote.shipTo.recipient, city: quote.shipTo.city, country: quote.shipTo.countryCode },
      },
      quote: untrusted({
        lines: quote.lines.map((line) => ({
          ...{ sku: line.sku, title: line.title, variant: line.variantTitle, quantity: line.quantity },
          ...{ total: line.total.amount, available: line.available },
        })),
        subtotal: quote.subtotal.amount,
        options: quote.fulfillmentOptions.map(({ optionId, type, title, description, amount, location }) => ({
          ...{ id: optionId, type, title, description, amount: amount.amount, location },
        })),
        unfulfillable,
        ...(pickup.status === "not_requested" ? {} : { pickup }),
      }),
    };
  },
});

export const placeOrder = defineTool({
  name: "place_order",
  title: "Place order",
  description:
    "Buys a quoted cart with a saved card, once for each quote_id. Pass the arguments of quote_cart unchanged. If approval_required, give the owner the approval_url, then poll get_request_status with the approval_id and repeat this call.",
  group: "shop",
  effect: "spends",
  affects: "order",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({
    ...CART,
    quote_id: z.string().max(300),
    user_confirmation_text: z.string().min(1).max(2_000).meta({
      description:
        "The owner's literal reply. Stored as evidence, as reported by you, unless your client prompts the owner.",
    }),
    card_id: z.string().max(100).optional().meta({ description: "Default: the default card." }),
  }),
  output: z.object({
    status: z.string(),
    order_id: z.string(),
    order_url: z.string(),
    approval_id: z.string().nullable(),
    approval_url: z.string().nullable(),
    expires_at: z.string().nullable(),
    next_step: z.string(),
  }),
  document: PlaceOrderDocument,
  async call({ quote_id: quoteId, user_confirmation_text: reported, card_id: cardId, ...cart }, call) {
    const { run, handles, records } = call;
    const [, currency = "", fulfillment = "", time = "", handle = ""] = QUOTE_ID.exec(quoteId) ?? [];
    const quoted = { currency, fulfillment, time };
    const { idempotencyKey, capAtomic } = await handles.open(handle, termsOf(cart, quoted));
    const order = {
      ...toCartInput(cart),
      amountMinor: Number(capAtomic),
      currency,
      // The time of the quote bounds that of the reply, and is the same when the call is repeated.
      userApprovedAt: new Date(Number.parseInt(time, 36)).toISOString(),
    };
    /** Returns the confirmation that a form collected for an order of this quote; null if there is none. */
    const findElicited = async (): Promise<Confirmation | null> => {
      const stored = await records.findConfirmation(idempotencyKey);
      if (stored?.source !== "elicited_by_client") return null;
      const { text: userConfirmationText, cardId: storedCardId } = stored;
      return { userConfirmationText, userConfirmationSource: "elicited_by_client", cardId: cardId ?? storedCardId };
    };
    const confirmOrder = async (): Promise<Confirmation> => {
      const parties = () => records.findOrderParties(cart.merchant_id, cardId ?? null);
      const words = await call.confirm(async () => describeOrder(cart, capAtomic ?? 0n, quoted, await parties()));
      if (words === null) {
        const source = "reported_by_agent";
        return { userConfirmationText: reported, userConfirmationSource: source, cardId: cardId ?? null };
      }
      // The card that the form stated, even if another one becomes the default.
      const { cardId: stated } = await parties();
      return { userConfirmationText: words, userConfirmationSource: "elicited_by_client", cardId: stated };
    };
    const place = (confirmation: Confirmation) => run({ input: { ...order, ...confirmation, idempotencyKey } });

    let confirmation = (await findElicited()) ?? (await confirmOrder());
    let result = await place(confirmation);
    if (isReused(result) && confirmation.userConfirmationSource === "elicited_by_client") {
      // A concurrent call orders with the words of another form.
      const elicited = await findElicited();
      if (!elicited && (await records.findStoredId(idempotencyKey)) === null) throw inFlight();
      confirmation = elicited ?? confirmation;
      result = await place(confirmation);
    }
    const { order: placed, requiredApproval: first } = readPlaced(result);
    if (first?.approval.status !== "approved") return conclude(placed, first);
    // Without the key, which belongs to the call that requested the approval. One dispatch is one order anyway.
    const approved = readPlaced(
      await run({ input: { ...order, ...confirmation, approvalToken: first.approvalToken } }),
    );
    return conclude(approved.order, approved.requiredApproval);
  },
});

function inFlight(): ToolError {
  const message = "Another call with this quote_id is still running. Repeat this call in a few seconds.";
  return new ToolError({ code: "idempotency_in_flight", message });
}

interface Confirmation {
  readonly userConfirmationText: string;
  readonly userConfirmationSource: "reported_by_agent" | "elicited_by_client";
  readonly cardId: string | null;
}

/** Lines in the statement. With more, the confirmation would exceed its maximum length. */
const MAX_LINES = 20;
const MAX_TEXT_CHARS = 40;

/** Returns text for the statement: bounded, on one line, and without characters that change the text around it. */
function quoteText(text: string): string {
  const plain = text.replace(/[^\p{L}\p{M}\p{N} !#%&'()*+,./:;=?@_-]/gu, "?");
  return `"${plain.length > MAX_TEXT_CHARS ? `${plain.slice(0, MAX_TEXT_CHARS)}…` : plain}"`;
}

/** Returns what the owner confirms. It has no titles of the merchant, which could mislead the owner. */
function describeOrder(
  { items, ship_to: to }: Cart,
  amountMinor: bigint,
  { currency, fulfillment }: QuoteTerms,
  { domain, cardLast4, home }: OrderParties,
): string {
  const digits = currencyOf(currency)?.digits ?? 2;
  const count = items.reduce((sum, { quantity }) => sum + (quantity ?? 1), 0);
  const amount = formatDecimal(amountMinor, digits, digits);
  const lines = items.slice(0, MAX_LINES).map(({ sku, quantity }) => `${quantity ?? 1} × ${quoteText(sku)}`);
  const more = items.length > MAX_LINES ? `, and ${items.length - MAX_LINES} more products` : "";
  const address = to
    ? `${quoteText(`${to.first_name} ${to.last_name}`)}, ${quoteText(to.city)}, ${quoteText(to.country_code)}`
    : `the saved address of ${home.recipient}, ${quoteText(home.city)}, ${home.countryCode}`;
  const destination = { P: "To be picked up.", D: "Delivered digitally." }[fulfillment] ?? `Deliver to ${address}.`;
  return `Order ${count} ${count === 1 ? "item" : "items"} for at most ${amount} ${currency} from ${domain}: ${lines.join(", ")}${more}. Pay with the card ending in ${cardLast4}. ${destination}`;
}

type Placed = Extract<DataWithoutErrors<PlaceOrderMutation>["dispatchOrder"], { __typename: "DispatchOrderSuccess" }>;

const isReused = ({ dispatchOrder: result }: DataWithoutErrors<PlaceOrderMutation>) =>
  "code" in result && result.code === "idempotency_key_reused";

function readPlaced(data: DataWithoutErrors<PlaceOrderMutation>): Placed {
  const { dispatchOrder: result } = data;
  if (isReused(data)) {
    const message =
      "quote_id was used with another confirmation or card_id. This call ordered nothing. Repeat the first call unchanged, or check list_orders.";
    throw new ToolError({ code: "idempotency_key_reused", message, field: "quote_id" });
  }
  return requireSuccess(result);
}

/** @throws {ApprovalRequired} if the order waits for the owner */
function conclude(order: Placed["order"], required: Placed["requiredApproval"]) {
  const ids = { order_id: order.orderId, order_url: order.orderUrl };
  if (required) {
    const { approvalUrl: url, reasonText: message, approval } = required;
    throw new ApprovalRequired(
      { url, message },
      {
        ...{ status: "approval_required", ...ids, approval_id: approval.approvalId, approval_url: url },
        expires_at: approval.expiresAt,
        next_step: `Nothing is bought yet: ${message} Give the owner the approval_url, poll get_request_status with the approval_id, then repeat this call unchanged.`,
      },
    );
  }
  const question = findOwnerQuestion(order);
  if (question) {
    const { url, text: message } = question;
    throw new ApprovalRequired(
      { url, message },
      {
        ...{ status: "approval_required", ...ids, approval_id: question.id, approval_url: url },
        expires_at: question.expiresAt,
        next_step: `${message} Give the owner the approval_url, then poll get_request_status with the order_id.`,
      },
    );
  }
  return {
    status: order.status,
    ...ids,
    approval_id: null,
    approval_url: null,
    expires_at: null,
    next_step: order.isTerminal
      ? `The order has ended. ${ORDERS[order.status].text}${order.errorMessage ? ` ${order.errorMessage}` : ""}`
      : "Poll get_request_status with the order_id.",
  };
}

const MONEY = z.object({ amount: z.string(), currency: z.string() }).nullable();
const SUMMARY_OUTPUT = {
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  merchant: z.string().nullable(),
  total: MONEY,
  charged: MONEY,
  created_at: z.string(),
};

const summarise = (order: OrderSummaryFragment) => ({
  id: order.orderId,
  kind: order.kind,
  status: order.status,
  merchant: order.merchant?.domain ?? null,
  total: order.amount,
  charged: order.amountCharged,
  created_at: order.createdAt,
});

export const listOrders = defineTool({
  name: "list_orders",
  title: "List orders",
  description: "Lists orders, newest first.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject(PAGE),
  output: z.object({ orders: z.array(z.object(SUMMARY_OUTPUT)), ...PAGE_OUTPUT }),
  document: ListOrdersDocument,
  async call(paging, { run }) {
    const page = pageOfConnection((await run(readPage(paging))).viewer?.orders, summarise);
    return { orders: page.items, next_cursor: page.next_cursor };
  },
});

export const getOrder = defineTool({
  name: "get_order",
  title: "Get order",
  description: "Returns an order: state, error and next step, approval, question, merchant's order number.",
  group: "shop",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ id: z.string().max(100) }),
  output: null,
  document: GetOrderDocument,
  async call({ id }, { run }) {
    const { checkoutOrder: order } = await run({ id });
    if (!order) return notFound("Order");
    const { approval } = order;
    const question = findOwnerQuestion(order);
    return {
      ...summarise(order),
      is_final_total: order.amountIsFinal,
      order_url: order.orderUrl,
      completed_at: order.completedAt,
      is_ended: order.isTerminal,
      retry_action: order.retryAction,
      error: order.errorCode && { code: order.errorCode, message: order.errorMessage },
      approval: approval && {
        ...{
          id: approval.approvalId,
          status: approval.status,
          url: approval.approvalUrl,
          expires_at: approval.expiresAt,
        },
      },
      question: question && {
        ...{ id: question.id, kind: question.kind, text: question.text },
        ...{ url: question.url, expires_at: question.expiresAt },
      },
      details: untrusted({
        lines: order.lines,
        ship_to: order.shipTo,
        order_number: order.evidence.merchantOrderNumber,
      }),
    };
  },
});
