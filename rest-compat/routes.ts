/** The route table: all REST routes that run a GraphQL operation. */
import type { Route } from "./route.ts";
import { agentCredential } from "./routes/agent-credential.ts";
import { agentEmail, agentEmailCreate } from "./routes/agent-email.ts";
import { agentEmailInbox } from "./routes/agent-email-inbox.ts";
import { agentEmailMessage } from "./routes/agent-email-message.ts";
import { agentEmailReply, agentEmailSend } from "./routes/agent-email-send.ts";
import { agentIdentity } from "./routes/agent-identity.ts";
import { balance } from "./routes/balance.ts";
import { checkoutApproval } from "./routes/checkout/approval.ts";
import { checkoutCards } from "./routes/checkout/cards.ts";
import { checkoutDispatch } from "./routes/checkout/dispatch.ts";
import { checkoutDryRun } from "./routes/checkout/dry-run.ts";
import { checkoutEvidence } from "./routes/checkout/evidence.ts";
import { checkoutExplore } from "./routes/checkout/explore.ts";
import { checkoutMerchant, checkoutMerchants } from "./routes/checkout/merchants.ts";
import { checkoutOrder, checkoutOrders } from "./routes/checkout/orders.ts";
import { checkoutLookup, checkoutSearch } from "./routes/checkout/products.ts";
import { checkoutAnswer } from "./routes/checkout/question.ts";
import { checkoutQuote } from "./routes/checkout/quote.ts";
import { checkoutReliability } from "./routes/checkout/reliability.ts";
import { declinedPayments } from "./routes/declined-payments.ts";
import { events } from "./routes/events.ts";
import { purchaseTokenCreate } from "./routes/purchase-token.ts";
import { signPayment } from "./routes/sign-payment.ts";
import { trade } from "./routes/trade.ts";
import { tradeQuote } from "./routes/trade-quote.ts";
import { tradeTokens } from "./routes/trade-tokens.ts";
import { transactions } from "./routes/transactions.ts";
import { webhookCreate, webhookDelete, webhooks } from "./routes/webhooks.ts";
import { x402Fetch } from "./routes/x402-fetch.ts";

export const ROUTES: readonly Route[] = [
  signPayment,
  x402Fetch,
  purchaseTokenCreate,
  trade,
  tradeQuote,
  tradeTokens,
  agentEmail,
  agentEmailCreate,
  agentEmailSend,
  agentEmailReply,
  agentEmailInbox,
  agentEmailMessage,
  balance,
  transactions,
  declinedPayments,
  agentIdentity,
  agentCredential,
  events,
  webhooks,
  webhookCreate,
  webhookDelete,
  checkoutMerchants,
  checkoutMerchant,
  checkoutSearch,
  checkoutLookup,
  checkoutDryRun,
  checkoutExplore,
  checkoutQuote,
  checkoutDispatch,
  checkoutOrders,
  checkoutOrder,
  checkoutEvidence,
  checkoutAnswer,
  checkoutReliability,
  checkoutCards,
  checkoutApproval,
];
