/** The status of everything that a client waits for. */
import { z } from "zod";
import { GetRequestStatusDocument } from "../generated/graphql.ts";
import { defineTool } from "../tool.ts";
import { notFound, ToolError } from "../tool-error.ts";
import { findOwnerQuestion } from "./owner-questions.ts";

/** Kinds of ids by prefix, with the variable that selects the look-up. */
const KINDS = {
  apr: "isApproval",
  qst: "isQuestion",
  ord: "isOrder",
  trd: "isTrade",
  tx: "isTransaction",
} as const;
type Kind = keyof typeof KINDS;

const FINAL: Readonly<Record<string, readonly string[]>> = {
  apr: ["approved", "denied", "expired", "consumed"],
  qst: ["answered", "expired", "withdrawn"],
  trd: ["settled", "failed"],
  tx: ["settled", "released", "failed"],
};

const GIVE_URL = "Give the owner the url, then call get_request_status again.";

export const getRequestStatus = defineTool({
  name: "get_request_status",
  title: "Get request status",
  description:
    "Returns the state of what you wait for: an approval (apr_…), a question (qst_…), an order (ord_…), a trade (trd_…) or a payment (tx_…). Wait a few seconds between calls.",
  group: "always",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({ id: z.string().max(100) }),
  output: z.object({
    id: z.string(),
    kind: z.enum(["approval", "question", "order", "trade", "payment"]),
    status: z.string(),
    is_final: z.boolean(),
    waits_for: z.enum(["approval", "question", "security_code", "three_d_secure", "other"]).nullable(),
    url: z.string().nullable().meta({ description: "The owner's page." }),
    expires_at: z.string().nullable(),
    approval_id: z.string().nullable(),
    next_step: z.string(),
  }),
  document: GetRequestStatusDocument,
  async call({ id }, { run }) {
    const kind = Object.keys(KINDS).find((prefix) => id.startsWith(`${prefix}_`)) as Kind | undefined;
    if (!kind) {
      const message = "id must be that of an approval, question, order, trade or payment.";
      throw new ToolError({ code: "invalid_request", message, field: "id" });
    }
    const variables = Object.fromEntries(Object.entries(KINDS).map(([prefix, name]) => [name, prefix === kind]));
    const found = await run({ id, ...(variables as Record<(typeof KINDS)[Kind], boolean>) });
    const { purchaseApproval: approval, orderQuestion: question, checkoutOrder: order, trade, transaction } = found;
    const base = { id, waits_for: null, url: null, expires_at: null, approval_id: null };
    if (approval) {
      const isOpen = approval.status === "pending";
      return {
        ...base,
        kind: "approval",
        status: approval.status,
        is_final: isFinal("apr", approval.status),
        waits_for: isOpen ? "approval" : null,
        url: approval.approvalUrl,
        expires_at: approval.expiresAt,
        approval_id: approval.approvalId,
        next_step:
          approval.status === "consumed" && approval.order
            ? `The order ${approval.order.orderId} was placed under this approval. get_order has its state.`
            : APPROVAL_STEPS[approval.status],
      };
    }
    if (question) {
      const isOpen = question.status === "open";
      return {
        ...base,
        kind: "question",
        status: question.status,
        is_final: isFinal("qst", question.status),
        waits_for: isOpen ? "question" : null,
        url: isOpen ? question.order.orderUrl : null,
        expires_at: question.expiresAt ?? null,
        next_step: isOpen ? `${question.text} ${GIVE_URL}` : "Check the order.",
      };
    }
    if (order) {
      const result = { ...base, kind: "order", status: order.status, is_final: order.isTerminal, url: order.orderUrl };
      if (order.isTerminal) return { ...result, next_step: "The order has ended; get_order has its result." };
      if (order.approval?.status === "pending") {
        const { approvalId, approvalUrl, expiresAt, reasonText } = order.approval;
        const waiting = { waits_for: "approval", url: approvalUrl, expires_at: expiresAt, approval_id: approvalId };
        return { ...result, ...waiting, next_step: `Nothing is bought yet: ${reasonText} ${GIVE_URL}` };
      }
      const needed = findOwnerQuestion(order);
      if (!needed) return { ...result, next_step: "Call get_request_status again." };
      const waiting = { waits_for: needed.kind, expires_at: needed.expiresAt };
      return { ...result, ...waiting, next_step: `${needed.text} ${GIVE_URL}` };
    }
    if (trade) return { ...base, kind: "trade", status: trade.status, ...nextOf("trd", trade.status) };
    if (transaction)
      return { ...base, kind: "payment", status: transaction.status, ...nextOf("tx", transaction.status) };
    return notFound("Request");
  },
});

const APPROVAL_STEPS = {
  pending: GIVE_URL,
  approved: "Repeat the call that required this approval, with the same arguments.",
  consumed: "The approval was used. list_orders has its order.",
  denied: "The owner denied it. Nothing is bought. Do not request it again unless the owner says so.",
  expired: "It expired without a decision. Nothing is bought. A new quote and order request another approval.",
} as const;

const ENDED_STEPS: Readonly<Record<string, string>> = {
  settled: "It has succeeded.",
  released: "Nothing was paid: the payment was not collected, and its amount is available again.",
  failed: "It has failed. get_wallet has the balances, and list_transactions what was paid.",
};

function isFinal(kind: string, status: string): boolean {
  return FINAL[kind]?.includes(status) ?? false;
}

function nextOf(kind: string, status: string) {
  const is_final = isFinal(kind, status);
  return { is_final, next_step: (is_final && ENDED_STEPS[status]) || "Call get_request_status again." };
}
