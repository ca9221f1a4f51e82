// @module-tag postgresql
/** Review of applications (spec section 3.2): transitions, races, emails and revocation. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendReviewEmails } from "../../src/oauth/clients/notify.ts";
import { CLIENT_STATUSES, DECISIONS, TRANSITIONS } from "../../src/oauth/clients/status.ts";
import { openMailServer } from "../support/mail-server.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type ClientsApi, createClientsApi, STEPS } from "./clients-fixture.ts";

const MANY = 50;
const REASON = "The address of the responsible party cannot be found.";

let stack: OwnStack;
let clients: ClientsApi;
let administrator: TestAccount;
let owner: TestAccount;
let receivedMail: Awaited<ReturnType<typeof openMailServer>>["received"];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const mail = await openMailServer({ closeWith: (close) => closing.push(close) });
  receivedMail = mail.received;
  stack = await startStack({
    env: {
      SMTP_URL: mail.url,
      // The first account of a stack.
      ADMIN_EMAILS: "person-1@example.test",
      DASHBOARD_URL: "https://satchel.example/dashboard",
    },
  });
  clients = createClientsApi(stack);
  administrator = await stack.account();
});
afterAll(async () => {
  await stack.stop();
  for (const close of closing.reverse()) await close();
});

const prisma = () => stack.service.deps.db.prisma;

/** Registers an application of a new owner. */
async function register(changes: object = {}) {
  owner = await stack.account();
  return await clients.register(owner.token, changes);
}

/** Creates an application and transitions it to a status. */
async function createClientWithStatus(status: string, changes: object = {}) {
  const { client } = await register(changes);
  if (status === "approved" || status === "revoked") await clients.review({ id: client.id, decision: "APPROVE" });
  if (status === "revoked") await clients.review({ id: client.id, decision: "REVOKE", reason: REASON });
  if (status === "rejected") await clients.review({ id: client.id, decision: "REJECT", reason: REASON });
  return await clients.read(owner.token, client.id);
}

/** Waits for `count` emails about an application to `to` and returns them. */
async function waitForEmails(to: string, clientId: string, count: number) {
  const found = () =>
    receivedMail.filter(({ mail, recipients }) => recipients.includes(to) && mail.text?.includes(clientId));
  await expect.poll(() => found().length).toBeGreaterThanOrEqual(count);
  return found().map(({ mail }) => mail);
}

// These tests run first, while the queue has no other emails.
describe("review emails", () => {
  it("state the decision, are sent only to the contacts, and contain no secret", async () => {
    const { client, secret } = await register();
    await clients.review({ id: client.id, decision: "REJECT", reason: REASON });
    await clients.update(owner.token, { id: client.id, app: { appName: "Rock Pool" } });
    await clients.review({ id: client.id, decision: "APPROVE", reason: "Welcome." });
    await clients.update(owner.token, {
      id: client.id,
      deviceGrant: true,
      oauth: { redirectUris: ["https://rock.example/cb"] },
    });
    await clients.review({ id: client.id, decision: "REVOKE", reason: "It pays for itself." });
    for (const to of STEPS.app.contactEmails) {
      const mails = await waitForEmails(to, client.clientId, 5);
      expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
        "OAuth configuration of Rock Pool changed",
        "Rock Pool is approved",
        "Rock Pool is back in review",
        "Rock Pool is revoked",
        "Tide Pool is not approved",
      ]);
      const text = mails.map(({ text }) => text).join("\n");
      for (const part of [
        REASON,
        "Welcome.",
        "Added redirect URI https://rock.example/cb",
        "Allowed devices without a browser",
        "It pays for itself.",
        "A revocation is final.",
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toContain(`https://satchel.example/dashboard/developer/${client.clientId}`);
      expect(text).not.toContain("satchel_");
      expect(text).not.toContain(secret);
    }
    expect(
      receivedMail.filter(
        ({ mail, recipients }) => mail.text?.includes(client.clientId) && recipients.includes(STEPS.app.supportEmail),
      ),
    ).toEqual([]);
  });

  it("are sent to the support address if there are no contacts", async () => {
    const client = await createClientWithStatus("pending_approval", {
      app: { ...STEPS.app, contactEmails: [], supportEmail: "only@tide.example" },
    });
    await clients.review({ id: client.id, decision: "APPROVE" });
    expect((await waitForEmails("only@tide.example", client.clientId, 1)).map(({ subject }) => subject)).toEqual([
      "Tide Pool is approved",
    ]);
  });

  it("that were not queued before a crash are sent once by the next run", async () => {
    const { deps } = stack.service;
    const client = await createClientWithStatus("approved", {
      app: { ...STEPS.app, contactEmails: ["late@tide.example"] },
    });
    // The state after a crash between the decision and its emails.
    const [review] = await prisma().oAuthClientReview.findMany({
      where: { clientId: client.clientId, toStatus: "approved" },
    });
    const again = { ...review, id: `${review?.id}-again`, notifiedAt: null };
    await prisma().oAuthClientReview.create({ data: again as never });
    await Promise.all([sendReviewEmails(deps), sendReviewEmails(deps), sendReviewEmails(deps)]);
    expect(await prisma().oAuthClientReview.count({ where: { clientId: client.clientId, notifiedAt: null } })).toBe(0);
    // The queue is processed in order, so a duplicate would arrive before this later email.
    await clients.review({ id: client.id, decision: "REVOKE", reason: REASON });
    await expect
      .poll(async () =>
        (await waitForEmails("late@tide.example", client.clientId, 1)).map(({ subject }) => subject).toSorted(),
      )
      .toEqual(["Tide Pool is approved", "Tide Pool is approved", "Tide Pool is revoked"]);
  });
});

