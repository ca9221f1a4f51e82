// @module-tag postgresql
/** Review of applications (spec section 3.2): the table of statuses, races, letters, and what revoking ends. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendReviewEmails } from "../../src/oauth/clients/notify.ts";
import { CLIENT_STATUSES, DECISIONS, TRANSITIONS } from "../../src/oauth/clients/status.ts";
import { openMailServer } from "../support/mail-server.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { openRoom, type Room, STEPS } from "./clients-fixture.ts";

const MANY = 50;
const REASON = "The address of the responsible party cannot be found.";

let stack: OwnStack;
let room: Room;
let administrator: TestAccount;
let owner: TestAccount;
let letters: Awaited<ReturnType<typeof openMailServer>>["arrived"];
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const mail = await openMailServer({ closeWith: (close) => closing.push(close) });
  letters = mail.arrived;
  stack = await startStack({
    env: {
      SMTP_URL: mail.url,
      // The first account of a stack.
      ADMIN_EMAILS: "person-1@example.test",
      DASHBOARD_URL: "https://satchel.example/dashboard",
    },
  });
  room = openRoom(stack);
  administrator = await stack.account();
});
afterAll(async () => {
  await stack.stop();
  for (const close of closing.reverse()) await close();
});

const prisma = () => stack.service.deps.db.prisma;

/** A new application, of a new owner. */
async function register(changes: object = {}) {
  owner = await stack.account();
  return await room.register(owner.token, changes);
}

/** An application that is brought to a status by moves of the table. */
async function clientIn(status: string, changes: object = {}) {
  const { client } = await register(changes);
  if (status === "approved" || status === "revoked") await room.review({ id: client.id, decision: "APPROVE" });
  if (status === "revoked") await room.review({ id: client.id, decision: "REVOKE", reason: REASON });
  if (status === "rejected") await room.review({ id: client.id, decision: "REJECT", reason: REASON });
  return await room.read(owner.token, client.id);
}

/** The letters about an application that reached `to`, once there are `count`. */
async function lettersTo(to: string, clientId: string, count: number) {
  const found = () =>
    letters.filter(({ mail, recipients }) => recipients.includes(to) && mail.text?.includes(clientId));
  await expect.poll(() => found().length).toBeGreaterThanOrEqual(count);
  return found().map(({ mail }) => mail);
}

// First, while the queue holds no other letters.
describe("letters", () => {
  it("say what was decided, to every contact and nobody else, without a secret", async () => {
    const { client, secret } = await register();
    await room.review({ id: client.id, decision: "REJECT", reason: REASON });
    await room.update(owner.token, { id: client.id, app: { appName: "Rock Pool" } });
    await room.review({ id: client.id, decision: "APPROVE", reason: "Welcome." });
    await room.update(owner.token, { id: client.id, oauth: { redirectUris: ["https://rock.example/cb"] } });
    await room.review({ id: client.id, decision: "REVOKE", reason: "It pays for itself." });
    for (const to of STEPS.app.contactEmails) {
      const mails = await lettersTo(to, client.clientId, 5);
      expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
        "Addresses of Rock Pool changed",
        "Rock Pool is approved",
        "Rock Pool is back in review",
        "Rock Pool is revoked",
        "Tide Pool is not approved",
      ]);
      const text = mails.map(({ text }) => text).join("\n");
      for (const part of [
        REASON,
        "Welcome.",
        "Added redirect address https://rock.example/cb",
        "It pays for itself.",
        "This is final.",
      ]) {
        expect(text).toContain(part);
      }
      expect(text).toContain(`https://satchel.example/dashboard/developer/${client.clientId}`);
      expect(text).not.toContain("satchel_");
      expect(text).not.toContain(secret);
    }
    expect(
      letters.filter(
        ({ mail, recipients }) => mail.text?.includes(client.clientId) && recipients.includes(STEPS.app.supportEmail),
      ),
    ).toEqual([]);
  });

  it("go to the support address while there are no contacts", async () => {
    const client = await clientIn("pending_approval", {
      app: { ...STEPS.app, contactEmails: [], supportEmail: "only@tide.example" },
    });
    await room.review({ id: client.id, decision: "APPROVE" });
    expect((await lettersTo("only@tide.example", client.clientId, 1)).map(({ subject }) => subject)).toEqual([
      "Tide Pool is approved",
    ]);
  });

  it("that a node left behind are sent by the next run, each once", async () => {
    const { deps } = stack.service;
    const client = await clientIn("approved", { app: { ...STEPS.app, contactEmails: ["late@tide.example"] } });
    // As after a crash between the decision and its letters.
    const [review] = await prisma().oAuthClientReview.findMany({
      where: { clientId: client.clientId, toStatus: "approved" },
    });
    const again = { ...review, id: `${review?.id}-again`, notifiedAt: null };
    await prisma().oAuthClientReview.create({ data: again as never });
    await Promise.all([sendReviewEmails(deps), sendReviewEmails(deps), sendReviewEmails(deps)]);
    expect(await prisma().oAuthClientReview.count({ where: { clientId: client.clientId, notifiedAt: null } })).toBe(0);
    // The queue is worked through in order: once a later letter is there, a second of these would be too.
    await room.review({ id: client.id, decision: "REVOKE", reason: REASON });
    await expect
      .poll(async () =>
        (await lettersTo("late@tide.example", client.clientId, 1)).map(({ subject }) => subject).toSorted(),
      )
      .toEqual(["Tide Pool is approved", "Tide Pool is approved", "Tide Pool is revoked"]);
  });
});

