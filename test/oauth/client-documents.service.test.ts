/** Client ID metadata documents of the sandbox's applications, retrieved over TLS. */
import { randomUUID } from "node:crypto";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import { createClientDocuments } from "../../src/oauth/clients/client-documents.ts";
import {
  type Browser,
  createAuthorizePath,
  createChallengeParameters,
  createPkce,
  decideAuthorization,
  openSignedInBrowser,
  readRequestId,
} from "../support/oauth.ts";
import { ADMIN_TOKEN, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
let user: Browser;
let origin: string;
const insecure = { [oauth.allowInsecureRequests]: true };

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
  origin = stack.sandbox?.app.url ?? "";
});

/** Returns a client id that no test has used. */
const newClientId = (fault = "app") => `${origin}/apps/${fault}-${randomUUID()}.json`;
const authorize = (clientId: string, more: Record<string, string | null> = {}) =>
  user.navigate(
    createAuthorizePath(clientId, {
      redirect_uri: `${origin}/callback`,
      ...createChallengeParameters(createPkce()),
      ...more,
    }),
  );
const parametersOf = (response: Response) => new URL(response.headers.get("location") ?? "").searchParams;

async function countRetrievals(clientId: string): Promise<number> {
  // The sandbox's certificate is trusted by the service only, so the count is read over its egress.
  const url = `${origin}/retrievals?path=${new URL(clientId).pathname}`;
  const { egress } = stack.service.deps;
  const { body } = await egress.request({ url, method: "GET", headers: {}, timeoutMs: 5_000 });
  let text = "";
  for await (const chunk of body) text += chunk;
  return JSON.parse(text).count;
}

const READ = `query ($id: ID!) { authorizationRequest(id: $id) { needsConsent needsConfirmation isRestricted scopes { name }
  suggestedLimits { perTransactionLimitUsd dailyLimitUsd monthlyLimitUsd }
  client { clientId appName documentHost redirectHost isOwn isSelfRegistered } } }`;
const readRequest = async (response: Response) =>
  (await user.graphql(READ, { id: readRequestId(response) })).json.data.authorizationRequest;

it("issues tokens to a standard client, whose scopes are enforced", async () => {
  const clientId = newClientId();
  const issuer = new URL(stack.baseUrl);
  const discovered = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" });
  const server = await oauth.processDiscoveryResponse(issuer, discovered);
  expect(server["client_id_metadata_document_supported"]).toBe(true);
  const client: oauth.Client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const redirectUri = "http://127.0.0.1:50123/callback";
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = String(
    new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      state: "s",
      scope: "balance:read",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
  );
  const { continueUrl } = await decideAuthorization(
    user,
    readRequestId(await user.navigate(url.pathname + url.search)),
  );
  const redirect = new URL((await user.navigate(continueUrl)).headers.get("location") ?? "");
  const parameters = oauth.validateAuthResponse(server, client, redirect, "s");
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  expect(tokens.scope).toBe("balance:read");
  const read = (path: string) => stack.rest(tokens.access_token, "GET", path);
  expect((await read("/api/balance?network=base-sepolia")).status).toBe(200);
  expect((await read("/api/transactions")).status).toBe(403);

  const refresh = tokens.refresh_token ?? "";
  const refreshed = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refresh, insecure);
  expect((await oauth.processRefreshTokenResponse(server, client, refreshed)).scope).toBe("balance:read");

  // The grant covers the request, but no code is sent without an action.
  const again = { scope: "balance:read" };
  expect(parametersOf(await authorize(clientId, { ...again, prompt: "none" })).get("error")).toBe("consent_required");
  expect(await readRequest(await authorize(clientId, again))).toMatchObject({
    needsConsent: false,
    needsConfirmation: true,
  });
});

