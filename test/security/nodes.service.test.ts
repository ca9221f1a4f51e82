/** Look-ups of every type by id: `node`, `nodes`, and the type's own field of `Query`. */
import { randomUUID } from "node:crypto";
import { isInterfaceType, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toGlobalId } from "../../schema/global-id.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import { createToken } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const schema = buildPublicSchema();

/** Table, prefix of the ids, and the scope that a credential with strict scopes requires; by type. */
const TYPES = {
  AccountEvent: ["account_events", "evt_", null],
  Agent: ["agents", "agt_", "AGENT_READ"],
  AgentCredential: ["agent_credentials", "crd_", "AGENT_READ"],
  AgentDispute: ["agent_disputes", "dsp_", "AGENT_READ"],
  ApiToken: ["api_tokens", "tok_", "ACCOUNT_READ"],
  OAuthClient: ["oauth_clients", "cl_", "ACCOUNT_READ"],
  OAuthGrant: ["oauth_grants", "grt_", "ACCOUNT_READ"],
  Mailbox: ["mailboxes", "mbx_", "EMAIL_READ"],
  MailThread: ["mail_threads", "mth_", "EMAIL_READ"],
  MailMessage: ["mail_messages", "aem_", "EMAIL_READ"],
  MailAttachment: ["mail_attachments", "mat_", "EMAIL_READ"],
  MailDraft: ["mail_drafts", "mdr_", "EMAIL_READ"],
  MailRule: ["mail_rules", "mrl_", "EMAIL_READ"],
  Merchant: ["merchants", "mer_", null],
  ExploredMerchant: ["merchant_catalogues", "cat_", "a reviewer's session"],
  PaymentCard: ["payment_cards", "card_", "CARDS_READ"],
  CheckoutPolicy: ["checkout_policies", "pol_", "CARDS_READ"],
  CheckoutOrder: ["checkout_orders", "ord_", "TRANSACTIONS_READ"],
  OrderQuestion: ["order_questions", "qst_", "TRANSACTIONS_READ"],
  PurchaseApproval: ["checkout_approvals", "apr_", "TRANSACTIONS_READ"],
  ChainDifference: ["chain_differences", "dif_", "a reviewer's session"],
  Transaction: ["transactions", "tx_", "TRANSACTIONS_READ"],
  DeclinedPayment: ["declined_payments", "dp_", "TRANSACTIONS_READ"],
  Trade: ["trades", "trd_", "TRANSACTIONS_READ"],
  GatewayCall: ["gateway_calls", "gwc_", "TRANSACTIONS_READ"],
  PurchaseToken: ["purchase_tokens", "pt_", "ACCOUNT_READ"],
  Passkey: ["passkeys", "passkeypasskey_", "ACCOUNT_MANAGE"],
  Session: ["sessions", "ses_", "ACCOUNT_MANAGE"],
  Webhook: ["webhook_endpoints", "whk_", "ACCOUNT_MANAGE"],
  WebhookDelivery: ["webhook_deliveries", "whd_", "ACCOUNT_MANAGE"],
} as const;
type TypeName = keyof typeof TYPES;
/** Types without a row of their own for each id, and exports, which only sessions read (test/personal-data). */
const OTHERS = ["Account", "AccountExport", "Viewer", "Wallet"];

let stack: Stack;
let owner: TestAccount;
let other: TestAccount;
let purchaseToken: string;
/** Id of the owner's object, by type. */
const ids = new Map<TypeName, string>();

beforeAll(async () => {
  stack = await sharedStack();
  [owner, other] = [await stack.account(), await stack.account()];
  for (const type of Object.keys(TYPES) as TypeName[]) await insert(type);
  purchaseToken = (await createToken(stack, owner.token, { merchantUrl: "https://shop.example/" })).token;
});

// Other tests list the rows of all accounts.
afterAll(async () => {
  for (const [type, id] of [...ids].reverse()) {
    await stack.service.deps.db.executeSql(`DELETE FROM ${TYPES[type][0]} WHERE id = $1`, [id]);
  }
});

/** Values of columns for which a type's text, zero or empty list is not valid. */
const VALUES: Readonly<Record<string, unknown>> = { type: "payment.settled", network: "base" };

