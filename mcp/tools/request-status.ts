/** The status of everything that a client waits for. */
import { z } from "zod";
import { GetRequestStatusDocument, type GetRequestStatusQuery } from "../generated/graphql.ts";
import { defineTool } from "../tool.ts";
import { notFound, ToolError } from "../tool-error.ts";
import { findOwnerQuestion } from "./owner-questions.ts";
import { APPROVALS, ORDERS, QUESTIONS, TRADES, TRANSACTIONS } from "./status-texts.ts";
import { formatSymbol } from "./token-symbol.ts";

/** Kinds of ids by prefix, with the variable that selects the look-up. */
const KINDS = {
  apr: "isApproval",
  qst: "isQuestion",
  ord: "isOrder",
  trd: "isTrade",
  tx: "isTransaction",
} as const;
type Kind = keyof typeof KINDS;

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
    order_id: z.string().nullable(),
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
    const base = { id, waits_for: null, url: null, expires_at: null, approval_id: null, order_id: null };
    if (approval) {
      const { order: ordered, status } = approval;
      const outcome = status === "consumed" && ORDERS[ordered.status].isFinal ? ` ${ORDERS[ordered.status].text}` : "";
      return {
        ...base,
        kind: "approval",
        status,
        is_final: APPROVALS[status].isFinal,
        waits_for: status === "pending" ? "approval" : null,
        url: approval.approvalUrl,
        expires_at: approval.expiresAt,
        approval_id: approval.approvalId,
        order_id: ordered.orderId,
        next_step: APPROVALS[status].text + outcome,
      };
    }
    if (question) {
      const isOpen = question.status === "open";
      return {
        ...base,
        kind: "question",
        status: question.status,
        is_final: QUESTIONS[question.status].isFinal,
        waits_for: isOpen ? "question" : null,
        url: isOpen ? question.order.orderUrl : null,
        expires_at: question.expiresAt ?? null,
        order_id: question.order.orderId,
        next_step: `${isOpen ? `${question.text} ` : ""}${QUESTIONS[question.status].text}`,
      };
    }
    if (order) {
      const { isTerminal, orderId: order_id, orderUrl: url } = order;
      const result = { ...base, kind: "order", status: order.status, is_final: isTerminal, url, order_id };
      if (isTerminal) return { ...result, next_step: ORDERS[order.status].text };
      if (order.approval?.status === "pending") {
        const { approvalId, approvalUrl, expiresAt, reasonText } = order.approval;
        const waiting = { waits_for: "approval", url: approvalUrl, expires_at: expiresAt, approval_id: approvalId };
        return { ...result, ...waiting, next_step: `Nothing is bought yet: ${reasonText} ${APPROVALS.pending.text}` };
      }
      const needed = findOwnerQuestion(order);
      if (!needed) return { ...result, next_step: ORDERS[order.status].text };
      const waiting = { waits_for: needed.kind, expires_at: needed.expiresAt };
      return { ...result, ...waiting, next_step: `${needed.text} ${APPROVALS.pending.text}` };
    }
    if (trade) {
      const { isFinal: is_final, text } = TRADES[trade.status];
      return { ...base, kind: "trade", status: trade.status, is_final, next_step: `${text}${describeTrade(trade)}` };
    }
    if (transaction) {
      const { isFinal: is_final, text: next_step } = TRANSACTIONS[transaction.status];
      return { ...base, kind: "payment", status: transaction.status, is_final, next_step };
    }
    return notFound("Request");
  },
});

/** Returns what a trade that has ended sold and bought, or why it failed. */
function describeTrade({ status, failureReason, sold, bought }: NonNullable<GetRequestStatusQuery["trade"]>): string {
  if (status === "failed") return ` ${failureReason ?? "Check list_transactions for what was sold."}`;
  if (status !== "settled" || !sold) return "";
  const received = bought ? ` for ${bought.amount} ${formatSymbol(bought.symbol)}` : "";
  return ` It sold ${sold.amount} ${formatSymbol(sold.symbol)}${received}.`;
}