it("shows the hosts and restricts scopes and limits until a review", async () => {
  const clientId = newClientId();
  const scope = "payments:sign balance:read orders:write trade:execute cards:read email:send";
  const request = await readRequest(await authorize(clientId, { scope }));
  expect(request).toMatchObject({
    needsConsent: true,
    isRestricted: true,
    scopes: [{ name: "PAYMENTS_SIGN" }, { name: "BALANCE_READ" }],
    suggestedLimits: { perTransactionLimitUsd: "1.00", dailyLimitUsd: "5.00", monthlyLimitUsd: "20.00" },
    client: { clientId, documentHost: new URL(origin).host, redirectHost: new URL(origin).host, isOwn: false },
  });
  expect(request.client.isSelfRegistered).toBe(true);
  expect(parametersOf(await authorize(clientId, { scope: "orders:write" })).get("error")).toBe("invalid_scope");
  const scheme = { redirect_uri: "com.example.sandbox:/callback" };
  expect((await authorize(clientId, scheme)).status).toBe(400);

  const review = `mutation ($input: ReviewOAuthClientInput!) { reviewOAuthClient(input: $input) { __typename
    ... on ReviewOAuthClientSuccess { client { status registration } } ... on Error { message } } }`;
  const list = `{ oauthClientsToReview(first: 100, filter: { registrations: [DOCUMENT] }) { edges { node { id clientId } } } }`;
  const { edges } = (await stack.graphql(ADMIN_TOKEN, list)).json.data.oauthClientsToReview;
  const { id } = edges.find(({ node }: { node: { clientId: string } }) => node.clientId === clientId).node;
  const approved = await stack.graphql(ADMIN_TOKEN, review, { input: { id, decision: "APPROVE" } });
  expect(approved.json.data.reviewOAuthClient.client).toEqual({ status: "APPROVED", registration: "DOCUMENT" });
  const reviewed = await readRequest(await authorize(clientId, { scope }));
  expect(reviewed).toMatchObject({ isRestricted: false, needsConsent: true });
  expect(reviewed.scopes).toHaveLength(6);
  expect(readRequestId(await authorize(clientId, scheme))).toMatch(/^oar_/);
});

describe("the document", () => {
  it("is retrieved once for parallel first uses, and again only after its cache lifetime", async () => {
    const clientId = newClientId();
    const responses = await Promise.all(Array.from({ length: 20 }, () => authorize(clientId)));
    for (const response of responses) expect(readRequestId(response)).toMatch(/^oar_/);
    await authorize(clientId);
    expect(await countRetrievals(clientId)).toBe(1);
    const { prisma } = stack.service.deps.db;
    const { expiresAt } = await prisma.oAuthClientDocument.findUniqueOrThrow({ where: { url: clientId } });
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(590_000);
    await prisma.oAuthClientDocument.update({ where: { url: clientId }, data: { expiresAt: new Date(0) } });
    await authorize(clientId);
    expect(await countRetrievals(clientId)).toBe(2);
  });

  it("is retrieved once by several nodes, and by another one if that one ends meanwhile", async () => {
    const { db, egress, rateLimiter, logger } = stack.service.deps;
    const nodes = Array.from({ length: 4 }, () =>
      createClientDocuments({ db, egress, rateLimiter, logger, isEnabled: true }),
    );
    const url = new URL(newClientId());
    await Promise.all([...nodes, ...nodes].map((node) => node.refresh(url)));
    expect(await countRetrievals(url.href)).toBe(1);

    const orphaned = new URL(newClientId());
    const claim = { expiresAt: new Date(0), claimedUntil: new Date(Date.now() + 500) };
    await db.prisma.oAuthClientDocument.create({ data: { url: orphaned.href, ...claim } });
    await Promise.all(nodes.map((node) => node.refresh(orphaned)));
    expect(Date.now()).toBeGreaterThanOrEqual(claim.claimedUntil.getTime());
    expect(await countRetrievals(orphaned.href)).toBe(1);
    const stored = await db.prisma.oAuthClientDocument.findUniqueOrThrow({ where: { url: orphaned.href } });
    expect(stored.claimedUntil).toBeNull();
  });

  it.each([
    ["redirect", /redirects are not followed/],
    ["missing", /status 200/],
    ["text", /application\/json/],
    ["malformed", /not valid JSON/],
    ["long", /longer than 5120 bytes/],
    ["mismatch", /another client_id/],
    ["secret", /invalid token_endpoint_auth_method/],
    ["plain", /invalid redirect_uris/],
    ["slow", /not sent in time/],
  ])("is refused if it is of the kind %s; the error is cached", async (fault, problem) => {
    const clientId = newClientId(fault);
    const response = await authorize(clientId);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(problem);
    expect((await authorize(clientId)).status).toBe(400);
    expect(await countRetrievals(clientId)).toBe(1);
    expect(await stack.service.deps.db.prisma.oAuthClient.count({ where: { id: clientId } })).toBe(0);
  });

  it.each([
    ["a private address", "https://10.0.0.1/client.json"],
    ["an address of cloud metadata", "https://169.254.169.254/latest/client.json"],
    ["an address in another notation", "https://2130706433/client.json"],
    ["a user name", "https://user@app.example/client.json"],
    ["no path", "https://app.example/"],
    ["dot segments", "https://app.example/a/../client.json"],
    ["encoded dot segments", "https://app.example/%2e%2e/client.json"],
    ["a query", "https://app.example/client.json?x=1"],
    ["a fragment", "https://app.example/client.json#x"],
    ["http", "http://app.example/client.json"],
    ["a host in upper case", "https://APP.example/client.json"],
    ["a name that does not resolve", "https://app.invalid/client.json"],
  ])("is not retrieved from a URL with %s", async (_name, clientId) => {
    const response = await authorize(clientId);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/could not be retrieved|No application/);
  });
});

