/** Every argument that names an object of an account: another account's id is as one that does not exist, and changes nothing. */
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toGlobalId } from "../../schema/global-id.ts";
import { buildPublicSchema } from "../../schema/schema.ts";
import { type Browser, openSignedInBrowser } from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";
import { insertPlaceholderRows, type PlaceholderRows, type StoredType } from "./placeholder-rows.ts";

const schema = buildPublicSchema();

/** The type of the object that an argument names, by field and path. */
const OWNED: Readonly<Record<string, StoredType>> = {
  "Mutation.revokeApiToken input.id": "ApiToken",
  "Mutation.revokePurchaseToken input.id": "PurchaseToken",
  "Mutation.payPurchaseToken input.purchaseToken.id": "PurchaseToken",
  "Mutation.renamePasskey input.id": "Passkey",
  "Mutation.removePasskey input.id": "Passkey",
  "Mutation.revokeSession input.id": "Session",
  "Mutation.updateOAuthClient input.id": "OAuthClient",
  "Mutation.rotateOAuthClientSecret input.id": "OAuthClient",
  "Mutation.disconnectApp input.id": "OAuthGrant",
  "Mutation.updateGrantLimits input.id": "OAuthGrant",
  "Mutation.changeApiTokenCardBudget input.id": "ApiToken",
  "Mutation.removeMailRule input.id": "MailRule",
  "Mutation.removeMailSuppression input.id": "MailSuppression",
  "Mutation.markMailRead input.messageIds": "MailMessage",
  "Mutation.deleteMail input.messageIds": "MailMessage",
  "Mutation.sendMail input.attachmentIds": "MailAttachment",
  "Mutation.sendMail input.draftId": "MailDraft",
  "Mutation.replyToMail input.messageId": "MailMessage",
  "Mutation.replyToMail input.attachmentIds": "MailAttachment",
  "Mutation.createMailDraft input.attachmentIds": "MailAttachment",
  "Mutation.createMailDraft input.inReplyToId": "MailMessage",
  "Mutation.updateMailDraft input.id": "MailDraft",
  "Mutation.updateMailDraft input.attachmentIds": "MailAttachment",
  "Mutation.deleteMailDraft input.id": "MailDraft",
  "Mutation.sendMailDraft input.id": "MailDraft",
  "Mutation.startPurchaseApproval input.id": "PurchaseApproval",
  "Mutation.approvePurchase input.id": "PurchaseApproval",
  "Mutation.denyPurchase input.id": "PurchaseApproval",
  "Mutation.answerOrderQuestion input.id": "OrderQuestion",
  "Mutation.updateWebhook input.id": "Webhook",
  "Mutation.deleteWebhook input.id": "Webhook",
  "Mutation.rotateWebhookSecret input.id": "Webhook",
  "Mutation.sendTestEvent input.webhookId": "Webhook",
  "Mutation.replayWebhookDelivery input.id": "WebhookDelivery",
  "Mutation.replayEventsSince input.webhookId": "Webhook",
  "Mutation.updateCard input.id": "PaymentCard",
  "Mutation.setDefaultCard input.id": "PaymentCard",
  "Mutation.removeCard input.id": "PaymentCard",
  "Mutation.startCheckoutPolicy input.cardIds": "PaymentCard",
  "Mutation.revokeCheckoutPolicy input.id": "CheckoutPolicy",
  "Subscription.mailUpdated threadId": "MailThread",
  "Subscription.mailRecipientUpdated messageId": "MailMessage",
  "Subscription.transactionUpdated id": "Transaction",
  "Subscription.tradeUpdated id": "Trade",
  "Subscription.gatewayCallUpdated id": "GatewayCall",
  "Subscription.orderUpdated id": "CheckoutOrder",
};

