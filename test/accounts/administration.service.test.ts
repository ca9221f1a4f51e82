// @module-tag postgresql
/** Acts of administrators on accounts: permission, record, two persons, recovery of a lost mailbox. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { completeDueRecoveries } from "../../src/accounts/administration/complete-recoveries.ts";
import { createClientsApi } from "../oauth/clients-fixture.ts";
import { type BrowserClient, createBrowserClient, signInByEmail } from "../support/browser-client.ts";
import { waitForEmail } from "../support/mail-server.ts";
import { type SignInStack, startSignInStack } from "../support/sign-in-stack.ts";
import { ADMIN_TOKEN, type OwnStack } from "../support/stack.ts";

const HOUR_MS = 3_600_000;
const REASON = "The owner reported a stolen device.";
const OPERATOR = { authorization: `Bearer ${ADMIN_TOKEN}` };

let stack: OwnStack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let first: BrowserClient;
let second: BrowserClient;
let firstId: string;
let count = 0;

beforeAll(async () => {
  ({ stack, mail, stop } = await startSignInStack({
    env: {
      ADMIN_EMAILS: "first@admins.example,second@admins.example",
      TWO_PERSON_ACTS: "accounts.revoke_credentials,accounts.unfreeze,service.unfreeze",
    },
  }));
  [first, second] = [createBrowserClient(stack.baseUrl), createBrowserClient(stack.baseUrl)];
  firstId = (await signInByEmail(first, mail, "first@admins.example")).viewer.account.accountId;
  await signInByEmail(second, mail, "second@admins.example");
});
afterAll(() => stop());

const prisma = () => stack.service.deps.db.prisma;

/** Signs in a new user. */
async function createUser() {
  const email = `owner${++count}@people.example`;
  const browser = createBrowserClient(stack.baseUrl);
  const { accountId } = (await signInByEmail(browser, mail, email)).viewer.account;
  return { browser, email, accountId: accountId as string };
}

const PROPOSED = "... on SecondAdministratorRequiredError { proposalId }";
type Send = (query: string, variables?: object) => Promise<unknown>;