/** Inserts a row with placeholders for all required columns, and links to the rows that exist. */
async function insert(type: TypeName): Promise<void> {
  const [table, prefix] = TYPES[type];
  const { db } = stack.service.deps;
  const id = `${prefix}${randomUUID().replaceAll("-", "")}`;
  const columns = (await db.executeSql(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1
       AND is_generated = 'NEVER' AND (is_nullable = 'NO' AND column_default IS NULL OR column_name IN ('account_id', 'merchant_id'))`,
    [table],
  )) as { rows: { name: string; type: string }[] };
  const entries = columns.rows.map(({ name, type }) => [name, placeholder(name, type, id)] as const);
  await db.executeSql(
    `INSERT INTO ${table} (${entries.map(([name]) => name)}) VALUES (${entries.map((_, i) => `$${i + 1}`)})`,
    entries.map(([, value]) => value),
  );
  ids.set(type, id);
}

const LINKS: Readonly<Record<string, TypeName>> = {
  agent_id: "Agent",
  client_id: "OAuthClient",
  mailbox_id: "Mailbox",
  thread_id: "MailThread",
  order_id: "CheckoutOrder",
  merchant_id: "Merchant",
  transaction_id: "Transaction",
  endpoint_id: "Webhook",
  event_id: "AccountEvent",
};

function placeholder(name: string, type: string, id: string): unknown {
  if (name === "id") return id;
  if (name === "account_id") return owner.accountId;
  const link = LINKS[name];
  if (link) return ids.get(link);
  if (name in VALUES) return VALUES[name];
  if (type === "ARRAY") return [];
  if (type === "uuid") return owner.accountId;
  if (type === "jsonb") return "{}";
  if (type === "bytea") return Buffer.from(id);
  if (type === "boolean") return false;
  if (type === "date" || type.startsWith("timestamp")) return new Date();
  return type === "text" ? id : 0;
}

/** Returns the field of `Query` that looks up the type by its id; null for types that only `node` returns. */
function findLookUp(type: string): string | null {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.find((field) => String(field.type) === type && field.args[0]?.name === "id")?.name ?? null;
}

/** Looks up the object in each way. Returns the results, with the codes of errors. */
async function lookUp(token: string | null, type: TypeName, id: string) {
  const variables = { global: toGlobalId(type, id), own: id };
  const field = findLookUp(type);
  const byGlobalId = field ? `${field}(id: $global)` : "node(id: $global)";
  const query = `query ($global: ID!${field ? ", $own: ID!" : ""}) {
    node(id: $global) { __typename id } nodes(ids: [$global]) { __typename id } byGlobalId: ${byGlobalId} { __typename id }
    byOwnId: ${field ? `${field}(id: $own)` : byGlobalId} { __typename id } }`;
  const { json } = await stack.graphql(token, query, variables);
  const errors = ((json.errors ?? []) as { path: unknown[]; message: string; extensions: { code: string } }[]).map(
    ({ path, message, extensions: { code } }) => ({ path, message, code }),
  );
  return { data: json.data, errors };
}

const idOf = (type: TypeName) => ids.get(type) ?? expect.fail(`no ${type}`);
const NOTHING = { node: null, nodes: [null], byGlobalId: null, byOwnId: null };

it("is tested for each type with a global id", () => {
  const node = schema.getType("Node");
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).filter(isObjectType) : [];
  expect(types.map(({ name }) => name).sort()).toEqual([...Object.keys(TYPES), ...OTHERS].sort());
});

describe.each(Object.keys(TYPES) as TypeName[])("%s", (type) => {
  const scope = TYPES[type][2];
  const needsReviewer = type === "ExploredMerchant" || type === "ChainDifference";

  it.skipIf(needsReviewer)("is returned to its owner", async () => {
    const found = { __typename: type, id: toGlobalId(type, idOf(type)) };
    expect(await lookUp(owner.token, type, idOf(type))).toEqual({
      data: { node: found, nodes: [found], byGlobalId: found, byOwnId: found },
      errors: [],
    });
  });

  it("is for another account as if it did not exist", async () => {
    const unknown = idOf(type).replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const foreign = await lookUp(other.token, type, idOf(type));
    expect(foreign).toEqual(await lookUp(other.token, type, unknown));
    expect(foreign.data).toEqual(NOTHING);
  });

  it("is not returned without a credential, or for a purchase token", async () => {
    for (const token of [null, purchaseToken]) {
      const { data, errors } = await lookUp(token, type, idOf(type));
      expect(data).toEqual(NOTHING);
      const code =
        needsReviewer && token !== null ? expect.stringMatching(/^(unauthorized|forbidden)$/) : "unauthorized";
      expect(errors.map(({ code }) => code)).toEqual(Array(4).fill(code));
    }
  });

  // The scope of an event depends on its type (test/events).
  it.skipIf(needsReviewer || type === "AccountEvent")(
    `requires ${scope ?? "no scope"} with strict scopes`,
    async () => {
      const tokenWith = async (scopes: readonly string[]) =>
        (
          await stack.graphql(
            owner.token,
            `mutation ($scopes: [Scope!]!) { createApiToken(input: { name: "n", scopes: $scopes }) { ... on CreateApiTokenSuccess { secret } } }`,
            { scopes },
          )
        ).json.data.createApiToken.secret;
      const all = ["BALANCE_READ", "TRANSACTIONS_READ", "EMAIL_READ", "AGENT_READ", "PAYMENTS_SIGN", "ACCOUNT_MANAGE"];
      const others = await tokenWith(scope === null ? ["BALANCE_READ"] : all.filter((one) => one !== scope));
      const { prisma } = stack.service.deps.db;
      const where = { id: owner.accountId };
      await prisma.account.update({ where, data: { strictScopes: true } });
      const without = await lookUp(others, type, idOf(type));
      const unknown = await lookUp(others, type, `${idOf(type)}0`);
      await prisma.account.update({ where, data: { strictScopes: false } });
      if (scope === null) return expect([without.errors, without.data.node?.__typename]).toEqual([[], type]);
      expect(without.data).toEqual(NOTHING);
      expect(without.errors.map(({ code }) => code)).toEqual(Array(4).fill("forbidden"));
      expect(unknown).toEqual(without);
    },
  );
});
