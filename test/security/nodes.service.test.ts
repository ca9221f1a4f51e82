/** Look-ups of every type by id: `node`, `nodes`, and the type's own field of `Query`. */
import { isInterfaceType, isObjectType } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toGlobalId } from "../../schema/global-id.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import { createToken } from "../payments/purchase-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { insertPlaceholderRows, type PlaceholderRows, STORED_TYPES, type StoredType } from "./placeholder-rows.ts";

const schema = buildPublicSchema();

/** The scope that a credential with strict scopes requires, by type. */
const SCOPES_OF = {
  AccountEvent: null,
  Agent: "AGENT_READ",
  AgentCredential: "AGENT_READ",
  AgentDispute: "AGENT_READ",
  ApiToken: "ACCOUNT_READ",
  OAuthClient: "ACCOUNT_READ",
  OAuthGrant: "ACCOUNT_READ",
  Mailbox: "EMAIL_READ",
  MailThread: "EMAIL_READ",
  MailMessage: "EMAIL_READ",
  MailAttachment: "EMAIL_READ",
  MailDraft: "EMAIL_READ",
  MailRule: "EMAIL_READ",
  MailSuppression: "EMAIL_READ",
  Merchant: null,
  ExploredMerchant: "a reviewer's session",
  PaymentCard: "CARDS_READ",
  CheckoutPolicy: "CARDS_READ",
  CheckoutOrder: "TRANSACTIONS_READ",
  OrderQuestion: "TRANSACTIONS_READ",
  PurchaseApproval: "TRANSACTIONS_READ",
  ChainDifference: "a reviewer's session",
  Transaction: "TRANSACTIONS_READ",
  DeclinedPayment: "TRANSACTIONS_READ",
  Trade: "TRANSACTIONS_READ",
  GatewayCall: "TRANSACTIONS_READ",
  PurchaseToken: "ACCOUNT_READ",
  Passkey: "ACCOUNT_MANAGE",
  Session: "ACCOUNT_MANAGE",
  Webhook: "ACCOUNT_MANAGE",
  WebhookDelivery: "ACCOUNT_MANAGE",
} as const satisfies Record<StoredType, string | null>;
/** Types without a row of their own for each id, and exports, which only sessions read (test/personal-data). */
const OTHERS = ["Account", "AccountExport", "Viewer", "Wallet"];

let stack: Stack;
let owner: TestAccount;
let other: TestAccount;
let purchaseToken: string;
let rows: PlaceholderRows;

beforeAll(async () => {
  stack = await sharedStack();
  [owner, other] = [await stack.account(), await stack.account()];
  rows = await insertPlaceholderRows(stack.service.deps.db, owner.accountId);
  purchaseToken = (await createToken(stack, owner.token, { merchantUrl: "https://shop.example/" })).token;
});
afterAll(() => rows?.remove());

/** Returns the field of `Query` that looks up the type by its id; null for types that only `node` returns. */
function findLookUp(type: string): string | null {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.find((field) => String(field.type) === type && field.args[0]?.name === "id")?.name ?? null;
}

/** Looks up the object in each way. Returns the results, with the codes of errors. */
async function lookUp(token: string | null, type: StoredType, id: string) {
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

const idOf = (type: StoredType) => rows.idOf(type);
const NOTHING = { node: null, nodes: [null], byGlobalId: null, byOwnId: null };

it("is tested for each type with a global id", () => {
  const node = schema.getType("Node");
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).filter(isObjectType) : [];
  expect(types.map(({ name }) => name).sort()).toEqual([...STORED_TYPES, ...OTHERS].sort());
});

describe.each(STORED_TYPES)("%s", (type) => {
  const scope = SCOPES_OF[type];
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