/** Stores a document's client without a retrieval, as if it was retrieved before. */
async function storeClient(id: string, expiresAt = new Date(Date.now() + 600_000)) {
  const { prisma } = stack.service.deps.db;
  const steps = { responsibleName: "", responsiblePhone: "", responsibleCountry: "", responsibleAddress: "" };
  const app = { appName: "App", supportEmail: "", contactEmails: [], javascriptOrigins: [] };
  const client = { status: "pending_approval", kind: "native", registration: "document", ...steps, ...app };
  const redirectUris = [`${origin}/callback`, "http://127.0.0.1/callback"];
  const data = { ...client, documentHost: new URL(id).hostname, redirectUris };
  await prisma.oAuthClient.create({ data: { id, ...data, termsAcceptedAt: new Date() } });
  await prisma.oAuthClientDocument.create({ data: { url: id, expiresAt } });
}

const newHost = () => `app-${randomUUID()}.invalid`;

it("refuses too many documents of a host without an effect on its known clients", async () => {
  const { rateLimiter, db } = stack.service.deps;
  const host = newHost();
  const known = `https://${host}/known.json`;
  await storeClient(known, new Date(0));
  for (let i = 0; i < 30; i++) await rateLimiter.consume("oauth_client_document", host, 30);
  const unknown = `https://${host}/unknown.json`;
  expect(await (await authorize(unknown)).text()).toContain("Too many documents");
  expect(await db.prisma.oAuthClientDocument.count({ where: { url: unknown } })).toBe(0);
  expect(await (await authorize(known)).text()).toContain("could not be retrieved");
});

it("sends no tokens to a redirect URI that the document no longer has", async () => {
  const clientId = `https://${newHost()}/client.json`;
  await storeClient(clientId);
  const pkce = createPkce();
  const redirectUri = "http://127.0.0.1:50123/callback";
  const begin = () => authorize(clientId, { redirect_uri: redirectUri, ...createChallengeParameters(pkce) });
  const { continueUrl } = await decideAuthorization(user, readRequestId(await begin()));
  const code = parametersOf(await user.navigate(continueUrl)).get("code") ?? "";
  const pending = readRequestId(await begin());
  const { prisma } = stack.service.deps.db;
  await prisma.oAuthClient.update({ where: { id: clientId }, data: { redirectUris: [`${origin}/callback`] } });
  expect((await decideAuthorization(user, pending)).__typename).toBe("NotFoundError");
  const exchange = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: clientId };
  const body = new URLSearchParams({ ...exchange, code_verifier: pkce.verifier });
  const response = await fetch(`${stack.baseUrl}/oauth/token`, { method: "POST", body });
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error: "invalid_grant" })]);

  const review = `mutation ($input: ReviewOAuthClientInput!) { reviewOAuthClient(input: $input) { __typename } }`;
  const input = { id: clientId, decision: "REJECT", reason: "Phishing" };
  const id = Buffer.from(`OAuthClient:${clientId}`).toString("base64");
  await stack.graphql(ADMIN_TOKEN, review, { input: { ...input, id } });
  expect(await prisma.oAuthGrant.findFirst({ where: { clientId } })).toMatchObject({ revokedAt: expect.any(Date) });
});

