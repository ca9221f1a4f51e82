// @module-tag postgresql
/** Per-account limits under concurrent GraphQL mutations. */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { createMailbox } from "../mail/fixtures.ts";
import { createClientsApi } from "../oauth/clients-fixture.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
});

const prisma = () => stack.service.deps.db.prisma;
const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

it("an account has at most 20 webhooks", async () => {
  const create =
    'mutation { createWebhook(input: { url: "https://hooks.example/in" }) { __typename ... on Error { code message } } }';
  const responses = await Promise.all(repeat(25, () => stack.graphql(account.token, create)));
  const created = responses.filter(({ json }) => json.data.createWebhook.__typename === "CreateWebhookSuccess");
  expect(created).toHaveLength(20);
  const rejected = responses.filter(({ json }) => json.data.createWebhook.code === "FORBIDDEN");
  expect(rejected.map(({ json }) => json.data.createWebhook.message)).toEqual(
    repeat(5, () => "An account has at most 20 webhooks. No webhook was created. Delete one first."),
  );
  expect(await prisma().webhookEndpoint.count({ where: { accountId: account.accountId } })).toBe(20);
});

it("an account has at most 100 OAuth clients", async () => {
  const clients = createClientsApi(stack);
  const { client } = await clients.register(account.token);
  const row = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: client.clientId } });
  await prisma().oAuthClient.createMany({ data: repeat(97, () => ({ ...row, id: newId("cl") })) });
  const results = await Promise.all(repeat(6, () => clients.register(account.token)));
  expect(results.filter(({ client }) => client)).toHaveLength(2);
  expect(results.filter(({ code }) => code === "FORBIDDEN")).toHaveLength(4);
  expect(await prisma().oAuthClient.count({ where: { accountId: account.accountId } })).toBe(100);
});

it("a mailbox has at most 500 rules", async () => {
  const { id: mailboxId } = await createMailbox(stack, account);
  const rule = (index: number) => ({ id: newId("mrl"), mailboxId, action: "block", pattern: `s${index}.example` });
  await prisma().mailRule.createMany({ data: repeat(498, rule) });
  const set = "mutation ($p: String!) { setMailRule(input: { action: BLOCK, pattern: $p }) { __typename } }";
  const responses = await Promise.all(
    repeat(6, (index) => stack.graphql(account.token, set, { p: `t${index}.example` })),
  );
  const created = responses.filter(({ json }) => json.data.setMailRule.__typename === "SetMailRuleSuccess");
  expect(created).toHaveLength(2);
  expect(await prisma().mailRule.count({ where: { mailboxId } })).toBe(500);
});
