/** The schema, put together from one file per domain. */
import { RequestCache } from "@pothos/plugin-scope-auth";
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.ts";
import type { Context } from "./context.ts";
import { describeGenerated } from "./node.ts";
import "./scalars.ts";
import "./errors.ts";
import "./payment-errors.ts";
import "./accounts.ts";
import "./account-limits.ts";
import "./api-tokens.ts";
import "./wallet.ts";
import "./transactions.ts";
import "./viewer.ts";
import "./sign-in.ts";
import "./passkey-sign-in.ts";
import "./passkeys.ts";
import "./sessions.ts";
import "./email-change.ts";
import "./login-token.ts";
import "./spending-history.ts";
import "./oauth-clients.ts";
import "./oauth-client-by-id.ts";
import "./oauth-client-changes.ts";
import "./oauth-errors.ts";
import "./oauth-grants.ts";
import "./oauth-authorization.ts";
import "./oauth-consent.ts";
import "./oauth-tokens.ts";
import "./oauth-client-review.ts";
import "./requirements.ts";
import "./sign-payment.ts";
import "./x402-fetch.ts";
import "./purchase-tokens.ts";
import "./pay-purchase-token.ts";
import "./send-tokens.ts";
import "./transaction-updated.ts";
import "./trade-errors.ts";
import "./trade-tokens.ts";
import "./trades.ts";
import "./trade.ts";
import "./trade-quote.ts";
import "./trade-updated.ts";
import "./mailbox.ts";
import "./mail-attachments.ts";
import "./mail-messages.ts";
import "./mail-threads.ts";
import "./mailbox-contents.ts";
import "./mail-changes.ts";
import "./mail-updated.ts";
import "./mail-sending-errors.ts";
import "./mail-sending.ts";
import "./mail-drafts.ts";
import "./agents.ts";
import "./agent-trust.ts";
import "./agent-updated.ts";
import "./agent-disputes.ts";
import "./revoke-agent.ts";
import "./agent-credentials.ts";
import "./present-agent-credential.ts";
import "./gateway-errors.ts";
import "./gateway-models.ts";
import "./gateway-calls.ts";
import "./gateway-call-updated.ts";
import "./gateway-usage.ts";
import "./complete-chat.ts";
import "./chat-completion.ts";
import "./account-events.ts";
import "./account-event-occurred.ts";
import "./webhooks.ts";
import "./webhook-changes.ts";
import "./webhook-replay.ts";
import "./checkout-errors.ts";
import "./checkout-merchants.ts";
import "./checkout-search.ts";
import "./checkout-lookup.ts";
import "./checkout-quote.ts";
import "./checkout-orders.ts";
import "./order-updated.ts";
import "./checkout-explore.ts";
import "./checkout-reliability.ts";
import "./checkout-cards.ts";
import "./checkout-card-changes.ts";
import "./checkout-policy.ts";
import "./checkout-approvals.ts";
import "./checkout-dispatch.ts";

let schema: GraphQLSchema | undefined;

/** The executable schema; built once. */
export function buildSchema(): GraphQLSchema {
  schema ??= describeGenerated(builder.toSchema({ sortSchema: false, extensions: { releaseContext } }));
  return schema;
}

/**
 * What was checked for a context is kept under it and leads back to it. The young generation's collector cannot take
 * such a circle through a WeakMap apart: without this every request would be kept until the next full collection.
 */
function releaseContext(context: Context): void {
  RequestCache.clearForContext(context);
}

/** The schema as SDL, in a stable order: what `schema/schema.graphql` holds. */
export function printSdl(): string {
  return `${printSchema(lexicographicSortSchema(buildSchema()))}\n`;
}
