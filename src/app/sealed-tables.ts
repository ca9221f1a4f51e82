/** All tables with sealed rows, for key rotation and for the start of the service. */
import { SEALED_HOLDER_KEYS } from "../agents/holder-key.ts";
import { SEALED_CARDS } from "../checkout/cards/card-vault.ts";
import { SEALED_ORDERS } from "../checkout/orders/delivery-address.ts";
import { SEALED_WEBHOOKS } from "../events/webhook-secrets.ts";
import { SEALED_MAILBOXES } from "../mail/mail-vault.ts";
import { SEALED_EXPORTS } from "../personal-data/export/sealed-archive.ts";
import type { AccountTable, SealedTable } from "../platform/crypto/sealing/sealed-table.ts";
import { SEALED_SIGNING_KEYS } from "../platform/crypto/signing-keys.ts";
import { SEALED_WALLETS } from "../wallet/sealed-vault.ts";

/** Tables whose rows belong to accounts. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  SEALED_WALLETS,
  SEALED_HOLDER_KEYS,
  SEALED_WEBHOOKS,
  SEALED_CARDS,
  SEALED_ORDERS,
];

/** In the order in which they are rotated. */
export const SEALED_TABLES: readonly SealedTable[] = [
  SEALED_WALLETS,
  SEALED_SIGNING_KEYS,
  SEALED_HOLDER_KEYS,
  SEALED_WEBHOOKS,
  SEALED_CARDS,
  SEALED_ORDERS,
  SEALED_EXPORTS,
  SEALED_MAILBOXES,
];

/** Names of the tables for operators. */
export const TABLE_NAMES: Readonly<Record<SealedTable["name"], string>> = {
  wallets: "Wallets",
  signing_keys: "Signing keys",
  agents: "Agents' keys",
  webhook_endpoints: "Webhooks",
  payment_cards: "Cards",
  checkout_orders: "Delivery addresses",
  account_exports: "Exports of accounts",
  mailboxes: "Mailboxes",
};
