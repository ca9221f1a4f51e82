/** The table of resources. A kind is read by the tools of the same objects: same documents, same scopes, same results. */
import { print } from "graphql";
import type { CatalogEntry } from "../catalog.ts";
import {
  EmailChangesDocument,
  type EmailChangesSubscription,
  OrderChangesDocument,
  type OrderChangesSubscription,
  TransactionChangesDocument,
  type TransactionChangesSubscription,
} from "../generated/graphql.ts";
import type { Tool } from "../tool.ts";
import { getEmail, listEmails } from "../tools/email.ts";
import { getOrder, listOrders } from "../tools/orders.ts";
import { getTransaction, listTransactions } from "../tools/wallet.ts";

/** An object in a list. Its title has no text from outside: clients show titles as the server's own words. */
interface ListedItem {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
}

/** An object that is new or has changed. */
interface ChangedItem {
  readonly id: string;
  readonly createdAt: string;
}

export interface ResourceKind {
  /** Host of the URIs: `satchel://orders` is the list and `satchel://orders/ord_…` is one order. */
  readonly name: string;
  readonly title: string;
  /** Of one object. */
  readonly itemTitle: string;
  /** Query parameters of one object, such as `{?cursor}` for the pages of a long text. */
  readonly itemQuery: string;
  readonly listTool: Tool;
  readonly itemTool: Tool;
  /** Code of the list's error for an account that has no such objects yet. */
  readonly absentCode: string | null;
  /** Returns the objects in a result of the list's tool. */
  itemsOf(result: object): readonly ListedItem[];
  /** Subscription that publishes each change of an object. */
  readonly subscription: string;
  readChange(data: unknown): ChangedItem | null;
}

interface ListedTransaction {
  readonly id: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly created_at: string;
}

interface ListedOrder {
  readonly id: string;
  readonly total: { readonly amount: string; readonly currency: string } | null;
  readonly created_at: string;
}

interface ListedEmail {
  readonly id: string;
  readonly direction: string;
  readonly created_at: string;
}

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    name: "transactions",
    title: "Transactions",
    itemTitle: "Transaction",
    itemQuery: "",
    listTool: listTransactions,
    itemTool: getTransaction,
    absentCode: null,
    itemsOf: (result) =>
      (result as { transactions: readonly ListedTransaction[] }).transactions.map((transaction) => ({
        id: transaction.id,
        title: `Transaction (${transaction.type}): ${transaction.amount} ${transaction.currency}`,
        createdAt: transaction.created_at,
      })),
    subscription: print(TransactionChangesDocument),
    readChange(data) {
      const transaction = (data as TransactionChangesSubscription).transactionUpdated?.transaction;
      return transaction ? { id: transaction.transactionId, createdAt: transaction.createdAt } : null;
    },
  },
  {
    name: "orders",
    title: "Orders",
    itemTitle: "Order",
    itemQuery: "",
    listTool: listOrders,
    itemTool: getOrder,
    absentCode: null,
    itemsOf: (result) =>
      (result as { orders: readonly ListedOrder[] }).orders.map(({ id, total, created_at: createdAt }) => ({
        id,
        title: total ? `Order: ${total.amount} ${total.currency}` : "Order",
        createdAt,
      })),
    subscription: print(OrderChangesDocument),
    readChange(data) {
      const order = (data as OrderChangesSubscription).orderUpdated?.order;
      return order ? { id: order.orderId, createdAt: order.createdAt } : null;
    },
  },
  {
    name: "emails",
    title: "Emails",
    itemTitle: "Email",
    itemQuery: "{?cursor}",
    listTool: listEmails,
    itemTool: getEmail,
    absentCode: "no_active_agent",
    itemsOf: (result) =>
      (result as { emails: { untrusted_content: readonly ListedEmail[] } }).emails.untrusted_content.map(
        ({ id, direction, created_at: createdAt }) => ({
          id,
          title: direction === "inbound" ? "Received email" : "Sent email",
          createdAt,
        }),
      ),
    subscription: print(EmailChangesDocument),
    readChange(data) {
      const message = (data as EmailChangesSubscription).mailUpdated?.message;
      return message ? { id: message.messageId, createdAt: message.createdAt } : null;
    },
  },
];

/** A kind of resource with the prepared tools that read it. */
export interface ResourceEntry {
  readonly kind: ResourceKind;
  readonly list: CatalogEntry;
  readonly item: CatalogEntry;
}

/** Returns the kinds whose tools are all among these entries. */
export function selectResources(entries: readonly CatalogEntry[]): readonly ResourceEntry[] {
  return RESOURCE_KINDS.flatMap((kind) => {
    const list = entries.find(({ tool }) => tool === kind.listTool);
    const item = entries.find(({ tool }) => tool === kind.itemTool);
    return list && item ? [{ kind, list, item }] : [];
  });
}