/** Runs a mutation and returns its result. */
async function mutate(send: Send, name: string, input: object, fields = PROPOSED) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { __typename ${fields}
    ... on Error { code message } } }`;
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  return ((await send(query, { input })) as Record<string, any>)[name];
}
const asOperator: Send = async (query, variables) => (await stack.graphql(null, query, variables, OPERATOR)).json.data;
const endSessions = (send: Send, accountId: string, reason = REASON) =>
  mutate(send, "endAccountSessions", { accountId, reason }, "... on EndAccountSessionsSuccess { endedCount }");
const revoke = (send: Send, accountId: string) =>
  mutate(send, "revokeAccountCredentials", { accountId, kinds: ["API_TOKENS"], reason: REASON });
const confirm = (send: Send, proposalId: string) => mutate(send, "confirmAdministratorProposal", { proposalId });
const RECOVERY = "... on AccountRecoverySuccess { recovery { recoveryId newEmail effectiveAt outcome } }";
const startRecovery = (send: Send, accountId: string, email: string) =>
  mutate(send, "startAccountRecovery", { accountId, email, reason: REASON }, RECOVERY);

const isSignedIn = ({ graphql }: BrowserClient) =>
  graphql("{ viewer { sub } }").then(
    () => true,
    (error: Error) => !error.message.includes("unauthorized"),
  );
const ACCOUNTS = `query ($search: String) { accounts(search: $search) { totalCount { value } edges { node {
  accountId sub email passkeyCount evmAddress mailboxAddress creditUsd spending { day { settledUsd } }
  credentials { kind name } lastEvents { type } agent { status } pendingRecovery { newEmail } } } } }`;
const find = async (search: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  (await first.graphql(ACCOUNTS, { search })).accounts.edges.map(({ node }: any) => node);

it("finds an account by each of its identifiers, without secrets", async () => {
  const { email, accountId } = await createUser();
  const { evmAddress, solanaAddress } = await prisma().wallet.findUniqueOrThrow({ where: { accountId } });
  const [found] = await find(email.toUpperCase());
  expect(found).toMatchObject({ accountId, email, evmAddress, creditUsd: "5.00", credentials: [{ kind: "SESSION" }] });
  for (const search of [accountId, found.sub, evmAddress.toLowerCase(), solanaAddress, btoa(`Account:${accountId}`)]) {
    expect(await find(search), search).toMatchObject([{ accountId }]);
  }
  for (const search of ["nobody@people.example", "%", email.slice(0, 5), "7"]) {
    expect(await find(search), search).toEqual([]);
  }
});

it("reveals accounts, acts, proposals and the treasury to administrators only", async () => {
  const { browser } = await createUser();
  const { token } = await stack.account();
  const queries = [
    "{ accounts { edges { node { email } } } }",
    `{ administeredAccount(id: "${firstId}") { email } }`,
    "{ administratorActs { edges { node { action } } } }",
    "{ administratorProposals { edges { node { action } } } }",
    "{ agentDisputes { edges { node { reason } } } }",
    "{ treasury { evmAddress } }",
  ];
  // An API token of an administrator is not an administrator.
  const adminToken = await first.graphql(
    `mutation { createApiToken(input: { name: "cli", networks: ["base-sepolia"], scopes: [ACCOUNT_MANAGE] }) { ... on CreateApiTokenSuccess { secret } ... on Error { message } } }`,
  );
  const { secret } = adminToken.createApiToken;
  expect(secret).toBeTypeOf("string");
  for (const query of queries) {
    await expect(browser.graphql(query), query).rejects.toThrow("forbidden");
    for (const credential of [token, secret]) {
      const { json } = await stack.graphql(credential, query);
      expect(json.errors?.[0]?.extensions.code, query).toBe("forbidden");
    }
    expect((await stack.graphql(null, query)).json.errors[0].extensions.code).toBe("unauthorized");
    expect(Object.values((await asOperator(query)) as object)[0], query).not.toBeUndefined();
  }
  const { data } = (await stack.graphql(secret, "{ viewer { isAdministrator } }")).json;
  expect(data.viewer.isAdministrator).toBe(false);
  const asToken: Send = async (query, variables) => (await stack.graphql(secret, query, variables)).json.data;
  expect(await endSessions(asToken, firstId)).toMatchObject({ code: "FORBIDDEN" });
});

it("refuses the approval of an application of the administrator's own account", async () => {
  const clients = createClientsApi(stack);
  const { client } = await clients.register((await stack.account()).token);
  await prisma().oAuthClient.update({ where: { id: client.clientId }, data: { accountId: firstId } });
  const approve = (send: Send) =>
    mutate(
      send,
      "reviewOAuthClient",
      { id: client.id, decision: "APPROVE" },
      "... on ReviewOAuthClientSuccess { client { status } }",
    );
  expect(await approve(first.graphql)).toMatchObject({ code: "FORBIDDEN" });
  expect(await approve(second.graphql)).toMatchObject({ client: { status: "APPROVED" } });
  const where = { subjectAccountId: firstId, action: "oauth_clients.approve" };
  expect(await prisma().administratorAct.findMany({ where })).toMatchObject([
    { before: { status: "pending_approval" }, after: { status: "approved" }, subjectId: client.clientId },
  ]);
});

it("ends all sessions of an account and records actor, reason and change", async () => {
  const user = await createUser();
  expect(await endSessions(user.browser.graphql, firstId)).toMatchObject({ code: "FORBIDDEN" });
  expect(await endSessions(first.graphql, user.accountId, "  ")).toMatchObject({ code: "INVALID_REQUEST" });
  expect(await endSessions(first.graphql, user.accountId)).toMatchObject({ endedCount: 1 });
  expect(await isSignedIn(user.browser)).toBe(false);
  const { administratorActs } = await first.graphql(
    `query ($id: ID!) { administratorActs(filter: { subjectAccountId: $id }) { edges { node { action reason actorAccountId before after } } } }`,
    { id: user.accountId },
  );
  expect(administratorActs.edges).toEqual([
    {
      node: {
        ...{ action: "accounts.end_sessions", reason: REASON, actorAccountId: firstId },
        ...{ before: { activeSessions: 1 }, after: { activeSessions: 0 } },
      },
    },
  ]);
});

it("requires a proof of at most ten minutes", async () => {
  const user = await createUser();
  const provedAt = { where: { accountId: firstId }, data: { authenticatedAt: new Date(Date.now() - 11 * 60_000) } };
  const { accountId } = user;
  await prisma().session.updateMany(provedAt);
  try {
    expect(await endSessions(first.graphql, accountId)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await revoke(first.graphql, accountId)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await find(user.email), "reading").toHaveLength(1);
  } finally {
    await prisma().session.updateMany({ ...provedAt, data: { authenticatedAt: new Date() } });
  }
  expect(await isSignedIn(user.browser)).toBe(true);
  expect(await prisma().administratorAct.count({ where: { subjectAccountId: accountId } })).toBe(0);
});

it("performs a critical act only when another administrator confirms it, once", async () => {
  const { accountId, token } = await stack.account();
  const isValid = async () => (await stack.rest(token, "GET", "/api/transactions")).status === 200;
  const proposed = await revoke(first.graphql, accountId);
  expect(proposed).toMatchObject({ code: "SECOND_ADMINISTRATOR_REQUIRED" });
  const { proposalId } = proposed;
  expect(await confirm(first.graphql, proposalId), "the same person").toMatchObject({ code: "FORBIDDEN" });
  expect(await isValid()).toBe(true);
  // The second administrator and the operator confirm at the same time.
  const results = await Promise.all([confirm(second.graphql, proposalId), confirm(asOperator, proposalId)]);
  expect(results.map(({ code }) => code ?? "ok").sort()).toEqual(["PROPOSAL_NOT_PENDING", "ok"]);
  expect(await isValid()).toBe(false);
  const acts = { subjectAccountId: accountId, action: "accounts.revoke_credentials" };
  expect(await prisma().administratorAct.findMany({ where: acts })).toMatchObject([
    { proposalId, reason: REASON, before: { api_tokens: 1 }, after: { api_tokens: 0 } },
  ]);
  expect(await confirm(second.graphql, proposalId)).toMatchObject({ code: "PROPOSAL_NOT_PENDING" });
});

it("freezes at the act of one administrator, and ends a freeze only when another confirms", async () => {
  const { accountId, token } = await stack.account();
  const freeze = { accountId, reason: REASON };
  const isFrozen = async () =>
    (await prisma().account.findUniqueOrThrow({ where: { id: accountId } })).frozenAt !== null;
  expect(await mutate(first.graphql, "unfreezeAccount", freeze), "not frozen").not.toHaveProperty("code");
  expect(await mutate(first.graphql, "freezeAccount", freeze, "")).not.toHaveProperty("code");
  expect(await isFrozen()).toBe(true);
  const account = await mutate(first.graphql, "unfreezeAccount", freeze);
  expect(await mutate(first.graphql, "freezeService", { reason: REASON }, "")).not.toHaveProperty("code");
  const service = await mutate(first.graphql, "unfreezeService", { reason: REASON });
  for (const { code, proposalId } of [account, service]) {
    expect(code).toBe("SECOND_ADMINISTRATOR_REQUIRED");
    expect(await confirm(first.graphql, proposalId)).toMatchObject({ code: "FORBIDDEN" });
  }
  expect([await isFrozen(), await prisma().serviceFreeze.count()]).toEqual([true, 1]);
  expect(await confirm(second.graphql, service.proposalId)).not.toHaveProperty("code");
  expect(await confirm(second.graphql, account.proposalId)).not.toHaveProperty("code");
  expect([await isFrozen(), await prisma().serviceFreeze.count()]).toEqual([false, 0]);
  expect((await stack.rest(token, "GET", "/api/transactions")).status).toBe(200);
  const acts = await prisma().administratorAct.findMany({
    where: { proposalId: { in: [account.proposalId, service.proposalId] } },
    orderBy: { createdAt: "asc" },
  });
  expect(acts.map(({ action, before, after }) => [action, before, after])).toEqual([
    ["service.unfreeze", { isFrozen: true }, { isFrozen: false }],
    ["accounts.unfreeze", { frozenBy: "administrator" }, { frozenBy: null }],
  ]);
});

it("ends no freeze that started after its proposal", async () => {
  const { accountId } = await stack.account();
  const freeze = { accountId, reason: REASON };
  const propose = async () => {
    await mutate(first.graphql, "freezeAccount", freeze, "");
    await mutate(first.graphql, "freezeService", { reason: REASON }, "");
    const account = await mutate(first.graphql, "unfreezeAccount", freeze);
    const service = await mutate(first.graphql, "unfreezeService", { reason: REASON });
    return [service.proposalId, account.proposalId] as const;
  };
  const [earlier, later] = [await propose(), await propose()];
  for (const id of earlier) expect(await confirm(second.graphql, id)).not.toHaveProperty("code");
  const [service, account] = await propose();
  for (const id of later) expect(await confirm(second.graphql, id)).toMatchObject({ code: "PROPOSAL_NOT_PENDING" });
  expect(await prisma().account.findUnique({ where: { id: accountId } })).toMatchObject({ frozenBy: "administrator" });
  for (const id of [service, account]) expect(await confirm(second.graphql, id)).not.toHaveProperty("code");
});

it("does not perform a rejected or expired proposal", async () => {
  const { accountId, token } = await stack.account();
  const { proposalId: rejected } = await revoke(first.graphql, accountId);
  await mutate(second.graphql, "rejectAdministratorProposal", { proposalId: rejected, reason: "Not needed." });
  const { proposalId: expired } = await revoke(asOperator, accountId);
  expect(await confirm(asOperator, expired), "the operator is one person").toMatchObject({ code: "FORBIDDEN" });
  await prisma().administratorProposal.update({ where: { id: expired }, data: { expiresAt: new Date() } });
  for (const id of [rejected, expired]) {
    expect(await confirm(second.graphql, id)).toMatchObject({ code: "PROPOSAL_NOT_PENDING" });
  }
  expect((await stack.rest(token, "GET", "/api/transactions")).status).toBe(200);
});

/** Returns the token in the confirmation email to a new address. */
async function readRecoveryToken(email: string): Promise<string> {
  const { text = "" } = await waitForEmail(mail, email);
  return /\/recover#(\S+)/.exec(text)?.[1] ?? "";
}
const confirmAddress = async (token: string) =>
  mutate(createBrowserClient(stack.baseUrl).graphql, "confirmAccountRecovery", { token }, "");
const complete = async () => completeDueRecoveries(stack.service.deps, new Date(Date.now() + 73 * HOUR_MS));

it("moves an account to another address after the waiting period and the confirmation", async () => {
  const user = await createUser();
  const email = `new${++count}@people.example`;
  const started = await startRecovery(first.graphql, user.accountId, email.toUpperCase());
  expect(started.recovery).toMatchObject({ newEmail: email, outcome: null });
  expect((await waitForEmail(mail, user.email)).text).toContain("/dashboard/security");
  expect(await startRecovery(first.graphql, user.accountId, "other@people.example")).toMatchObject({
    code: "RECOVERY_PENDING",
  });
  await complete();
  expect((await find(user.accountId))[0], "unconfirmed").toMatchObject({ email: user.email });
  const replaced = await readRecoveryToken(email);
  await mutate(first.graphql, "resendAccountRecovery", { recoveryId: started.recovery.recoveryId, reason: REASON }, "");
  const token = await readRecoveryToken(email);
  expect(await confirmAddress(replaced)).toMatchObject({ code: "NOT_FOUND" });
  expect(await confirmAddress(token)).not.toHaveProperty("code");
  await completeDueRecoveries(stack.service.deps);
  expect((await find(user.accountId))[0], "waiting").toMatchObject({ email: user.email });
  await Promise.all([complete(), complete()]);
  expect((await find(user.accountId))[0]).toMatchObject({ email, pendingRecovery: null });
  expect(await isSignedIn(user.browser)).toBe(false);
  const signedIn = await signInByEmail(createBrowserClient(stack.baseUrl), mail, email);
  expect(signedIn.viewer.account.accountId).toBe(user.accountId);
  const where = { subjectAccountId: user.accountId, action: "accounts.complete_recovery" };
  expect(await prisma().administratorAct.findMany({ where })).toMatchObject([
    { actorAccountId: firstId, before: { email: user.email }, after: { email } },
  ]);
});

it("leaves the address if the owner cancels, and never changes the administrator's own", async () => {
  const [user, other] = [await createUser(), await createUser()];
  const email = `new${++count}@people.example`;
  const { recovery } = await startRecovery(first.graphql, user.accountId, email);
  await confirmAddress(await readRecoveryToken(email));
  const { viewer } = await user.browser.graphql("{ viewer { pendingRecovery { recoveryId newEmail reason } } }");
  expect(viewer.pendingRecovery).toEqual({ recoveryId: recovery.recoveryId, newEmail: email, reason: null });
  const cancel = (send: Send) => mutate(send, "cancelAccountRecovery", { recoveryId: recovery.recoveryId }, RECOVERY);
  expect(await cancel(other.browser.graphql)).toMatchObject({ code: "NOT_FOUND" });
  expect(await cancel(user.browser.graphql)).toMatchObject({ recovery: { outcome: "CANCELLED" } });
  expect(await cancel(user.browser.graphql)).toMatchObject({ code: "RECOVERY_ENDED" });
  await complete();
  expect((await find(user.accountId))[0]).toMatchObject({ email: user.email });
  expect(await startRecovery(first.graphql, firstId, "mine@people.example")).toMatchObject({ code: "FORBIDDEN" });
  expect(await startRecovery(first.graphql, user.accountId, other.email)).toMatchObject({ code: "INVALID_REQUEST" });
});

it("lets the owner of a stopped account cancel", async () => {
  const user = await createUser();
  const email = `new${++count}@people.example`;
  const { recovery } = await startRecovery(first.graphql, user.accountId, email);
  await mutate(user.browser.graphql, "stopEverything", {}, "");
  const { recoveryId } = recovery;
  expect(await mutate(user.browser.graphql, "cancelAccountRecovery", { recoveryId }, RECOVERY)).toMatchObject({
    recovery: { outcome: "CANCELLED" },
  });
});

it("recovers no account whose deletion has begun, because it would get an address again", async () => {
  const user = await createUser();
  expect(await startRecovery(first.graphql, user.accountId, "found@people.example")).toHaveProperty("recovery");
  const deletion = {
    id: `del_${user.accountId}`,
    accountId: user.accountId,
    status: "running",
    step: "erase",
    acknowledged: [],
  };
  await prisma().accountDeletion.create({ data: { ...deletion, dueAt: new Date(), startedAt: new Date() } });
  expect(await startRecovery(first.graphql, user.accountId, "again@people.example")).toMatchObject({
    code: "INVALID_REQUEST",
  });
  await prisma().accountRecovery.updateMany({
    where: { accountId: user.accountId },
    data: { confirmedAt: new Date() },
  });
  await complete();
  expect(await prisma().account.count({ where: { email: "found@people.example" } })).toBe(0);
});

it("completes no recovery while the owner cannot sign in to cancel, and waits the whole period afterwards", async () => {
  const user = await createUser();
  const email = `new${++count}@people.example`;
  await mutate(first.graphql, "freezeAccount", { accountId: user.accountId, reason: REASON }, "");
  await startRecovery(first.graphql, user.accountId, email);
  await confirmAddress(await readRecoveryToken(email));
  await complete();
  expect((await find(user.accountId))[0], "frozen").toMatchObject({ email: user.email });
  const { proposalId } = await mutate(first.graphql, "unfreezeAccount", { accountId: user.accountId, reason: REASON });
  await confirm(second.graphql, proposalId);
  await complete();
  expect((await find(user.accountId))[0], "waiting again").toMatchObject({ email: user.email });
  await completeDueRecoveries(stack.service.deps, new Date(Date.now() + 146 * HOUR_MS));
  expect((await find(user.accountId))[0]).toMatchObject({ email });
});

it("does not complete a recovery after the owner changed the address", async () => {
  const user = await createUser();
  const email = `new${++count}@people.example`;
  const { recovery } = await startRecovery(first.graphql, user.accountId, email);
  await confirmAddress(await readRecoveryToken(email));
  await prisma().account.update({ where: { id: user.accountId }, data: { email: `moved${count}@people.example` } });
  await complete();
  expect((await find(user.accountId))[0]).toMatchObject({ email: `moved${count}@people.example` });
  expect(await prisma().accountRecovery.findUnique({ where: { id: recovery.recoveryId } })).toMatchObject({
    outcome: "superseded",
  });
});
