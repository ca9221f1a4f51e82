/** The table of tools, in the order of `tools/list`. To add a tool, define it in `tools/` and name it here. */
import type { Tool } from "./tool.ts";
import { chat, listModels, signPayment } from "./tools/developer.ts";
import { getAttachment, getEmail, listEmails, replyToEmail, searchEmails, sendEmail } from "./tools/email.ts";
import { getIdentity, presentCredential } from "./tools/identity.ts";
import { getOrder, listOrders, placeOrder, quoteCart } from "./tools/orders.ts";
import { callPaidTool, listPaidTools } from "./tools/paid-tools.ts";
import { checkPrice, fetchPaidUrl } from "./tools/pay.ts";
import { exploreShop, getProduct, listCards, searchProducts } from "./tools/products.ts";
import { getRequestStatus } from "./tools/request-status.ts";
import { executeTrade, listTradeTokens, quoteTrade } from "./tools/trade.ts";
import { getTransaction, getWallet, listTransactions } from "./tools/wallet.ts";

export const TOOLS: readonly Tool[] = [
  getWallet,
  listTransactions,
  getTransaction,
  checkPrice,
  fetchPaidUrl,
  listPaidTools,
  callPaidTool,
  listEmails,
  searchEmails,
  getEmail,
  getAttachment,
  sendEmail,
  replyToEmail,
  searchProducts,
  getProduct,
  exploreShop,
  listCards,
  quoteCart,
  placeOrder,
  listOrders,
  getOrder,
  getRequestStatus,
  listTradeTokens,
  quoteTrade,
  executeTrade,
  getIdentity,
  presentCredential,
  signPayment,
  listModels,
  chat,
];
