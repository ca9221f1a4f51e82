/** Abuse of a mailbox by tokens without scopes, revoked agents, attachment copies and concurrent sending. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { newId } from "../../src/platform/ids.ts";
import { NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { activateAgent, createMailbox, storeMessage } from "./fixtures.ts";
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
  relay.accepted.length = 0;
  relay.refuse(null);
});

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");
const send = ({ token }: TestAccount, body: object) => stack.rest(token, "POST", "/api/agent/email/send", body);
const email = (body: string) => ({ to: "jane@merchant.example", subject: "s", body });
const prisma = () => stack.service.deps.db.prisma;

async function mailboxOwner(): Promise<TestAccount & { mailbox: Mailbox }> {
  const account = await stack.account();
  return { ...account, mailbox: await createMailbox(stack, account) };
}

const MISSING_SCOPES = ["email:read", "agent:read", "account:manage"];

describe("a token without the scope, with scopes enforced", () => {
  it("cannot read mailboxes, rules, agents, disputes or webhooks by global id", async () => {
    const owner = await mailboxOwner();
    await storeMessage(stack, owner.mailbox, { subject: "the secret subject" });
    const rule = await prisma().mailRule.create({
      data: { id: newId("mrl"), mailboxId: owner.mailbox.id, action: "block", pattern: "secret.example" },
    });
    const { id: agentId } = await activateAgent(stack, owner);
    const dispute = await prisma().agentDispute.create({
      data: { id: newId("dsp"), agentId, reason: "the secret reason", status: "open" },
    });
    const webhook = await stack.rest(owner.token, "POST", "/api/webhooks", { url: "https://hooks.example/secret" });
    await prisma().account.update({ where: { id: owner.accountId }, data: { strictScopes: true } });
    const scopes = SCOPES.filter((scope) => !MISSING_SCOPES.includes(scope));
    const narrow = await storeApiToken(stack.service.deps.db, owner.accountId, { ...TOKEN, scopes });
    const wide = await storeApiToken(stack.service.deps.db, owner.accountId, TOKEN);
    const reads = [
      ["Mailbox", owner.mailbox.id, "messages { edges { node { subject } } } address"],
      ["MailRule", rule.id, "pattern"],
      ["Agent", agentId, "email walletAddress"],
      ["AgentDispute", dispute.id, "reason"],
      ["Webhook", webhook.json.id, "url"],
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

it("does not send a queued email after its agent is revoked, nor after it is reinstated", async () => {
  const owner = await mailboxOwner();
  relay.refuse(() => [451, "4.3.0 later"]);
  const queued = await send(owner, email("to be revoked"));
  expect(queued.json).toMatchObject({ error: "mail_failed", queued: true });
  const revoked = await stack.graphql(owner.token, "mutation { revokeAgent(input: {}) { __typename } }");
  expect(revoked.json.data.revokeAgent.__typename).toBe("RevokeAgentSuccess");
  relay.refuse(null);
  const row = () => prisma().mailMessage.findUniqueOrThrow({ where: { id: queued.json.id } });
  await expect.poll(async () => (await row()).status).not.toBe("queued");
  expect(await row()).toMatchObject({
    status: "failed",
    nextAttemptAt: null,
    failureReason: expect.stringMatching(/revoked/),
  });
  await stack.graphql(owner.token, "mutation { reinstateAgent { __typename } }");
  expect(relay.accepted).toEqual([]);
});

describe("copied attachments", () => {
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
    // Simulates a large file: the quota uses the size in the row.
    await prisma().mailAttachment.update({ where: { id: uploaded.json.id }, data: { sizeBytes: 20 * MIB } });
    return uploaded.json.id;
  }

  it("stay within the quota for unsent attachments when copied into drafts concurrently", async () => {
    const owner = await mailboxOwner();
    const file = await largeFile(owner);
    const first = await draft(owner, [file]);
    expect(first.json.data.createMailDraft.__typename).toBe("CreateMailDraftSuccess");
    const results = await Promise.all(Array.from({ length: 15 }, () => draft(owner, [file])));
    const names = results.map(({ json }) => json.data.createMailDraft.__typename);
    expect(names).toContain("CreateMailDraftSuccess");
    expect(names).toContain("InvalidRequestError");
    expect(await unsentBytes(owner)).toBeLessThanOrEqual(200 * MIB);
  });

  it("stay within the quota when one draft is updated repeatedly", async () => {
    const owner = await mailboxOwner();
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

describe("the daily limit", () => {
  it("is exact when many emails are sent concurrently", async () => {
    const owner = await mailboxOwner();
    const results = await Promise.all(Array.from({ length: 40 }, (_each, at) => send(owner, email(`email ${at}`))));
    const statuses = results.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(MAILS_PER_DAY);
    expect(relay.accepted.length).toBe(MAILS_PER_DAY);
  });

  it("is not exceeded when equal emails are sent repeatedly", async () => {
    const owner = await mailboxOwner();
    const work = async () => {
      for (let round = 0; round < 6; round++) await send(owner, email("the same"));
    };
    await Promise.all(Array.from({ length: 9 }, work));
    expect(relay.accepted.length).toBeLessThanOrEqual(MAILS_PER_DAY);
  });
});
