/** The table of tools, in the order of `tools/list`. To add a tool, define it in `tools/` and name it here. */
import type { Tool } from "./tool.ts";
import { chat, listModels, signPayment } from "./tools/developer.ts";
import { getIdentity, presentCredential } from "./tools/identity.ts";
import { checkPrice, fetchPaidUrl } from "./tools/pay.ts";
import { getRequestStatus } from "./tools/request-status.ts";
import { executeTrade, listTradeTokens, quoteTrade } from "./tools/trade.ts";
import { getTransaction, getWallet, listTransactions } from "./tools/wallet.ts";

export const TOOLS: readonly Tool[] = [
  getWallet,
  listTransactions,
  getTransaction,
  checkPrice,
  fetchPaidUrl,
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
