// @module-tag postgresql
/** Rows and buffers that a page of each list reads, by filter, in tables with 200,000 rows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/platform/database/connection.ts";
import { MAX_SCANNED_ROWS } from "../../src/platform/database/list-page.ts";
import { explainPrepared, type PlanNode } from "../support/query-plans.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { recordQueries } from "../support/statements.ts";

const PAGE_SIZE = 20;
/** The account has at least 5,000 rows in each table. A condition on a thread also reads one of its messages. */
const MAX_ROWS = 2 * MAX_SCANNED_ROWS + 40 * PAGE_SIZE;
const MAX_BUFFERS = 3 * MAX_ROWS;

/** SQL for the time of the n-th row: rows are 20 seconds apart and end an hour ago. */
const at = (rows: number) => `now() - interval '1 hour' - (${rows} - n) * interval '20 seconds'`;
/** Text that sorts as n does. */
const key = "lpad(n::text, 9, '0')";
/** Half of the rows belong to the account, the others to a thousand accounts. */
const owner = (accountId: string) => `CASE WHEN n % 2 = 0 THEN '${accountId}'::uuid ELSE account(n % 1000) END`;

const mailbox = "CASE WHEN n % 2 = 0 THEN 'mbx_0' ELSE 'mbx_' || 1 + n % 9 END";

/**
 * Fills the tables. Half of the rows belong to the account. Its oldest fifty rows have values that no other row of it has.
 * Without an index, a page filtered by such a value reads all rows of the account.
 */
