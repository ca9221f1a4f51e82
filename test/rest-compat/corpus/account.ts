/** The balance, the agent, its credentials, webhooks and events. */
import { vi } from "vitest";
import { type AccountViewer, SCOPES } from "../../../src/accounts/viewer.ts";
import { refreshCredentials } from "../../../src/agents/credentials/refresh.ts";
import { ensureAgent } from "../../../src/agents/ensure-agent.ts";
import { EVENT_TYPES } from "../../../src/events/event-types.ts";
import { sendTestEvent } from "../../../src/events/replay.ts";
import { openSignedInBrowser } from "../../support/oauth.ts";
import { ADMIN_TOKEN } from "../../support/stack.ts";
import { createScopedAccount, exhaust, recordEvent, type Scenario } from "./scenario.ts";

const BALANCE = "GET /api/balance";
const IDENTITY = "GET /api/agent/identity";
const CREDENTIAL = "GET /api/agent/credential";
const EVENTS = "GET /api/events";
const EXPORT = "GET /account-exports/{id}";
const LIST = "GET /api/webhooks";
const CREATE = "POST /api/webhooks";
const DELETE = "DELETE /api/webhooks/{id}";

export async function recordAccount(scenario: Scenario): Promise<void> {
  await recordBalance(scenario);
  await recordAgent(scenario);
  await recordWebhooks(scenario);
  await recordEvents(scenario);
  await recordExports(scenario);
}

async function recordBalance({ stack, send, bare, sendToBare }: Scenario) {
  const account = await stack.account();
  await stack.fund(account, "2500000");
  const { token } = account;
  await send(BALANCE, "200", { token });
  await send(BALANCE, "200 as Bearer", { headers: { authorization: `Bearer ${token}` } });
  for (const network of ["base", "base-sepolia"]) {
    await send(BALANCE, `200 ${network}`, { token, query: { network }, volatile: ["valueUsd"] });
  }
  for (const network of ["solana", "solana-devnet", "avalanche"]) {
    await send(BALANCE, `400 ${network} is not configured`, { token, query: { network } });
  }
  await send(BALANCE, "400 network", { token, query: { network: "mars" } });
  const { token: offline } = await bare.account();
  await sendToBare(BALANCE, "500 the network does not respond", { token: offline, query: { network: "base" } });
}

async function recordAgent(scenario: Scenario) {
  const { stack, send } = scenario;
  const { prisma } = stack.service.deps.db;
  const account = await stack.account();
  const { token, accountId } = account;
  await send(IDENTITY, "200 no agent", { token });
  await send(CREDENTIAL, "200 no credentials", { token });
  await ensureAgent(stack.service.deps, accountId);
  const now = new Date();
  const { id } = await prisma.agent.update({
    where: { accountId },
    data: {
      ...{ status: "active", agentId: 0, isWalletLinked: true, registeredAt: now, nextCheckAt: null },
      ...{ credentialsDueAt: null, updatedAt: now },
    },
  });
  await send(IDENTITY, "200 before its credentials", { token });
  await refreshCredentials(stack.service.deps, id);
  await send(IDENTITY, "200", { token });
  await send(CREDENTIAL, "200", { token });
  await recordEvent(scenario, account, "agent.registered");
  const revokedAt = new Date();
  await prisma.agent.update({ where: { id }, data: { status: "revoked", revokedAt, updatedAt: revokedAt } });
  stack.service.deps.pubsub.publish(`agent:${accountId}`, id);
  await send(IDENTITY, "200 revoked", { token });
  await recordEvent(scenario, account, "agent.revoked");
  const scoped = await createScopedAccount(stack, []);
  for (const route of [IDENTITY, CREDENTIAL]) await send(route, "403 scope", { token: scoped.token });
}