/** Arguments that name no object of another account, with the reason. */
const OTHERS: Readonly<Record<string, RegExp>> = {
  "nodes.service.test.ts": /^Query\.\w+ ids?$/,
  "an administrator names any account":
    /^Query\.(inFlightOperations|administratorActs) |^Mutation\.(freezeAccount|unfreezeAccount|endAccountSessions|revokeAccountCredentials|confirmAdministratorProposal|rejectAdministratorProposal|vetMerchant|reviewOAuthClient|openAgentDispute|closeAgentDispute|startAccountRecovery|resendAccountRecovery) /,
  "merchants are public": /[mM]erchantIds?$/,
  "the browser that started an attempt has its secret": / input\.attemptId$/,
  "a request has no account before its decision": /^Mutation\.decideAuthorization /,
  "refusals.service.test.ts: requires a quote": /^Mutation\.dispatchOrder input\.cardId$/,
  // test/accounts/administration.service.test.ts
  "a recovery is found only for the account of the session": /^Mutation\.cancelAccountRecovery /,
};

/** Lists of ids refer to parts of the input: an unknown one makes the input invalid. */
const INVALID = /(?:attachmentIds|cardIds)$/;

interface Argument {
  readonly name: string;
  readonly operation: string;
  readonly field: string;
  readonly path: readonly string[];
  readonly isList: boolean;
}

/** Returns the arguments of type ID, also within inputs. */
function listArguments(): Argument[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap(({ name: field, args }) => {
      const found: Argument[] = [];
      const visit = (path: readonly string[], type: GraphQLInputType, within: readonly unknown[]) => {
        const named = getNamedType(type);
        const [operation, nullable] = [root?.name ?? "", isNonNullType(type) ? type.ofType : type];
        if (named.name === "ID") {
          found.push({
            ...{ operation, field, path, isList: isListType(nullable) },
            name: `${operation}.${field} ${path.join(".")}`,
          });
        }
        if (!isInputObjectType(named) || within.includes(named)) return;
        for (const member of Object.values(named.getFields())) {
          visit([...path, member.name], member.type, [...within, named]);
        }
      };
      for (const { name, type } of args) visit([name], type, []);
      return found;
    }),
  );
}

const ARGUMENTS = listArguments();
const TESTED = ARGUMENTS.filter(({ name }) => name in OWNED);

let stack: Stack;
let browser: Browser;
let foreign: PlaceholderRows;
let own: PlaceholderRows;
let foreignAccountId: string;

beforeAll(async () => {
  stack = await sharedStack();
  const { db } = stack.service.deps;
  const [owner, other] = [await stack.account(), await stack.account()];
  foreignAccountId = owner.accountId;
  browser = await openSignedInBrowser(stack, other.accountId);
  foreign = await insertPlaceholderRows(db, owner.accountId);
  own = await insertPlaceholderRows(db, other.accountId);
  await db.prisma.agent.update({ where: { id: own.idOf("Agent") }, data: { status: "active", agentId: 1n } });
  const sender = { fromAddress: "ada@app.example" };
  await db.prisma.mailMessage.update({ where: { id: own.idOf("MailMessage") }, data: sender });
});
afterAll(async () => {
  await foreign?.remove();
  // The service issues credentials to the active agent.
  await stack.service.deps.db.prisma.agentCredential.deleteMany({ where: { agentId: own.idOf("Agent") } });
  await own?.remove();
});

/** Returns a valid value for an input, with the value of the argument at `path` if that leads into it. */
function createValue(
  type: GraphQLInputType,
  name: string,
  coordinate: string,
  path: readonly string[],
  id: unknown,
): unknown {
  if (isNonNullType(type)) return createValue(type.ofType, name, coordinate, path, id);
  if (path.length === 1 && path[0] === name) return id;
  if (isListType(type)) return [createValue(type.ofType, name, coordinate, path, id)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const inner = path[0] === name ? path.slice(1) : [];
    const fields = Object.values(type.getFields());
    const given = fields.filter((field) => field.name === inner[0] || (!type.isOneOf && isRequiredInputField(field)));
    return Object.fromEntries(
      given.map((field) => [field.name, createValue(field.type, field.name, coordinate, inner, id)]),
    );
  }
  const scalar = type.name;
  if (scalar === "ID") {
    const owned = OWNED[`${coordinate} input.${name}`];
    return owned ? toGlobalId(owned, own.idOf(owned)) : toGlobalId("Merchant", own.idOf("Merchant"));
  }
  return STRINGS[name] ?? SCALARS[scalar] ?? "x";
}