describe("transitions", () => {
  const cases = CLIENT_STATUSES.flatMap((from) => DECISIONS.map((decision) => [from, decision] as const));

  it.each(cases)("in status %s handle the decision %s", async (from, decision) => {
    const client = await createClientWithStatus(from);
    const before = await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } });
    const result = await clients.review({ id: client.id, decision: decision.toUpperCase(), reason: REASON });
    const transition = TRANSITIONS.find(
      ({ from: start, by }) => start === from && typeof by === "object" && by.reviewer === decision,
    );
    const after = await clients.read(owner.token, client.id);
    const count = await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } });
    if (transition) {
      expect(result.client).toEqual(after);
      expect(after).toMatchObject({ status: transition.to.toUpperCase(), statusReason: REASON });
      expect(after.statusChangedAt > client.statusChangedAt).toBe(true);
      expect(after.reviews.at(-1)).toEqual({ fromStatus: from.toUpperCase(), toStatus: after.status, reason: REASON });
      expect(count).toBe(before + 1);
    } else {
      const to = { approve: "APPROVED", reject: "REJECTED", revoke: "REVOKED" }[decision];
      expect(result).toMatchObject({
        __typename: "InvalidTransitionError",
        code: "INVALID_TRANSITION",
        from: from.toUpperCase(),
        to,
      });
      expect(after).toEqual(client);
      expect(count).toBe(before);
    }
  });

  it.each(CLIENT_STATUSES)("in status %s handle an update by the owner", async (from) => {
    const client = await createClientWithStatus(from);
    const result = await clients.update(owner.token, { id: client.id, app: { appName: "Rock Pool" } });
    const after = await clients.read(owner.token, client.id);
    if (from === "revoked") {
      expect(result).toMatchObject({ code: "FORBIDDEN" });
      expect(await clients.rotate(owner.token, client.id)).toMatchObject({ code: "NOT_FOUND" });
      expect(after).toEqual(client);
      return;
    }
    expect(after.app.appName).toBe("Rock Pool");
    const isSubmitted = TRANSITIONS.some(({ from: start, by }) => start === from && by === "owner");
    expect(isSubmitted).toBe(from === "rejected");
    expect(after.status).toBe(isSubmitted ? "PENDING_APPROVAL" : client.status);
    expect(after.statusReason).toBe(isSubmitted ? null : client.statusReason);
    expect(after.reviews.length).toBe(client.reviews.length + (isSubmitted ? 1 : 0));
  });

  it("resubmit a rejected application when a step is saved, but not when a setting is changed", async () => {
    const client = await createClientWithStatus("rejected");
    expect((await clients.update(owner.token, { id: client.id, strictScopes: false })).client.status).toBe("REJECTED");
    const responsible = { ...client.responsible, address: "1 Real Street" };
    const { client: again } = await clients.update(owner.token, { id: client.id, responsible });
    expect(again).toMatchObject({ status: "PENDING_APPROVAL", responsible, strictScopes: false });
    const { client: approved } = await clients.review({ id: client.id, decision: "APPROVE" });
    expect(approved).toMatchObject({ status: "APPROVED", statusReason: null });
    expect(approved.reviews.map(({ toStatus }: { toStatus: string }) => toStatus)).toEqual([
      "PENDING_APPROVAL",
      "REJECTED",
      "PENDING_APPROVAL",
      "APPROVED",
    ]);
  });

  it("require a reason to reject or revoke, but not to approve", async () => {
    const pending = await createClientWithStatus("pending_approval");
    for (const reason of [undefined, null, "  ", "x".repeat(1_001)]) {
      const rejected = await clients.review({ id: pending.id, decision: "REJECT", reason });
      expect(rejected).toMatchObject({ code: "INVALID_REQUEST", field: "reason" });
    }
    await clients.review({ id: pending.id, decision: "APPROVE" });
    expect(await clients.review({ id: pending.id, decision: "REVOKE" })).toMatchObject({ field: "reason" });
    expect((await clients.read(owner.token, pending.id)).status).toBe("APPROVED");
  });
});