const fill = (accountId: string) => `
  CREATE FUNCTION account(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
  INSERT INTO accounts (id) SELECT account(n) FROM generate_series(0, 999) n;
  INSERT INTO credits (account_id, available_micro_usd) SELECT account(n), 0 FROM generate_series(0, 999) n;
  INSERT INTO oauth_grants (id, account_id, client_id) SELECT 'grt_' || n, '${accountId}', 'service_cli' FROM generate_series(0, 2) n;
  INSERT INTO transactions (id, account_id, type, status, direction, network, amount_atomic, amount_micro_usd, budget_ids, budget_day, created_at, updated_at)
    SELECT 'tx_' || ${key}, ${owner(accountId)}, CASE WHEN n <= 100 THEN 'trade' WHEN n % 10 = 0 THEN 'gateway' ELSE 'x402' END,
      CASE WHEN n <= 100 THEN 'failed' WHEN n % 100 = 0 THEN 'released' ELSE 'settled' END, 'out',
      CASE WHEN n <= 100 THEN 'solana' WHEN n % 3 = 0 THEN 'base-sepolia' ELSE 'base' END, 1, 1,
      ARRAY['account', CASE WHEN n <= 100 THEN 'grt_1' WHEN n % 4 = 0 THEN 'grt_0' ELSE 'token' END], now()::date, ${at(70_000)}, ${at(70_000)}
    FROM generate_series(1, 70000) n;
  INSERT INTO gateway_calls (id, account_id, budget_id, model, status, is_streamed, created_at, updated_at)
    SELECT 'gwc_' || ${key}, ${owner(accountId)}, 'budget', CASE WHEN n <= 100 THEN 'rare' ELSE 'model-' || n % 5 END,
      CASE WHEN n <= 100 THEN 'failed' ELSE 'completed' END, false, ${at(20_000)}, ${at(20_000)}
    FROM generate_series(1, 20000) n;
  INSERT INTO trades (id, account_id, transaction_id, wallet_id, network, status, sell_token, sell_symbol, sell_decimals, sell_amount_atomic,
      buy_token, buy_symbol, buy_decimals, buy_amount_atomic, min_buy_atomic, slippage_bps, created_at, updated_at)
    SELECT 'trd_' || ${key}, ${owner(accountId)}, 'tx_' || ${key}, 'wallet', 'base', CASE WHEN n <= 100 THEN 'failed' ELSE 'settled' END,
      'usdc', 'USDC', 6, 1, 'weth', 'WETH', 18, 1, 1, 100, ${at(20_000)}, ${at(20_000)}
    FROM generate_series(1, 20000) n;
  INSERT INTO merchants (id, name, domain, url, rail, currency, country_code)
    SELECT 'mer_' || n, n, n, n, 'shopify', 'USD', 'US' FROM generate_series(0, 9) n;
  INSERT INTO checkout_orders (id, account_id, credential_id, merchant_id, kind, status, dispatch_sha256, request, is_test, created_at, updated_at)
    SELECT 'ord_' || ${key}, ${owner(accountId)}, 'token', CASE WHEN n <= 100 THEN 'mer_9' ELSE 'mer_' || n / 2 % 5 END,
      CASE WHEN n <= 100 THEN 'explored' ELSE 'purchase' END, CASE WHEN n <= 100 THEN 'timeout' ELSE 'succeeded' END,
      decode(${key}, 'escape'), '{}', n <= 100, ${at(20_000)}, ${at(20_000)}
    FROM generate_series(1, 20000) n;
  INSERT INTO checkout_approvals (id, order_id, account_id, credential_id, token_hash, dispatch_sha256, reason, document, status, expires_at, created_at)
    SELECT 'apr_' || ${key}, 'ord_' || ${key}, ${owner(accountId)}, 'token', decode(${key}, 'escape'), '', 'reason', '{}',
      CASE WHEN n <= 10000 THEN 'approved' ELSE 'pending' END, ${at(20_000)}, ${at(20_000)} - interval '15 minutes'
    FROM generate_series(1, 20000) n;
  INSERT INTO account_events (id, account_id, type, subject_id, payload, created_at, recorded_at)
    SELECT 'evt_' || ${key}, ${owner(accountId)}, CASE WHEN n <= 100 THEN 'order.failed' ELSE 'payment.settled' END, ${key}, '{}', ${at(20_000)}, ${at(20_000)}
    FROM generate_series(1, 20000) n;
  INSERT INTO event_feeds (account_id, collected_until, last_recorded_at, read_at) VALUES ('${accountId}', now(), now(), now());
  INSERT INTO webhook_endpoints (id, account_id, url, description, sealed_secrets, wrapped_data_key, kek_id, disabled_at)
    SELECT 'whe_1', '${accountId}', 'https://client.example', '', '', '', 'kek', now();
  INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, created_at)
    SELECT 'whd_' || ${key}, 'whe_1', 'evt_' || ${key}, CASE WHEN n <= 100 THEN 'order.failed' ELSE 'payment.settled' END,
      CASE WHEN n <= 100 THEN 'failed' ELSE 'delivered' END, ${at(20_000)}
    FROM generate_series(2, 20000, 2) n;
  INSERT INTO purchase_tokens (id, account_id, token_hash, merchant_url, network, max_micro_usd, expires_at, created_at)
    SELECT 'pt_' || ${key}, ${owner(accountId)}, decode(${key}, 'escape'), 'https://shop.example', CASE WHEN n <= 100 THEN 'solana' ELSE 'base' END,
      1, ${at(10_000)}, ${at(10_000)}
    FROM generate_series(1, 10000) n;
  INSERT INTO api_tokens (id, account_id, name, token_hash, hint, revoked_at, created_at)
    SELECT 'tok_' || ${key}, ${owner(accountId)}, CASE WHEN n = 2 THEN 'Unlike others' ELSE 'Token' END, decode(${key}, 'escape'), '', now(), ${at(10_000)}
    FROM generate_series(1, 10000) n;
  INSERT INTO sessions (id, account_id, token_hash, method, expires_at, revoked_at, created_at)
    SELECT 'ses_' || ${key}, ${owner(accountId)}, decode(${key}, 'escape'), 'passkey', now() + interval '1 day',
      CASE WHEN n <= 100 THEN now() END, ${at(10_000)}
    FROM generate_series(1, 10000) n;
  INSERT INTO oauth_clients (id, account_id, status, status_changed_at, kind, registration, is_listed_for_review, responsible_name, responsible_phone,
      responsible_country, responsible_address, app_name, support_email, contact_emails, javascript_origins, redirect_uris, terms_accepted_at, refreshed_at)
    SELECT 'cl_' || ${key}, CASE WHEN n % 4 = 0 THEN account(n % 1000) END, CASE WHEN n % 8 = 1 THEN 'approved' ELSE 'pending_approval' END, ${at(20_000)}, 'native',
      CASE WHEN n % 4 = 0 THEN 'owner' WHEN n <= 100 THEN 'document' ELSE 'dynamic' END, n % 4 = 0 OR n <= 10, '', '', '', '', n, '', '{}', '{}', '{}', now(), now()
    FROM generate_series(1, 20000) n;
  INSERT INTO oauth_grants (id, account_id, client_id, revoked_at, created_at)
    SELECT 'grt_' || ${key}, ${owner(accountId)}, 'cl_' || ${key}, ${at(20_000)}, ${at(20_000)} FROM generate_series(1, 20000) n;
  INSERT INTO merchants (id, account_id, name, domain, url, rail, currency, country_code)
    SELECT 'mex_' || ${key}, account(n % 1000), n, n || '.example', n, 'shopify', 'USD', 'US' FROM generate_series(1, 20000) n;
  INSERT INTO merchant_catalogues (id, merchant_id, account_id, read_at)
    SELECT 'cat_' || ${key}, 'mex_' || ${key}, account(n % 1000), ${at(20_000)} FROM generate_series(1, 20000) n;
  INSERT INTO agents (id, account_id, status, network, registry_address, holder_public_jwk, sealed_holder_key, wrapped_data_key, kek_id)
    SELECT 'agt_' || n, CASE n WHEN 0 THEN '${accountId}' ELSE account(n) END, 'revoked', 'base', '', '{}', '', '', 'kek' FROM generate_series(0, 9) n;
  INSERT INTO mailboxes (id, account_id, agent_id, address, display_name)
    SELECT 'mbx_' || n, CASE n WHEN 0 THEN '${accountId}' ELSE account(n) END, 'agt_' || n, n, '' FROM generate_series(0, 9) n;
  INSERT INTO mail_threads (id, mailbox_id, subject, last_message_at)
    SELECT 'mth_' || ${key}, ${mailbox}, '', ${at(20_000)} FROM generate_series(1, 20000) n;
  INSERT INTO mail_messages (id, mailbox_id, account_id, thread_id, direction, status, from_address, from_name, subject, body_text,
      extracted_text, message_id_header, is_read, size_bytes, created_at, updated_at)
    SELECT 'aem_' || ${key}, ${mailbox}, account(n % 1000), 'mth_' || ${key}, CASE WHEN n <= 100 THEN 'outbound' ELSE 'inbound' END, 'received',
      CASE WHEN n <= 100 THEN 'rare@rare.example' ELSE 'sender' || n % 100 || '@common.example' END, '', 'Common word',
      CASE WHEN n <= 100 THEN 'unusual' WHEN n % 2 = 1 THEN 'foreign' ELSE 'ordinary' END, '', n, true, 1, ${at(20_000)}, ${at(20_000)}
    FROM generate_series(1, 20000) n;
  ANALYZE`;