const STRINGS: Readonly<Record<string, string>> = {
  to: "ada@app.example",
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
};

const SCALARS: Readonly<Record<string, unknown>> = {
  ...{ Int: 1, Float: 1, Boolean: true, JSON: {}, DateTime: new Date().toISOString(), CountryCode: "GB" },
  ...{
    Url: "https://a.example/",
    UsdAmount: "1",
    MinorAmount: 100,
    NetworkName: "base-sepolia",
    CurrencyCode: "USD",
  },
};

/** Sends the operation. Returns the result, or the first event of a subscription. */
async function send({ operation, field, path }: Argument, id: unknown): Promise<unknown> {
  const type = schema.getType(operation);
  const args = type && "getFields" in type ? type.getFields()[field] : undefined;
  if (!args || !("args" in args)) throw new Error(`No field ${operation}.${field}.`);
  const given = args.args.filter(({ name, type: input }) => isNonNullType(input) || name === path[0]);
  const coordinate = `${operation}.${field}`;
  const variables = Object.fromEntries(
    given.map(({ name, type: input }) => {
      return [name, createValue(input, name, coordinate, path, id)];
    }),
  );
  const declared = given.map(({ name, type: input }) => `$${name}: ${input}`).join(", ");
  const passed = given.map(({ name }) => `${name}: $${name}`).join(", ");
  const error = operation === "Mutation" ? " ... on Error { code message }" : "";
  const query = `${operation.toLowerCase()} (${declared}) { ${field}(${passed}) { __typename${error} } }`;
  if (operation !== "Subscription") return (await browser.graphql(query, variables)).json;
  const response = await fetch(`${stack.service.deps.site.browserUrl()}/graphql`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", accept: "text/event-stream", cookie: browser.cookie ?? "" },
      origin: stack.service.deps.site.browserUrl(),
    },
    body: JSON.stringify({ query, variables }),
  });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const data = /^data: ?(\{.*\})$/m.exec(text)?.[1];
    if (data) return JSON.parse(data);
  }
  throw new Error(`No event: ${text}`);
}

/** Rows of the owner in each table that names accounts, and the placeholders. */
async function readOwner(): Promise<string> {
  const { db } = stack.service.deps;
  const tables = (await db.executeSql(
    `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'account_id' ORDER BY 1`,
    [],
  )) as { rows: { name: string }[] };
  const counts = tables.rows.map(({ name }) => `(SELECT count(*) FROM ${name} WHERE account_id = $1::uuid) AS ${name}`);
  const { rows } = (await db.executeSql(`SELECT ${counts.join(", ")}`, [foreignAccountId])) as { rows: object[] };
  return (
    JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value)) + (await foreign.read())
  );
}

it("is tested, or named here with a reason", () => {
  const named = ARGUMENTS.map(({ name }) => name);
  expect(Object.keys(OWNED).filter((name) => !named.includes(name))).toEqual([]);
  const unknown = named.filter((name) => !(name in OWNED) && !Object.values(OTHERS).some((one) => one.test(name)));
  expect(unknown).toEqual([]);
});

it.each(TESTED.map((argument) => [argument.name, argument] as const))("%s", async (name, argument) => {
  const type = OWNED[name] ?? "ApiToken";
  const foreignId = foreign.idOf(type);
  const before = await readOwner();
  const results = [];
  for (const id of [foreignId, foreignId.replace(/.$/, (last) => (last === "0" ? "1" : "0"))]) {
    const globalId = toGlobalId(type, id);
    const result = await send(argument, argument.isList ? [globalId] : globalId);
    results.push(JSON.parse(JSON.stringify(result).replaceAll(globalId, "<id>").replaceAll(id, "<id>")));
  }
  expect(results[0]).toEqual(results[1]);
  const codes = [results[0].errors?.[0]?.extensions?.code, results[0].data?.[argument.field]?.code];
  const expected = INVALID.test(name) ? "invalid_request" : "not_found";
  expect(codes.filter((code) => code !== undefined).map((code) => String(code).toLowerCase())).toEqual([expected]);
  if (expected === "invalid_request") expect(JSON.stringify(results[0])).toMatch(/contains an unknown/);
  expect(await readOwner()).toBe(before);
});
