// @module-tag postgresql
/** What an account may have only so many of, asked for many at once over GraphQL. */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { openMailbox } from "../mail/correspondence.ts";
import { openRoom } from "../oauth/clients-fixture.ts";
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
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

it("webhooks of an account are twenty at most", async () => {
  const create =
    'mutation { createWebhook(input: { url: "https://hooks.example/in" }) { __typename ... on Error { code message } } }';
  const answers = await Promise.all(times(25, () => stack.graphql(account.token, create)));
  const made = answers.filter(({ json }) => json.data.createWebhook.__typename === "CreateWebhookSuccess");
  expect(made).toHaveLength(20);
  const refused = answers.filter(({ json }) => json.data.createWebhook.code === "forbidden");
  expect(refused.map(({ json }) => json.data.createWebhook.message)).toEqual(
    times(5, () => "An account has at most 20 webhooks. No webhook was created. Delete one first."),
  );
  expect(await prisma().webhookEndpoint.count({ where: { accountId: account.accountId } })).toBe(20);
});

it("applications of an account are a hundred at most", async () => {
  const room = openRoom(stack);
  const { client } = await room.register(account.token);
  const row = await prisma().oAuthClient.findUniqueOrThrow({ where: { id: client.clientId } });
  await prisma().oAuthClient.createMany({ data: times(97, () => ({ ...row, id: newId("cl") })) });
  const answers = await Promise.all(times(6, () => room.register(account.token)));
  expect(answers.filter(({ client }) => client)).toHaveLength(2);
  expect(answers.filter(({ code }) => code === "forbidden")).toHaveLength(4);
  expect(await prisma().oAuthClient.count({ where: { accountId: account.accountId } })).toBe(100);
});

it("rules of a mailbox are five hundred at most", async () => {
  const { id: mailboxId } = await openMailbox(stack, account);
  const rule = (index: number) => ({ id: newId("mrl"), mailboxId, action: "block", pattern: `s${index}.example` });
  await prisma().mailRule.createMany({ data: times(498, rule) });
  const set = "mutation ($p: String!) { setMailRule(input: { action: block, pattern: $p }) { __typename } }";
  const answers = await Promise.all(times(6, (index) => stack.graphql(account.token, set, { p: `t${index}.example` })));
  const made = answers.filter(({ json }) => json.data.setMailRule.__typename === "SetMailRuleSuccess");
  expect(made).toHaveLength(2);
  expect(await prisma().mailRule.count({ where: { mailboxId } })).toBe(500);
});