describe("a reviewer", () => {
  it("is an administrator's session, but not an administrator's token", async () => {
    const { accountId, token } = administrator;
    const client = await createClientWithStatus("pending_approval");
    const cookies = await clients.browser(accountId);
    expect(await clients.review({ id: client.id, decision: "APPROVE" }, token)).toMatchObject({ code: "FORBIDDEN" });
    const other = await clients.browser(owner.accountId);
    expect(await clients.review({ id: client.id, decision: "APPROVE" }, null, other)).toMatchObject({
      code: "FORBIDDEN",
    });
    const result = await clients.review({ id: client.id, decision: "APPROVE" }, null, cookies);
    expect(result.client.status).toBe("APPROVED");
    const rows = await prisma().oAuthClientReview.findMany({
      where: { clientId: client.clientId, toStatus: "approved" },
    });
    expect(rows.map(({ reviewerId }) => reviewerId)).toEqual([accountId]);
    // Reviewers can read an application but not update it.
    const seen = await clients.query(null, "query ($id: ID!) { node(id: $id) { id } }", { id: client.id }, cookies);
    expect(seen.data.node).toEqual({ id: client.id });
    const edit = `mutation ($id: ID!) { updateOAuthClient(input: { id: $id, app: { appName: "x" } }) { ... on Error { code } } }`;
    expect((await clients.query(null, edit, { id: client.id }, cookies)).data.updateOAuthClient.code).toBe("NOT_FOUND");
  });

  it("lists the applications of every account, longest waiting first, without the service's own", async () => {
    const first = await createClientWithStatus("pending_approval");
    const second = await createClientWithStatus("pending_approval");
    const LIST = `query ($statuses: [OAuthClientStatus!], $after: String) { oauthClientsToReview(filter: { statuses: $statuses }, first: 100, after: $after) {
      edges { node { clientId status } } pageInfo { hasNextPage } } }`;
    const list = async (variables: object) =>
      (await clients.query(ADMIN_TOKEN, LIST, variables)).data.oauthClientsToReview.edges.map(
        ({ node }: { node: { clientId: string } }) => node.clientId,
      );
    const pending = await list({});
    expect(pending.indexOf(first.clientId)).toBeGreaterThanOrEqual(0);
    expect(pending.indexOf(second.clientId)).toBeGreaterThan(pending.indexOf(first.clientId));
    await clients.review({ id: first.id, decision: "APPROVE" });
    expect(await list({})).not.toContain(first.clientId);
    const approved = await list({ statuses: ["APPROVED"] });
    expect(approved).toContain(first.clientId);
    expect(approved).not.toContain("service_cli");
    const own = Buffer.from("OAuthClient:service_cli").toString("base64");
    expect(await clients.read(ADMIN_TOKEN, own)).toBeNull();
    const revoke = await clients.review({ id: own, decision: "REVOKE", reason: REASON });
    expect(revoke).toMatchObject({ code: "NOT_FOUND" });
  });

  it("cannot decide about a changed application with ifUpdatedAt", async () => {
    const client = await createClientWithStatus("pending_approval");
    const { client: edited } = await clients.update(owner.token, {
      id: client.id,
      oauth: { redirectUris: ["https://evil.example/"] },
    });
    const stale = await clients.review({ id: client.id, decision: "APPROVE", ifUpdatedAt: client.updatedAt });
    expect(stale).toMatchObject({ __typename: "ClientChangedError", code: "CLIENT_CHANGED" });
    const fresh = await clients.review({ id: client.id, decision: "APPROVE", ifUpdatedAt: edited.updatedAt });
    expect(fresh.client.status).toBe("APPROVED");
  });

  it("succeeds once under concurrent decisions", async () => {
    const client = await createClientWithStatus("pending_approval");
    const decisions = Array.from({ length: MANY }, (_, index) =>
      index % 5 === 0 ? { decision: "REJECT", reason: REASON } : { decision: "APPROVE" },
    );
    const results = await Promise.all(decisions.map((decision) => clients.review({ id: client.id, ...decision })));
    expect(results.filter((result) => result.client)).toHaveLength(1);
    expect(results.filter((result) => result.code === "INVALID_TRANSITION")).toHaveLength(MANY - 1);
    expect(await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } })).toBe(2);
  });

  it("and owner lose no change under concurrent updates", async () => {
    const client = await createClientWithStatus("rejected");
    const edits = Array.from({ length: 8 }, (_, index) =>
      clients.update(owner.token, { id: client.id, app: { appName: `Pool ${index}` } }),
    );
    const all = await Promise.all([...edits, clients.update(owner.token, { id: client.id, strictScopes: false })]);
    expect(all.every((result) => result.client)).toBe(true);
    const after = await clients.read(owner.token, client.id);
    expect(after).toMatchObject({ status: "PENDING_APPROVAL", strictScopes: false });
    expect(after.reviews).toHaveLength(3);
  });
});

