/** Fields of payloads that move money: what changes with the payment, so that a normalised cache updates totals. */
import { type AccountViewer, requireAccount } from "../../src/accounts/viewer.ts";
import { ViewerType } from "../accounts/viewer.ts";
import type { Context } from "../context.ts";
import { WalletType } from "./wallet.ts";

const findAccount = ({ viewer }: Context): AccountViewer | null =>
  viewer?.kind === "account" && viewer.credentialKind !== "purchase_token" ? requireAccount(viewer) : null;

/** The wallet that paid. Nullable, so that a failed read of a balance does not hide the payment. */
export const PAYING_WALLET = {
  type: WalletType,
  nullable: true,
  description: "The wallet, with its current balances and free credit. Null for a purchase token.",
  resolve: async (_payload: unknown, _args: object, context: Context) => {
    const account = findAccount(context);
    return account && (await context.deps.wallets.ofAccount(account.accountId));
  },
} as const;

/** The caller, with the spending of its account and credential. */
export const PAYING_VIEWER = {
  type: ViewerType,
  nullable: true,
  description: "The caller, with the current spending of its account and credential. Null for a purchase token.",
  resolve: (_payload: unknown, _args: object, context: Context) => findAccount(context),
} as const;