describe("the table of statuses", () => {
  const cases = CLIENT_STATUSES.flatMap((from) => DECISIONS.map((decision) => [from, decision] as const));

  it.each(cases)("%s, %s", async (from, decision) => {
    const client = await clientIn(from);
    const before = await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } });
    const answer = await room.review({ id: client.id, decision: decision.toUpperCase(), reason: REASON });
    const move = TRANSITIONS.find(
      ({ from: start, by }) => start === from && by !== "owner" && by.reviewer === decision,
    );
    const after = await room.read(owner.token, client.id);
    const count = await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } });
    if (move) {
      expect(answer.client).toEqual(after);
      expect(after).toMatchObject({ status: move.to.toUpperCase(), statusReason: REASON });
      expect(after.statusChangedAt > client.statusChangedAt).toBe(true);
      expect(after.reviews.at(-1)).toEqual({ fromStatus: from.toUpperCase(), toStatus: after.status, reason: REASON });
      expect(count).toBe(before + 1);
    } else {
      const to = { approve: "APPROVED", reject: "REJECTED", revoke: "REVOKED" }[decision];
      expect(answer).toMatchObject({
        __typename: "InvalidTransitionError",
        code: "invalid_transition",
        from: from.toUpperCase(),
        to,
      });
      expect(after).toEqual(client);
      expect(count).toBe(before);
    }
  });

  it.each(CLIENT_STATUSES)("%s, edited by its owner", async (from) => {
    const client = await clientIn(from);
    const answer = await room.update(owner.token, { id: client.id, app: { appName: "Rock Pool" } });
    const after = await room.read(owner.token, client.id);
    if (from === "revoked") {
      expect(answer).toMatchObject({ code: "forbidden" });
      expect(await room.rotate(owner.token, client.id)).toMatchObject({ code: "not_found" });
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

  it("a rejected application's switches are no submission; saving a step is, and the responsible party is free again", async () => {
    const client = await clientIn("rejected");
    expect((await room.update(owner.token, { id: client.id, strictScopes: true })).client.status).toBe("REJECTED");
    const responsible = { ...client.responsible, address: "1 Real Street" };
    const { client: again } = await room.update(owner.token, { id: client.id, responsible });
    expect(again).toMatchObject({ status: "PENDING_APPROVAL", responsible, strictScopes: true });
    const { client: approved } = await room.review({ id: client.id, decision: "APPROVE" });
    expect(approved).toMatchObject({ status: "APPROVED", statusReason: null });
    expect(approved.reviews.map(({ toStatus }: { toStatus: string }) => toStatus)).toEqual([
      "PENDING_APPROVAL",
      "REJECTED",
      "PENDING_APPROVAL",
      "APPROVED",
    ]);
  });

  it("rejecting and revoking need a reason, approving none", async () => {
    const pending = await clientIn("pending_approval");
    for (const reason of [undefined, null, "  ", "x".repeat(1_001)]) {
      const refused = await room.review({ id: pending.id, decision: "REJECT", reason });
      expect(refused).toMatchObject({ code: "invalid_request", field: "reason" });
    }
    await room.review({ id: pending.id, decision: "APPROVE" });
    expect(await room.review({ id: pending.id, decision: "REVOKE" })).toMatchObject({ field: "reason" });
    expect((await room.read(owner.token, pending.id)).status).toBe("APPROVED");
  });
});

describe("a reviewer", () => {
  it("is an administrator's session, and no token of theirs", async () => {
    const { accountId, token } = administrator;
    const client = await clientIn("pending_approval");
    const cookies = await room.browser(accountId);
    expect(await room.review({ id: client.id, decision: "APPROVE" }, token)).toMatchObject({ code: "forbidden" });
    const other = await room.browser(owner.accountId);
    expect(await room.review({ id: client.id, decision: "APPROVE" }, null, other)).toMatchObject({ code: "forbidden" });
    const answer = await room.review({ id: client.id, decision: "APPROVE" }, null, cookies);
    expect(answer.client.status).toBe("APPROVED");
    const rows = await prisma().oAuthClientReview.findMany({
      where: { clientId: client.clientId, toStatus: "approved" },
    });
    expect(rows.map(({ reviewerId }) => reviewerId)).toEqual([accountId]);
    // They see it, and do not edit it.
    const seen = await room.ask(null, "query ($id: ID!) { node(id: $id) { id } }", { id: client.id }, cookies);
    expect(seen.data.node).toEqual({ id: client.id });
    const edit = `mutation ($id: ID!) { updateOAuthClient(input: { id: $id, app: { appName: "x" } }) { ... on Error { code } } }`;
    expect((await room.ask(null, edit, { id: client.id }, cookies)).data.updateOAuthClient.code).toBe("not_found");
  });

  it("sees every account's applications, those that waited longest first, and not the service's own", async () => {
    const first = await clientIn("pending_approval");
    const second = await clientIn("pending_approval");
    const LIST = `query ($status: OAuthClientStatus, $after: String) { oauthClientsToReview(status: $status, first: 100, after: $after) {
      edges { node { clientId status } } pageInfo { hasNextPage } } }`;
    const list = async (variables: object) =>
      (await room.ask(ADMIN_TOKEN, LIST, variables)).data.oauthClientsToReview.edges.map(
        ({ node }: { node: { clientId: string } }) => node.clientId,
      );
    const waiting = await list({});
    expect(waiting.indexOf(first.clientId)).toBeGreaterThanOrEqual(0);
    expect(waiting.indexOf(second.clientId)).toBeGreaterThan(waiting.indexOf(first.clientId));
    await room.review({ id: first.id, decision: "APPROVE" });
    expect(await list({})).not.toContain(first.clientId);
    const approved = await list({ status: "APPROVED" });
    expect(approved).toContain(first.clientId);
    expect(approved).not.toContain("service_cli");
    const own = Buffer.from("OAuthClient:service_cli").toString("base64");
    expect(await room.read(ADMIN_TOKEN, own)).toBeNull();
    const revoke = await room.review({ id: own, decision: "REVOKE", reason: REASON });
    expect(revoke).toMatchObject({ code: "not_found" });
  });

  it("does not decide about what they did not see", async () => {
    const client = await clientIn("pending_approval");
    const { client: edited } = await room.update(owner.token, {
      id: client.id,
      oauth: { redirectUris: ["https://evil.example/"] },
    });
    const stale = await room.review({ id: client.id, decision: "APPROVE", ifUpdatedAt: client.updatedAt });
    expect(stale).toMatchObject({ __typename: "ClientChangedError", code: "client_changed" });
    const fresh = await room.review({ id: client.id, decision: "APPROVE", ifUpdatedAt: edited.updatedAt });
    expect(fresh.client.status).toBe("APPROVED");
  });

  it("is one of many who decide at once", async () => {
    const client = await clientIn("pending_approval");
    const decisions = Array.from({ length: MANY }, (_, index) =>
      index % 5 === 0 ? { decision: "REJECT", reason: REASON } : { decision: "APPROVE" },
    );
    const answers = await Promise.all(decisions.map((decision) => room.review({ id: client.id, ...decision })));
    expect(answers.filter((answer) => answer.client)).toHaveLength(1);
    expect(answers.filter((answer) => answer.code === "invalid_transition")).toHaveLength(MANY - 1);
    expect(await prisma().oAuthClientReview.count({ where: { clientId: client.clientId } })).toBe(2);
  });

  it("decides while the owner goes on editing, and nothing of either is lost", async () => {
    const client = await clientIn("rejected");
    const edits = Array.from({ length: 8 }, (_, index) =>
      room.update(owner.token, { id: client.id, app: { appName: `Pool ${index}` } }),
    );
    const all = await Promise.all([...edits, room.update(owner.token, { id: client.id, strictScopes: true })]);
    expect(all.every((answer) => answer.client)).toBe(true);
    const after = await room.read(owner.token, client.id);
    expect(after).toMatchObject({ status: "PENDING_APPROVAL", strictScopes: true });
    expect(after.reviews).toHaveLength(3);
  });
});

describe("revoking", () => {
  it("ends grants, budgets, tokens, codes and requests of the application, and of no other", async () => {
    const revoked = await clientIn("approved");
    const standing = await clientIn("approved");
    const person = await stack.account();
    const given = await Promise.all([revoked, standing].map(({ clientId }) => give(person.accountId, clientId)));
    await room.review({ id: revoked.id, decision: "REVOKE", reason: REASON });
    expect(await held(given[0] as string)).toEqual({
      grant: false,
      slot: null,
      budget: false,
      tokens: [false, false],
      codes: 0,
      requests: 0,
    });
    expect(await held(given[1] as string)).toMatchObject({
      grant: true,
      budget: true,
      tokens: [true, true],
      codes: 1,
      requests: 1,
    });
  });

  it("leaves nothing to those who consent at the same moment", async () => {
    const client = await clientIn("approved");
    const { clientId } = client;
    const DECIDE = `mutation ($input: DecideAuthorizationInput!) { decideAuthorization(input: $input) { __typename ... on Error { code } } }`;
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { accountId } = await stack.account();
        const requestId = `oar_${clientId}_${index}`;
        const [redirectUri = ""] = STEPS.oauth.redirectUris;
        const expiresAt = new Date(Date.now() + 600_000);
        const scopes = ["balance:read"];
        await prisma().oAuthRequest.create({
          data: { id: requestId, clientId, redirectUri, state: "s", scopes, expiresAt },
        });
        return { requestId, cookies: await room.browser(accountId) };
      }),
    );
    const decide = people.map(({ requestId, cookies }) =>
      room.ask(null, DECIDE, { input: { requestId, approve: true } }, cookies),
    );
    const [answers] = await Promise.all([
      Promise.all(decide),
      room.review({ id: client.id, decision: "REVOKE", reason: REASON }),
    ]);
    const kinds = new Set(answers.map(({ data }) => data.decideAuthorization.code ?? "decided"));
    expect(["decided", "not_found"]).toEqual(expect.arrayContaining([...kinds]));
    const standing = { clientId, OR: [{ revokedAt: null }, { slot: { not: null } }] };
    expect(await prisma().oAuthGrant.count({ where: standing })).toBe(0);
    const grants = await prisma().oAuthGrant.findMany({ where: { clientId } });
    const open = { id: { in: grants.map(({ id }) => id) }, closedAt: null };
    expect(await prisma().budget.count({ where: open })).toBe(0);
  });

  /** What an account allows an application, with all that hangs on it. */
  async function give(accountId: string, clientId: string): Promise<string> {
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

  async function held(grantId: string) {
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