it("retrieves the document of a client that pushes its first request or runs on a device", async () => {
  const post = async (path: string, clientId: string, parameters: Record<string, string> = {}) => {
    const body = new URLSearchParams({ client_id: clientId, ...parameters });
    return (await fetch(`${stack.baseUrl}${path}`, { method: "POST", body })).status;
  };
  const request = { response_type: "code", state: "s", ...createChallengeParameters(createPkce()) };
  expect(await post("/oauth/par", newClientId(), { ...request, redirect_uri: `${origin}/callback` })).toBe(201);
  expect(await post("/oauth/device_authorization", newClientId())).toBe(200);
  expect(await post("/oauth/par", newClientId("missing"), request)).toBe(401);
});

async function obtainToken(clientId: string, more: Record<string, string> = {}): Promise<string> {
  const pkce = createPkce();
  const consent = await authorize(clientId, { ...createChallengeParameters(pkce), ...more });
  const { continueUrl } = await decideAuthorization(user, readRequestId(consent));
  const code = parametersOf(await user.navigate(continueUrl)).get("code") ?? "";
  const exchange = { grant_type: "authorization_code", code, redirect_uri: `${origin}/callback`, client_id: clientId };
  const body = new URLSearchParams({ ...exchange, code_verifier: pkce.verifier });
  const issued = await fetch(`${stack.baseUrl}/oauth/token`, { method: "POST", body });
  return ((await issued.json()) as { access_token: string }).access_token;
}

const REVIEW = `mutation ($input: ReviewOAuthClientInput!) { reviewOAuthClient(input: $input) { __typename } }`;
const approve = (clientId: string) =>
  stack.graphql(ADMIN_TOKEN, REVIEW, {
    input: { id: Buffer.from(`OAuthClient:${clientId}`).toString("base64"), decision: "APPROVE" },
  });

it.each([
  ["name", { appName: "Trusted Bank" }, /^The metadata document changed. Name: Trusted Bank, now /],
  [
    "redirect hosts",
    { redirectUris: ["https://former.example/cb"] },
    /Redirect hosts: former.example, now .*127\.0\.0\.1/,
  ],
  ["scopes", { declaredScopes: ["balance:read"] }, /Scopes: balance:read, now none/],
])(
  "loses the rights of its review when its document changes its %s, until the next review",
  async (_name, former, reason) => {
    const clientId = newClientId();
    await authorize(clientId);
    await approve(clientId);
    const token = await obtainToken(clientId, { scope: "balance:read cards:read" });
    const read = async () => [
      (await stack.rest(token, "GET", "/api/balance?network=base-sepolia")).status,
      (await stack.rest(token, "GET", "/api/autofill/cards")).status,
    ];
    expect(await read()).toEqual([200, 200]);
    const { prisma } = stack.service.deps.db;
    const refresh = async () => {
      await prisma.oAuthClientDocument.update({ where: { url: clientId }, data: { expiresAt: new Date(0) } });
      return await authorize(clientId, { scope: "balance:read cards:read" });
    };
    await refresh();
    // The document is unchanged.
    expect(await read()).toEqual([200, 200]);
    await prisma.oAuthClient.update({ where: { id: clientId }, data: former });
    const request = await readRequest(await refresh());
    expect(request).toMatchObject({ isRestricted: true, scopes: [{ name: "BALANCE_READ" }] });
    expect(await read()).toEqual([200, 403]);
    // The default, which omits others that registered themselves.
    const list = `{ oauthClientsToReview(last: 100) { edges { node { clientId statusReason } } } }`;
    const { edges } = (await stack.graphql(ADMIN_TOKEN, list)).json.data.oauthClientsToReview;
    const listed = edges.find(({ node }: { node: { clientId: string } }) => node.clientId === clientId);
    expect(listed.node.statusReason).toMatch(reason);
    await approve(clientId);
    expect(await read()).toEqual([200, 200]);
  },
);