describe("revocation", () => {
  it("revokes grants, budgets, tokens, codes and requests of only this application", async () => {
    const revoked = await createClientWithStatus("approved");
    const other = await createClientWithStatus("approved");
    const user = await stack.account();
    const grantIds = await Promise.all([revoked, other].map(({ clientId }) => createGrant(user.accountId, clientId)));
    await clients.review({ id: revoked.id, decision: "REVOKE", reason: REASON });
    expect(await readAccess(grantIds[0] as string)).toEqual({
      grant: false,
      slot: null,
      budget: false,
      tokens: [false, false],
      codes: 0,
      requests: 0,
    });
    expect(await readAccess(grantIds[1] as string)).toMatchObject({
      grant: true,
      budget: true,
      tokens: [true, true],
      codes: 1,
      requests: 1,
    });
  });

  it("leaves no active grant under concurrent consents", async () => {
    const client = await createClientWithStatus("approved");
    const { clientId } = client;
    const DECIDE = `mutation ($input: DecideAuthorizationInput!) { decideAuthorization(input: $input) { __typename ... on Error { code } } }`;
    const users = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { accountId } = await stack.account();
        const requestId = `oar_${clientId}_${index}`;
        const [redirectUri = ""] = STEPS.oauth.redirectUris;
        const expiresAt = new Date(Date.now() + 600_000);
        const scopes = ["balance:read"];
        await prisma().oAuthRequest.create({
          data: { id: requestId, clientId, redirectUri, state: "s", scopes, expiresAt },
        });
        return { requestId, cookies: await clients.browser(accountId) };
      }),
    );
    const decide = users.map(({ requestId, cookies }) =>
      clients.query(null, DECIDE, { input: { requestId, approve: true } }, cookies),
    );
    const [results] = await Promise.all([
      Promise.all(decide),
      clients.review({ id: client.id, decision: "REVOKE", reason: REASON }),
    ]);
    const kinds = new Set(results.map(({ data }) => data.decideAuthorization.code ?? "decided"));
    expect(["decided", "NOT_FOUND"]).toEqual(expect.arrayContaining([...kinds]));
    const active = { clientId, OR: [{ revokedAt: null }, { slot: { not: null } }] };
    expect(await prisma().oAuthGrant.count({ where: active })).toBe(0);
    const grants = await prisma().oAuthGrant.findMany({ where: { clientId } });
    const open = { id: { in: grants.map(({ id }) => id) }, closedAt: null };
    expect(await prisma().budget.count({ where: open })).toBe(0);
  });

  /** Creates a grant of an account to an application, with budget, tokens, code and request. */
  async function createGrant(accountId: string, clientId: string): Promise<string> {
    const grantId = `grt_${clientId}`;
    const expiresAt = new Date(Date.now() + 600_000);
    const hash = (text: string) => new Uint8Array(Buffer.from(`${text} ${clientId}`));
    const common = { grantId, clientId, familyId: clientId, expiresAt };
    await prisma().oAuthGrant.create({ data: { id: grantId, accountId, clientId, slot: `${accountId}:${clientId}` } });
    await prisma().budget.create({ data: { id: grantId, accountId, day: new Date(), month: new Date() } });
    await prisma().oAuthToken.createMany({
      data: ["access", "refresh"].map((kind) => ({
        ...common,
        id: `${kind}_${clientId}`,
        kind,
        tokenHash: hash(kind),
      })),
    });
    await prisma().oAuthCode.create({
      data: { ...common, codeHash: hash("code"), redirectUri: "https://tide.example/callback" },
    });
    await prisma().oAuthRequest.create({
      data: { id: `oar_${clientId}`, clientId, redirectUri: "x", state: "s", expiresAt },
    });
    return grantId;
  }

  async function readAccess(grantId: string) {
    const { clientId, ...grant } = await prisma().oAuthGrant.findUniqueOrThrow({ where: { id: grantId } });
    const budget = await prisma().budget.findUniqueOrThrow({ where: { id: grantId } });
    const tokens = await prisma().oAuthToken.findMany({ where: { grantId } });
    return {
      grant: grant.revokedAt === null,
      slot: grant.slot,
      budget: budget.closedAt === null,
      tokens: tokens.map(({ revokedAt }) => revokedAt === null),
      codes: await prisma().oAuthCode.count({ where: { grantId } }),
      requests: await prisma().oAuthRequest.count({ where: { clientId } }),
    };
  }
});