let stack: OwnStack;
let db: Database;
let account: TestAccount;

beforeAll(async () => {
  stack = await startStack();
  db = stack.service.deps.db;
  account = await stack.account();
  await db.executeSql(fill(account.accountId));
});
afterAll(() => stack?.stop());

interface Cost {
  readonly rows: number;
  readonly buffers: number;
}

/** Returns the rows that the scans of a plan read, also those that a filter discards, and the buffers of the whole plan. */
function costOf(root: PlanNode): Cost {
  const countRows = (node: PlanNode): number => {
    const { "Actual Rows": rows = 0, "Actual Loops": loops = 1, "Rows Removed by Filter": filtered = 0 } = node;
    const isScan = node["Relation Name"] !== undefined || node["Index Name"] !== undefined;
    const own = isScan ? (rows + filtered + (node["Rows Removed by Index Recheck"] ?? 0)) * loops : 0;
    return (node.Plans ?? []).reduce((sum, child) => sum + countRows(child), own);
  };
  return { rows: countRows(root), buffers: (root["Shared Hit Blocks"] ?? 0) + (root["Shared Read Blocks"] ?? 0) };
}

/** Pages, and the rows of a page by their ids. */
const LIST_STATEMENT =
  /AS "parentId"|"id" IN \(|"account_id" = \$1|mail_messages AS child|FROM "public"\."(?:oauth_clients|merchant_catalogues)"/;

/** Expects every statement of a list to read few rows, whether PostgreSQL plans it for its values or in general. */
async function expectFewRows(request: () => Promise<unknown>): Promise<void> {
  // Not the statements of background jobs, which lease rows, nor those of the event feed.
  const queries = await recordQueries(request, LIST_STATEMENT);
  expect(queries.length).toBeGreaterThan(0);
  for (const { name, text, values } of queries) {
    for (const mode of name === undefined ? (["custom"] as const) : (["custom", "generic"] as const)) {
      const cost = costOf(await explainPrepared(db, text, values, mode, "ANALYZE, BUFFERS,"));
      expect.soft(cost.rows, `rows of the ${mode} plan of ${text}`).toBeLessThanOrEqual(MAX_ROWS);
      expect.soft(cost.buffers, `buffers of the ${mode} plan of ${text}`).toBeLessThanOrEqual(MAX_BUFFERS);
    }
  }
}

type Edges = { cursor: string; node: { id: string } }[];
interface List {
  readonly edges: Edges;
  readonly totalCount?: { readonly value: number; readonly isCapped: boolean };
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Reads a connection below `viewer`. */
async function readList(field: string, args: string, selected = ""): Promise<List> {
  const query = `{ viewer { ${field}(${args}) { ${selected} pageInfo { hasNextPage endCursor } edges { cursor node { id } } } } }`;
  const { json } = await stack.graphql(account.token, query);
  expect(json.errors).toBeUndefined();
  return json.data.viewer[field];
}

const TOTAL_COUNT = "totalCount { value isCapped }";
const LONG_AGO = new Date(Date.now() - 1_000 * 86_400_000).toISOString();
/** Returns the cursor of a row, by default in the order without `orderBy`. That of events has a mark. */
function cursorOf(id: string, mark = id.startsWith("evt_") ? "RECORDED_AT_DESC" : "S"): string {
  return Buffer.from(`GPC:${mark}:${id}`).toString("base64");
}

/** Each list, the id of a row in its middle, and its filters with the number of rows on their first page. */
const LISTS: readonly (readonly [string, string, Readonly<Record<string, number>>])[] = [
  [
    "transactions",
    "tx_000035000",
    {
      "{}": 20,
      "{ types: [X402] }": 20,
      "{ types: [TRADE] }": 20,
      "{ types: [TRANSFER] }": 0,
      "{ statuses: [FAILED] }": 20,
      "{ statuses: [RESERVED] }": 0,
      "{ statuses: [FAILED, RESERVED], types: [TRADE, TRANSFER] }": 20,
      '{ networks: ["solana"] }': 20,
      '{ networks: ["solana-devnet"] }': 0,
      '{ types: [X402], statuses: [SETTLED], networks: ["base"] }': 20,
      "{ types: [TRADE], statuses: [SETTLED] }": 0,
      [`{ createdBefore: "${LONG_AGO}" }`]: 0,
      [`{ createdAfter: "${LONG_AGO}", createdBefore: "${LONG_AGO}", statuses: [SETTLED] }`]: 0,
    },
  ],
  [
    "gatewayCalls",
    "gwc_000010000",
    {
      "{}": 20,
      '{ model: "rare" }': 20,
      '{ model: "none" }': 0,
      "{ statuses: [FAILED] }": 20,
      "{ statuses: [ABORTED] }": 0,
      '{ model: "rare", statuses: [COMPLETED] }': 0,
      [`{ createdBefore: "${LONG_AGO}", statuses: [COMPLETED] }`]: 0,
    },
  ],
  [
    "trades",
    "trd_000010000",
    { "{}": 20, "{ statuses: [FAILED] }": 20, "{ statuses: [PENDING] }": 0, [`{ createdBefore: "${LONG_AGO}" }`]: 0 },
  ],
  [
    "orders",
    "ord_000010000",
    {
      "{}": 20,
      "{ statuses: [TIMEOUT] }": 20,
      "{ statuses: [PENDING, MERCHANT_ERROR] }": 0,
      "{ kinds: [EXPLORED] }": 20,
      '{ merchantId: "mer_9" }': 20,
      '{ merchantId: "mer_8" }': 0,
      "{ isTest: true }": 20,
      "{ isTest: true, kinds: [PURCHASE] }": 0,
      "{ waitsForPerson: true }": 0,
      "{ waitsForPerson: false }": 20,
      [`{ createdBefore: "${LONG_AGO}", isTest: false }`]: 0,
    },
  ],
  [
    "events",
    "evt_000010000",
    {
      "{}": 20,
      "{ types: [ORDER_FAILED] }": 20,
      "{ types: [MAIL_RECEIVED, TRADE_SETTLED] }": 0,
      [`{ createdAfter: "${LONG_AGO}" }`]: 20,
      [`{ createdBefore: "${LONG_AGO}" }`]: 0,
    },
  ],
  [
    "purchaseTokens",
    "pt_000005000",
    {
      "{}": 20,
      '{ networks: ["solana"] }': 20,
      '{ networks: ["solana-devnet"] }': 0,
      "{ statuses: [EXPIRED] }": 20,
      "{ statuses: [CONSUMED] }": 0,
      '{ networks: ["base"], statuses: [UNUSED] }': 0,
    },
  ],
  [
    "apiTokens",
    "tok_000005000",
    {
      "{}": 20,
      "{ statuses: [ACTIVE] }": 1,
      "{ statuses: [EXPIRED] }": 0,
      "{ statuses: [REVOKED] }": 20,
      "{ statuses: [ACTIVE, EXPIRED] }": 1,
      "{ statuses: [EXPIRED, REVOKED] }": 20,
      '{ q: "none of them" }': 0,
    },
  ],
  [
    "sessions",
    "ses_000005000",
    { "{}": 20, "{ statuses: [ACTIVE] }": 20, "{ statuses: [EXPIRED] }": 0, "{ statuses: [REVOKED] }": 20 },
  ],
];

describe.each(LISTS)("a page of %s reads few rows", (field, middleId, filters) => {
  it.each(Object.entries(filters))("filtered by %s", async (filter, length) => {
    await expectFewRows(async () => {
      const { edges, totalCount } = await readList(field, `first: ${PAGE_SIZE}, filter: ${filter}`, TOTAL_COUNT);
      expect(edges).toHaveLength(length);
      if (length === PAGE_SIZE) expect(totalCount?.value).toBeGreaterThanOrEqual(length);
      else expect(totalCount?.value).toBeLessThanOrEqual(length);
    });
  });

  it("after and before a row in the middle, from its end, and for any filter", async () => {
    for (const filter of Object.keys(filters)) {
      await expectFewRows(() => readList(field, `first: 20, after: "${cursorOf(middleId)}", filter: ${filter}`));
      await expectFewRows(() => readList(field, `last: 20, before: "${cursorOf(middleId)}", filter: ${filter}`));
      await expectFewRows(() => readList(field, `last: 20, filter: ${filter}`));
    }
  });
});

describe.each([
  ["transactions", "CREATED_AT", "tx_000035000", "{ statuses: [SETTLED] }"],
  ["gatewayCalls", "CREATED_AT", "gwc_000010000", "{ statuses: [COMPLETED] }"],
  ["trades", "CREATED_AT", "trd_000010000", "{ statuses: [SETTLED] }"],
  ["orders", "CREATED_AT", "ord_000010000", "{ isTest: false }"],
  ["events", "RECORDED_AT", "evt_000010000", "{ types: [PAYMENT_SETTLED] }"],
  ["purchaseTokens", "CREATED_AT", "pt_000005000", '{ networks: ["base"] }'],
  ["purchaseApprovals", "CREATED_AT", "apr_000010000", "{ statuses: [APPROVED, EXPIRED] }"],
])("a page of %s in ascending order reads few rows", (field, key, middleId, filter) => {
  const orderBy = `orderBy: { field: ${key}, direction: ASC }`;
  const middle = cursorOf(middleId, field === "events" ? "S" : `${key}_ASC`);

  it.each(["{}", filter])("filtered by %s", async (filter) => {
    for (const args of ["first: 20", "last: 20", `first: 20, after: "${middle}"`, `last: 20, before: "${middle}"`]) {
      await expectFewRows(async () => {
        const { edges } = await readList(field, `${args}, filter: ${filter}, ${orderBy}`);
        expect(edges).toHaveLength(PAGE_SIZE);
        const ids = edges.map(({ node }) => Buffer.from(node.id, "base64").toString());
        expect(ids).toEqual(ids.toSorted());
      });
    }
  });
});

it("counts rows exactly up to a thousand, and reads no more", async () => {
  const counts = {
    'transactions(filter: { networks: ["solana"] })': { value: 50, isCapped: false },
    "transactions(filter: { statuses: [SETTLED, RELEASED] })": { value: 1_000, isCapped: true },
    "gatewayCalls(filter: { statuses: [COMPLETED] })": { value: 1_000, isCapped: true },
    "orders(filter: { waitsForPerson: true })": { value: 0, isCapped: false },
    'apiTokens(filter: { q: "unlike" })': { value: expect.any(Number), isCapped: true },
  };
  for (const [list, totalCount] of Object.entries(counts)) {
    await expectFewRows(async () => {
      const { json } = await stack.graphql(account.token, `{ viewer { list: ${list} { ${TOTAL_COUNT} } } }`);
      expect(json.data.viewer.list.totalCount).toEqual(totalCount);
    });
  }
});

describe("the first page of a list without a time order of its own reads few rows", () => {
  it.each(["{}", "{ isRevoked: false }", "{ isRevoked: true }"])("connectedApps filtered by %s", async (filter) => {
    await expectFewRows(async () => {
      const { edges } = await readList("connectedApps", `first: 20, filter: ${filter}`);
      expect(edges).toHaveLength(filter === "{ isRevoked: false }" ? 3 : PAGE_SIZE);
    });
  });

  it.each([
    ["oauthClientsToReview", "first: 20"],
    ["oauthClientsToReview", "first: 20, filter: { registrations: [DOCUMENT] }"],
    ["oauthClientsToReview", "first: 20, filter: { registrations: [DYNAMIC] }"],
    ["exploredMerchants", "first: 20"],
  ])("%s(%s)", async (field, args) => {
    await expectFewRows(async () => {
      const { json } = await stack.graphql(ADMIN_TOKEN, `{ ${field}(${args}) { edges { node { id } } } }`);
      expect(json.errors).toBeUndefined();
      expect(json.data[field].edges).toHaveLength(PAGE_SIZE);
    });
  });
});

describe("a page of a mailbox reads few rows", () => {
  async function readMail(list: "messages" | "threads", args: string): Promise<List> {
    const { json } = await stack.graphql(
      account.token,
      `{ viewer { mailbox { ${list}(${args}) { ${TOTAL_COUNT} pageInfo { hasNextPage endCursor } edges { cursor node { id } } } } } }`,
    );
    expect(json.errors).toBeUndefined();
    return json.data.viewer.mailbox[list];
  }

  it.each([
    ["messages", "{}", 20],
    ["messages", "{ directions: [OUTBOUND] }", 20],
    ["messages", "{ isUnread: true }", 0],
    ["messages", "{ isUnread: false }", 20],
    ["messages", '{ q: "unusual" }', 20],
    ["messages", '{ q: "foreign" }', 0],
    ["messages", '{ q: "common" }', 20],
    ["messages", '{ q: "-ordinary" }', 0],
    ["messages", '{ from: "rare@rare.example" }', 20],
    ["messages", '{ from: "rare.example" }', 20],
    ["messages", '{ from: "common.example" }', 20],
    ["messages", '{ from: "none.example", directions: [INBOUND] }', 0],
    ["messages", '{ threadId: "mth_000010000" }', 1],
    ["messages", "{ hasAttachments: true }", 0],
    ["messages", `{ createdBefore: "${LONG_AGO}" }`, 0],
    ["threads", "{}", 20],
    ["threads", "{ isUnread: true }", 0],
    ["threads", "{ isUnread: false }", 20],
    ["threads", '{ q: "unusual" }', 20],
    ["threads", '{ q: "foreign" }', 0],
    ["threads", '{ q: "common" }', 20],
  ] as const)("%s filtered by %s", async (list, filter, length) => {
    const middle = cursorOf(list === "messages" ? "aem_000010000" : "mth_000010000");
    await expectFewRows(async () => {
      expect((await readMail(list, `first: 20, filter: ${filter}`)).edges).toHaveLength(length);
    });
    await expectFewRows(() => readMail(list, `first: 20, after: "${middle}", filter: ${filter}`));
    await expectFewRows(() => readMail(list, `last: 20, before: "${middle}", filter: ${filter}`));
  });

  it("the inbox filtered by text, at an offset", async () => {
    for (const query of ["q=unusual", "q=foreign", "q=common", "direction=outbound&offset=10", "unread=true"]) {
      await expectFewRows(async () => {
        expect((await stack.rest(account.token, "GET", `/api/agent/email/inbox?${query}`)).status).toBe(200);
      });
    }
  });
});

it("a page of purchase approvals reads few rows", async () => {
  for (const [args, length] of [
    ["", 20],
    ["filter: { statuses: [APPROVED, EXPIRED] }", 20],
    ["filter: { statuses: [PENDING] }", 0],
  ] as const) {
    await expectFewRows(async () => {
      expect((await readList("purchaseApprovals", `first: ${PAGE_SIZE} ${args}`)).edges).toHaveLength(length);
    });
  }
});

it("a page of an application's payments reads few rows", async () => {
  const query = `{ viewer { connectedApps { edges { node { grantId transactions(first: 20) { edges { cursor } } } } } } }`;
  await expectFewRows(async () => {
    const { json } = await stack.graphql(account.token, query);
    const counts = json.data.viewer.connectedApps.edges.map(
      ({ node }: { node: { grantId: string; transactions: { edges: Edges } } }) => [
        node.grantId,
        node.transactions.edges.length,
      ],
    );
    expect(Object.fromEntries(counts)).toMatchObject({ grt_0: 20, grt_1: 20, grt_2: 0 });
  });
});

it("a page of a webhook's deliveries reads few rows", async () => {
  const filters = {
    "{}": 20,
    "{ statuses: [FAILED] }": 20,
    "{ types: [ORDER_FAILED] }": 20,
    "{ types: [MAIL_SENT] }": 0,
    "{ statuses: [PENDING] }": 0,
  };
  for (const [filter, length] of Object.entries(filters)) {
    const query = `{ viewer { webhooks { edges { node { deliveries(first: 20, filter: ${filter}) { edges { cursor } } } } } } }`;
    await expectFewRows(async () => {
      const { json } = await stack.graphql(account.token, query);
      expect(json.data.viewer.webhooks.edges[0].node.deliveries.edges).toHaveLength(length);
    });
  }
});

it("pages of a filter that no index serves continue to the end of the list", async () => {
  const found: Edges = [];
  let pages = 0;
  for (let after = ""; ; pages++) {
    const { edges, pageInfo } = await readList("apiTokens", `first: 20, filter: { q: "unlike" } ${after}`);
    found.push(...edges);
    if (!pageInfo.hasNextPage) break;
    after = `, after: "${pageInfo.endCursor}"`;
  }
  expect(found).toHaveLength(1);
  expect(pages).toBe(Math.floor(10_000 / 2 / MAX_SCANNED_ROWS));
});
