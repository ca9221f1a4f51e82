/** The GraphQL schema, built from the files of all domains. */
import { RequestCache } from "@pothos/plugin-scope-auth";
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { lazy } from "../src/platform/concurrency/memoize.ts";
import { builder } from "./builder.ts";
import type { Context } from "./context.ts";
import { describeGenerated } from "./node.ts";
import { toPublicSchema, toRestSchema } from "./schema-variants.ts";
import { logSecurityEvents } from "./security-events.ts";
import { sharePaths } from "./shared-paths.ts";
import "./iso-codes.ts";
import "./scalars.ts";
import "./errors.ts";
import "./payments/payment-errors.ts";
import "./accounts/accounts.ts";
import "./accounts/account-limits.ts";
import "./accounts/api-tokens.ts";
import "./wallet/wallet.ts";
import "./wallet/transactions.ts";
import "./accounts/viewer.ts";
import "./accounts/sign-in.ts";
import "./accounts/passkey-sign-in.ts";
import "./accounts/passkeys.ts";
import "./accounts/sessions.ts";
import "./accounts/email-change.ts";
import "./accounts/login-token.ts";
import "./freeze/account-freeze.ts";
import "./freeze/administration.ts";
import "./personal-data/account-exports.ts";
import "./personal-data/account-deletion.ts";
import "./wallet/effective-limits.ts";
import "./wallet/spending-history.ts";
import "./oauth/clients.ts";
import "./oauth/client-changes.ts";
import "./oauth/blocked-domains.ts";
import "./oauth/dynamic-registration.ts";
import "./oauth/grants.ts";
import "./oauth/authorization.ts";
import "./oauth/consent.ts";
import "./oauth/tokens.ts";
import "./oauth/blocked-domains.ts";
import "./oauth/device.ts";
import "./oauth/client-review.ts";
import "./payments/requirements.ts";
import "./payments/sign-payment.ts";
import "./payments/x402-fetch.ts";
import "./payments/paid-tools.ts";
import "./payments/purchase-tokens.ts";
import "./payments/pay-purchase-token.ts";
import "./payments/send-tokens.ts";
import "./payments/declined-payments.ts";
import "./wallet/transaction-updated.ts";
import "./wallet/balance-updated.ts";
import "./wallet/transaction-links.ts";
import "./wallet/chain-audit.ts";
import "./trade/trade-errors.ts";
import "./trade/trade-tokens.ts";
import "./trade/trades.ts";
import "./trade/trade.ts";
import "./trade/trade-quote.ts";
import "./trade/trade-updated.ts";
import "./trade/holdings.ts";
import "./mail/mailbox.ts";
import "./mail/attachments.ts";
import "./mail/messages.ts";
import "./mail/recipients.ts";
import "./mail/reports.ts";
import "./mail/suppressions.ts";
import "./mail/threads.ts";
import "./mail/mailbox-contents.ts";
import "./mail/calendar-events.ts";
import "./mail/changes.ts";
import "./mail/updated.ts";
import "./mail/recipient-updated.ts";
import "./mail/sending-errors.ts";
import "./mail/sending.ts";
import "./mail/drafts.ts";
import "./agents/agents.ts";
import "./agents/agent-registration.ts";
import "./agents/agent-trust.ts";
import "./agents/agent-updated.ts";
import "./agents/agent-disputes.ts";
import "./agents/revoke-agent.ts";
import "./agents/agent-credentials.ts";
import "./agents/present-agent-credential.ts";
import "./gateway/errors.ts";
import "./payments/paid-transaction.ts";
import "./gateway/models.ts";
import "./gateway/calls.ts";
import "./gateway/call-updated.ts";
import "./gateway/usage.ts";
import "./gateway/complete-chat.ts";
import "./gateway/chat-completion.ts";
import "./events/account-events.ts";
import "./events/account-event-occurred.ts";
import "./events/webhooks.ts";
import "./events/event-data.ts";
import "./events/webhook-changes.ts";
import "./events/webhook-replay.ts";
import "./administration/errors.ts";
import "./administration/accounts.ts";
import "./administration/account-acts.ts";
import "./administration/acts.ts";
import "./administration/proposals.ts";
import "./administration/recoveries.ts";
import "./administration/treasury.ts";
import "./checkout/errors.ts";
import "./checkout/merchant-review.ts";
import "./checkout/merchants.ts";
import "./checkout/search.ts";
import "./checkout/lookup.ts";
import "./checkout/quote.ts";
import "./checkout/orders.ts";
import "./checkout/order-evidence.ts";
import "./checkout/order-list.ts";
import "./checkout/order-updated.ts";
import "./checkout/dry-run.ts";
import "./checkout/explore.ts";
import "./checkout/reliability.ts";
import "./checkout/cards.ts";
import "./checkout/card-changes.ts";
import "./checkout/policy.ts";
import "./checkout/approvals.ts";
import "./checkout/approval-requested.ts";
import "./checkout/dispatch.ts";

/** Returns the complete schema, built on the first call. */
export const buildSchema = lazy(
  (): GraphQLSchema =>
    logSecurityEvents(
      sharePaths(describeGenerated(builder.toSchema({ sortSchema: false, extensions: { releaseContext } }))),
    ),
);

/** Returns the schema of `/graphql`. */
export const buildPublicSchema = lazy(() => toPublicSchema(buildSchema()));

/** Returns the schema of the REST, OAuth and OpenAI routes. */
export const buildRestSchema = lazy(() => toRestSchema(buildSchema()));

/**
 * Clears the authorization results cached for a context. The cache is a WeakMap whose values refer back to the context. The
 * garbage collector's young generation cannot free such a cycle: every request would stay in memory until a full collection.
 */
function releaseContext(context: Context): void {
  RequestCache.clearForContext(context);
}

/** Returns a schema as SDL in a stable order; by default the public one, the content of `schema/schema.graphql`. */
export function printSdl(schema = buildPublicSchema()): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
