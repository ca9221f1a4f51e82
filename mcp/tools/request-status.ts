/** The status of everything that a client waits for. */
import { z } from "zod";
import { GetRequestStatusDocument } from "../generated/graphql.ts";
import { defineTool } from "../tool.ts";
import { notFound, ToolError } from "../tool-error.ts";

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
    const base = { id, url: null, expires_at: null, approval_id: null };
    if (approval) {
      const isOpen = approval.status === "pending";
      return {
        ...base,
        kind: "approval",
        status: approval.status,
        is_final: isFinal("apr", approval.status),
        url: approval.approvalUrl,
        expires_at: approval.expiresAt,
        approval_id: approval.approvalId,
        next_step: isOpen
          ? "Give the owner the url to decide, then call get_request_status again."
          : approval.status === "approved"
            ? "Repeat the call that required this approval, with the same arguments."
            : "Nothing is bought under this approval.",
      };
    }
    if (question) {
      return {
        ...base,
        kind: "question",
        status: question.status,
        is_final: isFinal("qst", question.status),
        expires_at: question.expiresAt ?? null,
        next_step: question.status === "open" ? "The question of the order waits for a response." : "Check the order.",
      };
    }
    if (order) {
      return {
        ...base,
        kind: "order",
        status: order.status,
        is_final: order.isTerminal,
        url: order.approval?.approvalUrl ?? order.orderUrl,
        expires_at: order.approval?.expiresAt ?? null,
        approval_id: order.approval?.approvalId ?? null,
        next_step: order.isTerminal
          ? "The order has ended; get_order has its result."
          : "Call get_request_status again.",
      };
    }
    if (trade) return { ...base, kind: "trade", status: trade.status, ...nextOf("trd", trade.status) };
    if (transaction)
      return { ...base, kind: "payment", status: transaction.status, ...nextOf("tx", transaction.status) };
    return notFound("Request");
  },
});

function isFinal(kind: string, status: string): boolean {
  return FINAL[kind]?.includes(status) ?? false;
}

function nextOf(kind: string, status: string) {
  const is_final = isFinal(kind, status);
  return { is_final, next_step: is_final ? "Nothing: it has ended." : "Call get_request_status again." };
}
