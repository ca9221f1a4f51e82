/**
 * Every column with personal data, with the retention rule that removes it, or the reason to retain it until the account is
 * deleted. Every table is listed, so that a new one cannot be omitted.
 */

interface Retained {
  /** Why the data is retained until the account is deleted. */
  readonly retainedBecause: string;
}
/** Names of the rules that remove the column's content, or the reason to retain it. */
type Retention = readonly string[] | Retained;

const retained = (retainedBecause: string): Retained => ({ retainedBecause });

const PROFILE = retained("identifies the account owner");
const OWNER = retained("settings and records that the account owner manages");
const LEDGER = ["ledger"];
const EVIDENCE = retained("part of signed evidence; contains no name or address");
const SEALED = retained("sealed keys, without which funds or credentials are lost");
const CATALOGUE = retained("merchants and products that the account explored");

export const PERSONAL_COLUMNS: Readonly<Record<string, Readonly<Record<string, Retention>>>> = {
  accounts: { email: PROFILE, display_name: PROFILE, freeze_reason: retained("why the account is frozen") },
  account_freezes: { reason: retained("record of a freeze") },
  account_recoveries: {
    old_email: ["account-recoveries"],
    new_email: ["account-recoveries"],
    reason: ["account-recoveries"],
  },
  // Deleted with the archive when it expires (src/personal-data/export).
  account_exports: {},
  account_export_chunks: {},
  account_deletions: {},
  administrator_acts: { reason: ["administrator-acts"], before: ["administrator-acts"], after: ["administrator-acts"] },
  administrator_proposals: { reason: ["administrator-proposals"], input: ["administrator-proposals"] },
  service_freeze: {},
  wallets: { evm_address: ["deleted-accounts"], solana_address: ["deleted-accounts"], sealed_keys: SEALED },
  wallet_holds: {},
  credits: {},
  free_credit_days: {},
  free_credit_claims: {},
  treasury_levels: {},
  budgets: {},
  api_tokens: { name: OWNER, allowed_hosts: OWNER, allowed_payees: OWNER },
  transactions: {
    resource: ["ledger-urls"],
    authorization: ["ledger-urls"],
    pay_to: LEDGER,
    description: LEDGER,
    failure_reason: LEDGER,
  },
  gas_purchases: {},
  permit_revocations: { pay_to: LEDGER, seller_host: LEDGER },
  facilitator_signers: {},
  chain_audit_networks: {},
  chain_audit_checkpoints: {},
  chain_audit_accounts: {},
  chain_transfers: { counterparty: LEDGER },
  chain_audit_balances: {},
  chain_differences: { subject: ["chain-differences"] },
  declined_payments: {
    resource: ["declined-payment-urls", "declined-payments"],
    message: ["declined-payment-urls", "declined-payments"],
  },
  retention_progress: {},
  idempotency_records: { answer: ["idempotency-records"] },
  sessions: { user_agent: ["sessions"], ip_address: ["sessions"] },
  passkeys: { name: OWNER, public_key: OWNER },
  upstream_identities: { subject: PROFILE },
  sign_in_attempts: { email: ["sign-in-attempts"], details: ["sign-in-attempts"], return_to: ["sign-in-attempts"] },
  signing_keys: {},
  key_canaries: {},
  oauth_clients: {
    responsible_name: retained("the party that is responsible for the application"),
    responsible_phone: retained("the party that is responsible for the application"),
    responsible_address: retained("the party that is responsible for the application"),
    support_email: retained("the party that is responsible for the application"),
    contact_emails: retained("the party that is responsible for the application"),
  },
  oauth_client_reviews: { reason: retained("record of an administrator's decision") },
  oauth_grants: {},
  oauth_requests: {
    login_hint: ["oauth-requests"],
    state: ["oauth-requests"],
    requester_address: ["oauth-requests"],
  },
  oauth_pushed_requests: { parameters: ["oauth-pushed-requests"] },
  dpop_proofs: {},
  oauth_codes: {},
  oauth_client_documents: {},
  oauth_blocked_domains: {},
  oauth_tokens: { sealed_answer: ["oauth-tokens"] },
  purchase_tokens: { merchant_url: ["purchase-token-urls"] },
  gateway_calls: {},
  gateway_transactions: {},
  gateway_provider_ids: { id_hash: ["gateway-provider-ids"] },
  trades: { failure_reason: LEDGER },
  evm_transactions: { to: LEDGER },
  agents: { sealed_holder_key: SEALED, revoked_reason: OWNER },
  agent_transactions: {},
  agent_credentials: { sd_jwt: retained("record of what was attested about the agent; contains no name or address") },
  agent_disputes: { reason: retained("record of an administrator's decision") },
  mailboxes: { address: OWNER, display_name: OWNER },
  mail_threads: { subject: ["mail-threads"] },
  mail_messages: Object.fromEntries(
    [
      "from_address",
      "from_name",
      "to_addresses",
      "cc_addresses",
      "reply_to_address",
      "reply_to_addresses",
      "subject",
      "body_text",
      "extracted_text",
    ]
      .concat([
        "quoted_text",
        "signature",
        "body_html",
        "hidden_text",
        "envelope_from",
        "envelope_to",
        "remote_address",
        "authentication",
        "report",
        "calendar_events",
        "search",
      ])
      .map((column) => [column, ["mail-messages"]]),
  ),
  mail_deliveries: { address: ["mail-messages"], failure_reason: ["mail-messages"] },
  mail_suppressions: { address: OWNER },
  mail_attachments: { filename: ["mail-messages", "mail-uploads"] },
  mail_attachment_chunks: { bytes: ["mail-messages", "mail-uploads"] },
  mail_raw_chunks: { sealed_bytes: ["mail-messages"] },
  mail_usage: { host_network: ["mail-messages"] },
  mail_drafts: Object.fromEntries(
    ["to_addresses", "cc_addresses", "subject", "body_text"].map((column) => [column, ["mail-drafts"]]),
  ),
  mail_rules: { pattern: OWNER },
  account_events: { payload: ["events", "deleted-mail-events"] },
  webhook_endpoints: { url: OWNER, description: OWNER },
  webhook_deliveries: { failure_reason: ["events"] },
  event_feeds: {},
  merchants: { url: CATALOGUE },
  merchant_catalogues: {},
  merchant_products: { product_url: CATALOGUE },
  // What merchants publish to everyone. It names no account, and is removed with the last merchant at its host.
  catalogue_indexes: {},
  catalogue_pages: {},
  indexed_products: {},
  product_words: {},
  checkout_recipes: { definition: CATALOGUE },
  payment_cards: {
    cardholder_name: ["removed-cards"],
    nickname: ["removed-cards"],
    billing_address: ["removed-cards"],
    last4: retained("orders name the card that paid them; the number is erased when the card is removed"),
  },
  card_budgets: {},
  checkout_policies: { document: EVIDENCE, signature: EVIDENCE },
  order_records: {
    merchant_name: ["order-records"],
    merchant_order_number: ["order-records"],
    card_last4: ["order-records"],
    evidence: ["order-records"],
  },
  checkout_orders: {
    request: ["order-data"],
    sealed_ship_to: ["order-data"],
    ship_to_echo: ["order-data"],
    quote: ["order-data"],
    user_prompt: ["order-data"],
    user_confirmation_text: ["order-data"],
    mandate_chain: ["order-data"],
    confirmation_url: ["order-data"],
    merchant_response: ["order-data"],
    dry_run: retained("totals and field labels of a merchant's page; contains no name or address"),
    merchant_order_number: EVIDENCE,
    ship_to_sha256: EVIDENCE,
  },
  checkout_quotes: { ship_to_sha256: ["checkout-quotes"] },
  order_questions: { answer: ["order-data"] },
  checkout_approvals: { document: ["order-data"], signature: EVIDENCE },
  checkout_steps: { selector: EVIDENCE, url_origin: EVIDENCE },
  checkout_artifacts: { bytes: ["order-artifacts"] },
};

/** Returns the columns that are retained until the account is deleted, by table and reason. */
export function listRetained(): {
  readonly table: string;
  readonly columns: readonly string[];
  readonly reason: string;
}[] {
  return Object.entries(PERSONAL_COLUMNS).flatMap(([table, columns]) => {
    const byReason = Map.groupBy(
      Object.entries(columns).flatMap(([column, retention]) =>
        "retainedBecause" in retention ? [{ column, reason: retention.retainedBecause }] : [],
      ),
      ({ reason }) => reason,
    );
    return [...byReason].map(([reason, group]) => ({ table, columns: group.map(({ column }) => column), reason }));
  });
}