async function recordWebhooks(scenario: Scenario) {
  const { stack, send } = scenario;
  const account = await stack.account();
  const { token, accountId } = account;
  await send(LIST, "200 none", { token });
  const body = { url: "https://app.example/webhooks", description: "Accounting", events: ["payment.settled"] };
  await send(CREATE, "200", { token, body });
  await send(CREATE, "200 each event type", { token, body: { ...body, events: Object.keys(EVENT_TYPES) } });
  const { json } = await send(CREATE, "200 all events", { token, body: { url: body.url } });
  await send(CREATE, "400 event type", { token, body: { ...body, events: ["payment.lost"] } });
  await send(CREATE, "400 no url", { token, body: {} });
  await send(CREATE, "400 url", { token, body: { url: "ftp://app.example" } });
  await send(CREATE, "400 url not allowed", { token, body: { url: "https://10.0.0.1/" } });
  await send(CREATE, "413 too large", { token, body: { url: "x".repeat(2 ** 20) } });
  const { webhookEndpoint } = stack.service.deps.db.prisma;
  const rows = await webhookEndpoint.findMany({ where: { accountId }, orderBy: { createdAt: "asc" } });
  for (const [at, disabledReason] of ["person", "failing", "gone"].entries()) {
    const disabledAt = new Date();
    const failingSince = disabledReason === "failing" ? disabledAt : null;
    await webhookEndpoint.update({
      where: { id: rows[at]?.id ?? "" },
      data: { disabledReason, disabledAt, failingSince },
    });
  }
  await send(LIST, "200 disabled for each reason", { token });
  await send(DELETE, "200", { token, path: { id: json.id } });
  await send(DELETE, "404", { token, path: { id: json.id } });
  const manager = await stack.account({ token: { scopes: ["payments:sign"] } });
  await send(LIST, "200 without account:manage", { token: manager.token });
  const scoped = await createScopedAccount(stack, ["payments:sign"]);
  await send(LIST, "403 scope", { token: scoped.token });
  await send(CREATE, "403 scope", { token: manager.token, body });
  await send(DELETE, "403 scope", { token: manager.token, path: { id: "whk_1_none" } });
  await exhaust(stack, "webhook", accountId, 20);
  await exhaust(stack, "webhook", accountId, 30).catch(() => {});
  await send(CREATE, "429", { token, body });
}

async function recordEvents(scenario: Scenario) {
  const { stack, send } = scenario;
  const account = await stack.account();
  const { token, accountId } = account;
  await send(EVENTS, "200 none", { token });
  const { json: webhook } = await stack.rest(token, "POST", "/api/webhooks", { url: `${stack.sandbox.shopUrl}/hook` });
  const viewer = {
    kind: "account",
    accountId,
    scopes: SCOPES,
    credentialKind: "api_token",
  } as unknown as AccountViewer;
  await sendTestEvent(stack.service.deps, viewer, webhook.id);
  await recordEvent(scenario, account, "webhook.test");
  const { json } = await send(EVENTS, "200 a page", { token, query: { limit: 1, since: "2026-01-01" } });
  await send(EVENTS, "200 after the last", { token, query: { after: json.nextCursor } });
  await send(EVENTS, "400 type", { token, query: { types: "payment.lost" } });
  await send(EVENTS, "400 cursor", { token, query: { after: "!!" } });
  const scoped = await createScopedAccount(stack, []);
  await send(EVENTS, "403 scope", { token: scoped.token, query: { types: "mail.received" } });
  for (const [mutation, type] of [
    ["freezeAccount", "account.frozen"],
    ["unfreezeAccount", "account.resumed"],
  ] as const) {
    const query = `mutation ($id: ID!) { ${mutation}(input: { accountId: $id, reason: "Card fraud" }) { __typename } }`;
    await stack.graphql(ADMIN_TOKEN, query, { id: accountId });
    await recordEvent(scenario, account, type);
  }
}

async function recordExports({ stack, send }: Scenario) {
  const { token, accountId } = await stack.account();
  const browser = await openSignedInBrowser(stack, accountId);
  const { json } = await browser.graphql(`mutation { requestAccountExport {
    ... on RequestAccountExportSuccess { accountExport { exportId } } } }`);
  const { exportId } = json.data.requestAccountExport.accountExport;
  const { accountExport, session } = stack.service.deps.db.prisma;
  await vi.waitFor(
    async () => {
      const { status } = await accountExport.findUniqueOrThrow({ where: { id: exportId } });
      if (status !== "completed") throw new Error(`The export is ${status}.`);
    },
    { timeout: 30_000, interval: 50 },
  );
  const origin = stack.service.deps.site.browserUrl();
  const headers = { cookie: browser.cookie ?? "", "sec-fetch-site": "same-origin" };
  const signedIn = { origin, headers, path: { id: exportId }, volatile: ["content-disposition"] };
  await send(EXPORT, "200", signedIn);
  await send(EXPORT, "404", { ...signedIn, path: { id: "exp_1_none" } });
  await send(EXPORT, "403 token", { token, path: { id: exportId } });
  await session.updateMany({ where: { accountId }, data: { authenticatedAt: new Date(0) } });
  await send(EXPORT, "403 sign-in too old", signedIn);
}
