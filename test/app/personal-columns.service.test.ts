/** Walk over all tables: every personal column has a retention rule or a reason to be retained. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PERSONAL_COLUMNS } from "../../src/app/personal-columns.ts";
import { RETENTION_RULES } from "../../src/app/retention-rules.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let fresh: TestDatabase;
const columnsOf = new Map<string, Set<string>>();
beforeAll(async () => {
  fresh = await createTestDatabase();
  const { rows } = await fresh.db.executeSql(
    `SELECT table_name, column_name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name NOT LIKE '\\_%'`,
  );
  for (const { table_name, column_name } of rows as { table_name: string; column_name: string }[]) {
    columnsOf.set(table_name, (columnsOf.get(table_name) ?? new Set()).add(column_name));
  }
});
afterAll(() => fresh?.close());

/** Tables whose rows are deleted with those of another table. */
const DELETED_WITH: Readonly<Record<string, string>> = {
  mail_attachments: "mail_messages",
  mail_deliveries: "mail_messages",
  mail_attachment_chunks: "mail_attachments",
  mail_raw_chunks: "mail_messages",
  mail_usage: "mail_messages",
  webhook_deliveries: "account_events",
  checkout_approvals: "checkout_orders",
  trades: "transactions",
  evm_transactions: "trades",
  permit_revocations: "transactions",
  gas_purchases: "transactions",
  chain_transfers: "transactions",
  wallets: "account_deletions",
  order_questions: "checkout_orders",
};

it("lists every table, and only existing columns", () => {
  expect(Object.keys(PERSONAL_COLUMNS).toSorted()).toEqual([...columnsOf.keys()].toSorted());
  const unknown = Object.entries(PERSONAL_COLUMNS).flatMap(([table, columns]) =>
    Object.keys(columns).flatMap((column) => (columnsOf.get(table)?.has(column) ? [] : `${table}.${column}`)),
  );
  expect(unknown).toEqual([]);
});

it("lists every column whose name suggests personal data", () => {
  const suggestive =
    /email|phone|address|_name$|^name$|subject|body|user_agent|^ip_|prompt|message$|recipient|nickname|url$/;
  const unlisted = [...columnsOf].flatMap(([table, columns]) =>
    [...columns].flatMap((column) =>
      suggestive.test(column) && !NOT_PERSONAL.has(`${table}.${column}`) && !PERSONAL_COLUMNS[table]?.[column]
        ? `${table}.${column}`
        : [],
    ),
  );
  expect(unlisted).toEqual([]);
});

it("refers to a rule that removes the column or its row", () => {
  const wrong = Object.entries(PERSONAL_COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, retention]) => {
      if ("retainedBecause" in retention) return [];
      return retention.filter((name) => {
        const rule = RETENTION_RULES.find((one) => one.name === name);
        if (!rule) return true;
        let at: string | undefined = table;
        while (at !== undefined && at !== rule.table) at = DELETED_WITH[at];
        if (at === undefined) return true;
        return rule.table === table && rule.removes !== "row" && !rule.removes.includes(column);
      });
    }),
  );
  expect(wrong).toEqual([]);
});

it("mentions every rule that removes personal data", () => {
  const mentioned = new Set(Object.values(PERSONAL_COLUMNS).flatMap((columns) => Object.values(columns).flat()));
  const unmentioned = RETENTION_RULES.map(({ name }) => name).filter((name) => !mentioned.has(name));
  // These tables contain no personal data.
  expect(unmentioned).toEqual([
    "oauth-codes",
    "dpop-proofs",
    "oauth-client-documents",
    "oauth-unused-clients",
    "event-feeds",
  ]);
});

/** Columns that concern no person: of contracts, of the service, of merchants' own sites. */
const NOT_PERSONAL = new Set([
  "administrator_acts.subject_account_id",
  "administrator_acts.subject_type",
  "administrator_acts.subject_id",
  "administrator_proposals.subject_account_id",
  "administrator_proposals.subject_type",
  "administrator_proposals.subject_id",
  "free_credit_claims.address_hash",
  "account_events.subject_id",
  "agents.registry_address",
  "oauth_clients.app_name",
  "oauth_client_documents.url",
  "checkout_orders.error_message",
  "checkout_orders.worker_url",
  "facilitator_signers.address",
  "facilitator_signers.facilitator_url",
  "merchant_products.image_url",
  "catalogue_indexes.url",
  "catalogue_pages.url",
  "indexed_products.image_url",
  "indexed_products.product_url",
  "merchants.logo_url",
  "gateway_calls.prompt_tokens",
  "gateway_calls.cached_prompt_tokens",
  "merchants.name",
  "oauth_requests.prompt",
]);
