/** What an account, a narrow token and a stranger's mail program try on a mailbox, and must not get. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { newId } from "../../src/platform/ids.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { activeAgent, openMailbox, storeMessage } from "./correspondence.ts";
import { openRelay, type TestRelay } from "./relay.ts";

const MAILS_PER_DAY = 10;
const MIB = 1024 * 1024;
const TOKEN = {
  name: "test",
  limits: { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null },
  scopes: SCOPES,
  networks: NETWORK_NAMES,
  allowedHosts: [],
  allowedPayees: [],
  expiresAt: null,
};
let relay: TestRelay;
let stack: OwnStack;

beforeAll(async () => {
  relay = await openRelay();
  stack = await startStack({
    env: { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example", AGENT_MAILS_PER_DAY: String(MAILS_PER_DAY) },
  });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(() => {
  relay.taken.length = 0;
  relay.refuse(null);
});

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");
const send = ({ token }: TestAccount, body: object) => stack.rest(token, "POST", "/api/agent/email/send", body);
const letter = (text: string, more: object = {}) => ({ to: "jane@shop.example", subject: "s", body: text, ...more });
const prisma = () => stack.service.deps.db.prisma;

async function correspondent(): Promise<TestAccount & { mailbox: Mailbox }> {
  const account = await stack.account();
  return { ...account, mailbox: await openMailbox(stack, account) };
}

const OTHERS = ["email:read", "agent:read", "account:manage"];

describe("a token that may not, where scopes are enforced", () => {
  it("reads nothing of a mailbox, its rules, the agent, its disputes or webhooks by their global ids", async () => {
    const owner = await correspondent();
    await storeMessage(stack, owner.mailbox, { subject: "the secret subject" });
    const rule = await prisma().mailRule.create({
      data: { id: newId("mrl"), mailboxId: owner.mailbox.id, action: "block", pattern: "secret.example" },
    });
    const { id: agentId } = await activeAgent(stack, owner);
    const dispute = await prisma().agentDispute.create({
      data: { id: newId("dsp"), agentId, reason: "the secret reason", status: "open" },
    });
    const made = await stack.rest(owner.token, "POST", "/api/webhooks", { url: "https://hooks.example/secret" });
    await prisma().account.update({ where: { id: owner.accountId }, data: { strictScopes: true } });
    const scopes = SCOPES.filter((scope) => !OTHERS.includes(scope));
    const narrow = await storeApiToken(stack.service.deps.db, owner.accountId, { ...TOKEN, scopes });
    const wide = await storeApiToken(stack.service.deps.db, owner.accountId, TOKEN);
    const reads = [
      ["Mailbox", owner.mailbox.id, "messages { edges { node { subject } } } address"],
      ["MailRule", rule.id, "pattern"],
      ["Agent", agentId, "email walletAddress"],
      ["AgentDispute", dispute.id, "reason"],
      ["Webhook", made.json.id, "url"],
    ] as const;
    expect((await stack.rest(narrow.secret, "GET", "/api/webhooks")).status).toBe(403);
    expect((await stack.rest(wide.secret, "GET", "/api/webhooks")).json.webhooks).toHaveLength(1);
    for (const [type, id, fields] of reads) {
      const query = `query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`;
      const read = (token: string) => stack.graphql(token, query, { id: globalId(type, id) });
      expect((await read(wide.secret)).json.data?.node, type).toBeTruthy();
      const refused = await read(narrow.secret);
      expect(refused.json.data?.node ?? null, type).toBeNull();
      expect(refused.text).toContain("lacks the scope");
    }
  });
});

it("a letter that waits does not leave once its agent is revoked, nor when it is reinstated", async () => {
  const owner = await correspondent();
  relay.refuse(() => [451, "4.3.0 later"]);
  const waiting = await send(owner, letter("to be revoked"));
  expect(waiting.json).toMatchObject({ error: "mail_failed", queued: true });
  const revoked = await stack.graphql(owner.token, "mutation { revokeAgent(input: {}) { __typename } }");
  expect(revoked.json.data.revokeAgent.__typename).toBe("RevokeAgentSuccess");
  relay.refuse(null);
  const row = () => prisma().mailMessage.findUniqueOrThrow({ where: { id: waiting.json.id } });
  await expect.poll(async () => (await row()).status).not.toBe("queued");
  expect(await row()).toMatchObject({
    status: "failed",
    nextAttemptAt: null,
    failureReason: expect.stringMatching(/revoked/),
  });
  await stack.graphql(owner.token, "mutation { reinstateAgent { __typename } }");
  expect(relay.taken).toEqual([]);
});

describe("files that are copied", () => {
  const draft = ({ token }: TestAccount, attachmentIds: string[]) =>
    stack.graphql(
      token,
      `mutation ($ids: [ID!]) { createMailDraft(input: { subject: "s", attachmentIds: $ids }) {
        __typename ... on CreateMailDraftSuccess { draft { draftId attachments { attachmentId } } } ... on Error { message } } }`,
      { ids: attachmentIds },
    );
  const unsentBytes = async ({ accountId }: TestAccount) => {
    const { _sum } = await prisma().mailAttachment.aggregate({
      where: { accountId, messageId: null },
      _sum: { sizeBytes: true },
    });
    return _sum.sizeBytes ?? 0;
  };
  async function largeFile(owner: TestAccount): Promise<string> {
    const path = "/api/agent/email/attachments?filename=a.bin";
    const uploaded = await stack.rest(owner.token, "POST", path, "x", { "content-type": "application/octet-stream" });
    // As if it had been large: what counts is what its row says.
    await prisma().mailAttachment.update({ where: { id: uploaded.json.id }, data: { sizeBytes: 20 * MIB } });
    return uploaded.json.id;
  }

  it("into drafts, many at once, stay within what may be kept unsent", async () => {
    const owner = await correspondent();
    const file = await largeFile(owner);
    const first = await draft(owner, [file]);
    expect(first.json.data.createMailDraft.__typename).toBe("CreateMailDraftSuccess");
    const answers = await Promise.all(Array.from({ length: 15 }, () => draft(owner, [file])));
    const names = answers.map(({ json }) => json.data.createMailDraft.__typename);
    expect(names).toContain("CreateMailDraftSuccess");
    expect(names).toContain("InvalidRequestError");
    expect(await unsentBytes(owner)).toBeLessThanOrEqual(200 * MIB);
  });

  it("by changing one draft back and forth stay within it, too", async () => {
    const owner = await correspondent();
    const file = await largeFile(owner);
    await draft(owner, [file]);
    const { draftId } = (await draft(owner, [])).json.data.createMailDraft.draft;
    const change = (ids: string[]) =>
      stack.graphql(
        owner.token,
        `mutation ($draftId: ID!, $ids: [ID!]) { updateMailDraft(input: { draftId: $draftId, attachmentIds: $ids }) { __typename } }`,
        { draftId, ids },
      );
    for (let round = 0; round < 12; round++) {
      await change([file]);
      await change([]);
    }
    expect(await unsentBytes(owner)).toBeLessThanOrEqual(200 * MIB);
  });
});

describe("the day's letters", () => {
  it("are as many as allowed when all are asked for at once", async () => {
    const owner = await correspondent();
    const answers = await Promise.all(Array.from({ length: 40 }, (_each, at) => send(owner, letter(`letter ${at}`))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(MAILS_PER_DAY);
    expect(relay.taken.length).toBe(MAILS_PER_DAY);
  });

  it("are no more when the same one is asked for again and again", async () => {
    const owner = await correspondent();
    const work = async () => {
      for (let round = 0; round < 6; round++) await send(owner, letter("the same"));
    };
    await Promise.all(Array.from({ length: 9 }, work));
    expect(relay.taken.length).toBeLessThanOrEqual(MAILS_PER_DAY);
  });
});