it("may request only the scopes that its document declares", async () => {
  const clientId = newClientId();
  await authorize(clientId);
  const { prisma } = stack.service.deps.db;
  await prisma.oAuthClient.update({ where: { id: clientId }, data: { declaredScopes: ["balance:read"] } });
  const request = await readRequest(await authorize(clientId, { scope: "balance:read transactions:read" }));
  expect(request.scopes).toEqual([{ name: "BALANCE_READ" }]);
  const refused = parametersOf(await authorize(clientId, { scope: "transactions:read" }));
  expect(refused.get("error")).toBe("invalid_scope");
});

it("cannot send email before its review, although email:read covers that on the routes of the contract", async () => {
  const clientId = `https://${newHost()}/client.json`;
  await storeClient(clientId);
  const token = await obtainToken(clientId, { scope: "email:read email:send" });
  const send = () =>
    stack.rest(token, "POST", "/api/agent/email/send", { to: "ada@app.example", subject: "Hi", body: "Hi" });
  const refused = await send();
  expect(refused.status).toBe(403);
  expect(refused.headers.get("www-authenticate")).toContain('scope="email:read email:send"');
  expect((await stack.rest(token, "GET", "/api/agent/email")).status).toBe(200);
  const { prisma } = stack.service.deps.db;
  await prisma.oAuthClient.update({ where: { id: clientId }, data: { status: "approved" } });
  expect((await send()).status).toBe(404);
});

it("ends the access of a blocked domain until the block is lifted, also of documents that are stored meanwhile", async () => {
  const clientId = `https://app.blocked-${randomUUID()}.example/client.json`;
  const domain = new URL(clientId).hostname.slice("app.".length);
  await storeClient(clientId);
  const token = await obtainToken(clientId);
  const read = async () => (await stack.rest(token, "GET", "/api/balance?network=base-sepolia")).status;
  expect(await read()).toBe(200);
  const pending = readRequestId(await authorize(clientId));

  const BLOCK = `mutation ($input: SetOAuthDomainBlockInput!) { setOAuthDomainBlock(input: $input) { __typename
    ... on SetOAuthDomainBlockSuccess { block { domain reason } } ... on Error { message } } }`;
  const setBlock = async (caller: string, isBlocked: boolean) =>
    (await stack.graphql(caller, BLOCK, { input: { domain, isBlocked, reason: "Phishing" } })).json.data
      .setOAuthDomainBlock;
  expect((await setBlock(account.token, true)).__typename).toBe("ForbiddenError");
  expect(await setBlock(ADMIN_TOKEN, true)).toMatchObject({ block: { domain, reason: "Phishing" } });
  const { oauthBlockedDomains } = (await stack.graphql(ADMIN_TOKEN, "{ oauthBlockedDomains { domain } }")).json.data;
  expect(oauthBlockedDomains).toContainEqual({ domain });
  expect(await read()).toBe(401);
  expect((await decideAuthorization(user, pending)).__typename).toBe("NotFoundError");
  expect((await authorize(clientId)).status).toBe(400);
  const other = clientId.replace("client.json", "other.json");
  // The same host, which resolvers also accept with a dot at its end.
  const dotted = clientId.replace(".example/", ".example./");
  for (const id of [other, dotted]) {
    await storeClient(id);
    expect((await authorize(id)).status, id).toBe(400);
  }

  expect(await setBlock(ADMIN_TOKEN, false)).toMatchObject({ block: null });
  expect(await read()).toBe(401);
  expect(await readRequest(await authorize(clientId))).toMatchObject({ needsConsent: true });
});
