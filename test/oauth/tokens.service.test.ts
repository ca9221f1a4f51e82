// @module-tag postgresql
/** Exchange, refresh, revocation and introspection of tokens, also under concurrency. */
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken } from "../../src/accounts/secret-token.ts";
import type { ClientKind } from "../../src/oauth/clients/find-client.ts";
import {
  authorizeClient,
  type Browser,
  createAuthorizePath,
  createChallengeParameters,
  createClient,
  createPkce,
  exchangeCode,
  obtainTokens,
  openSignedInBrowser,
  type Pkce,
  postOAuth,
  refreshTokens,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack, type TestAccount, type TestResponse } from "../support/stack.ts";

const DAY = 86_400;

let stack: Stack;
let account: TestAccount;
let user: Browser;
let client: TestClient;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openSignedInBrowser(stack, account.accountId);
  client = await createClient(stack);
});

const db = () => stack.service.deps.db.prisma;
const requestCode = async (of = client, parameters: Record<string, string | null> = {}) =>
  (await authorizeClient(user, of, parameters)).get("code") ?? "";
const isAccepted = async (accessToken: string) =>
  (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${accessToken}` })).status ===
  200;

function expectError(response: TestResponse, error: string, status = error === "invalid_client" ? 401 : 400): void {
  expect(response.json).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/),
    message: response.json.error_description,
  });
  expect(response.status).toBe(status);
  expect(response.headers.get("cache-control")).toBe("no-store");
}

describe("an authorization code", () => {
  it.each<[ClientKind, number]>([
    ["confidential", 60],
    ["public", 30],
    ["automation", 365],
  ])("of a %s client is exchanged for an access token of %i days", async (kind, days) => {
    const registered = await createClient(stack, { kind });
    const pkce = createPkce();
    const code = await requestCode(registered, createChallengeParameters(pkce));
    const response = await exchangeCode(stack, registered, code, { code_verifier: pkce.verifier });
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.json).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: "Bearer",
      expires_in: days * DAY,
      scope: "payments:sign balance:read",
    });
    expect(isWellFormedToken(response.json.access_token, "satchel_at_")).toBe(true);
    expect(isWellFormedToken(response.json.refresh_token, "satchel_rt_")).toBe(true);
    const refreshRow = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(response.json.refresh_token) },
    });
    expect(Math.round((refreshRow.expiresAt.getTime() - Date.now()) / 1000 / DAY)).toBe(90);
  });

  it("is exchanged for access tokens of the lifetime that the client registered, also by refresh", async () => {
    const registered = await createClient(stack, { accessTokenSeconds: 300 });
    const tokens = await obtainTokens(stack, user, registered);
    expect(tokens.expires_in).toBe(300);
    await db().oAuthClient.update({ where: { id: registered.clientId }, data: { accessTokenSeconds: 120 } });
    const next = (await refreshTokens(stack, registered, tokens.refresh_token)).json;
    expect(next.expires_in).toBe(120);
    const { expiresAt } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(next.access_token) },
    });
    expect(Math.abs(expiresAt.getTime() - Date.now() - 120_000)).toBeLessThan(60_000);
    expect(await isAccepted(tokens.access_token)).toBe(true);
  });

  it("of the command line client requires the same port at the token endpoint", async () => {
    const cli = { clientId: "service_cli", secret: "" };
    const pkce = createPkce();
    const redirectUri = "http://127.0.0.1:51234/callback";
    const code = async () => await requestCode(cli, { redirect_uri: redirectUri, ...createChallengeParameters(pkce) });
    const exchangeWith = async (uri: string) =>
      exchangeCode(stack, cli, await code(), { redirect_uri: uri, code_verifier: pkce.verifier });
    expect((await exchangeWith(redirectUri)).json.expires_in).toBe(90 * DAY);
    expectError(await exchangeWith("http://127.0.0.1:51235/callback"), "invalid_grant");
    expectError(await exchangeWith("http://localhost:51234/callback"), "invalid_grant");
    expectError(await exchangeCode(stack, cli, await code(), { redirect_uri: redirectUri }), "invalid_grant");
  });

  it("expires after 60 seconds", async () => {
    const code = await requestCode();
    const row = await db().oAuthCode.findUniqueOrThrow({ where: { codeHash: hashToken(code) } });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(60_000);
    await db().oAuthCode.update({ where: { codeHash: row.codeHash }, data: { expiresAt: new Date(Date.now() - 1) } });
    expectError(await exchangeCode(stack, client, code), "invalid_grant");
  });

  it.each<[string, object, string, boolean]>([
    ["without redirect_uri", { redirect_uri: "" }, "invalid_request", true],
    ["with another redirect_uri", { redirect_uri: "https://app.example/callback/" }, "invalid_grant", false],
    ["with a wrong secret", { client_secret: "satchel_cs_wrong" }, "invalid_client", true],
    ["without the secret", { client_secret: "" }, "invalid_client", true],
    ["with a verifier without a challenge", { code_verifier: createPkce().verifier }, "invalid_grant", false],
    ["with an unknown grant type", { grant_type: "password" }, "unsupported_grant_type", true],
    ["without a grant type", { grant_type: "" }, "invalid_request", true],
    ["by an unknown client", { client_id: "cl_unknown" }, "invalid_client", true],
    ["without a client", { client_id: "" }, "invalid_client", true],
  ])("rejects an exchange %s", async (_case, parameters, error, isStillValid) => {
    const code = await requestCode();
    expectError(await exchangeCode(stack, client, code, { ...parameters }), error);
    expect((await exchangeCode(stack, client, code)).status).toBe(isStillValid ? 200 : 400);
  });

  it.each<[string, (pkce: Pkce) => string, string, boolean]>([
    ["no verifier", () => "", "invalid_grant", false],
    ["another verifier", () => createPkce().verifier, "invalid_grant", false],
    ["the challenge itself, as with the method plain", ({ challenge }) => challenge, "invalid_grant", false],
    ["a verifier that is too short", ({ verifier }) => verifier.slice(0, 42), "invalid_request", true],
    ["a verifier that is too long", ({ verifier }) => verifier.padEnd(129, "a"), "invalid_request", true],
    ["a verifier with an invalid character", ({ verifier }) => `${verifier.slice(1)}!`, "invalid_request", true],
  ])("with a challenge rejects %s, even with the client secret", async (_case, change, error, isStillValid) => {
    const pkce = createPkce();
    const code = await requestCode(client, createChallengeParameters(pkce));
    expectError(await exchangeCode(stack, client, code, { code_verifier: change(pkce) }), error);
    // A well-formed verifier that does not match invalidates the code.
    const again = await exchangeCode(stack, client, code, { code_verifier: pkce.verifier });
    expect(again.status).toBe(isStillValid ? 200 : 400);
  });

  it("is rejected for another client, whose attempt does not invalidate it", async () => {
    const thief = await createClient(stack);
    const code = await requestCode();
    expectError(await exchangeCode(stack, thief, code), "invalid_grant");
    expect((await exchangeCode(stack, client, code)).status).toBe(200);
  });

  it("revokes its tokens when it is exchanged again", async () => {
    const code = await requestCode();
    const first = await exchangeCode(stack, client, code);
    const next = await refreshTokens(stack, client, first.json.refresh_token);
    expect(await isAccepted(next.json.access_token)).toBe(true);
    expectError(await exchangeCode(stack, client, code), "invalid_grant");
    expect(await isAccepted(first.json.access_token)).toBe(false);
    expect(await isAccepted(next.json.access_token)).toBe(false);
    expectError(await refreshTokens(stack, client, next.json.refresh_token), "invalid_grant");
  });

  it("succeeds in one of 50 concurrent exchanges, and the others revoke its tokens", async () => {
    const code = await requestCode();
    const responses = await Promise.all(Array.from({ length: 50 }, () => exchangeCode(stack, client, code)));
    const [first, ...others] = responses.toSorted((a, b) => a.status - b.status);
    expect(first?.status).toBe(200);
    for (const response of others) expectError(response, "invalid_grant");
    expect(await isAccepted(first?.json.access_token)).toBe(false);
    const { familyId } = await db().oAuthCode.findUniqueOrThrow({ where: { codeHash: hashToken(code) } });
    expect(await db().oAuthToken.count({ where: { familyId } })).toBe(2);
    expect(await db().oAuthToken.count({ where: { familyId, revokedAt: null } })).toBe(0);
  });

  it("and its tokens are stored as hashes", async () => {
    const code = await requestCode();
    const { json } = await exchangeCode(stack, client, code);
    const secrets = [code, json.access_token, json.refresh_token];
    const rows = JSON.stringify([await db().oAuthCode.findMany(), await db().oAuthToken.findMany()], (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    for (const secret of secrets) expect(rows).not.toContain(secret);
  });
});

describe("a refresh token", () => {
  it("is replaced, and the old access token remains valid", async () => {
    const before = await obtainTokens(stack, user, client);
    const { status, json } = await refreshTokens(stack, client, before.refresh_token);
    expect(status).toBe(200);
    expect(json.refresh_token).not.toBe(before.refresh_token);
    expect(json.scope).toBe(before.scope);
    expect(await isAccepted(json.access_token)).toBe(true);
    expect(await isAccepted(before.access_token)).toBe(true);
  });

  it("returns one response to 50 concurrent refreshes", async () => {
    const before = await obtainTokens(stack, user, client);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => refreshTokens(stack, client, before.refresh_token)),
    );
    expect(new Set(responses.map(({ status, json }) => `${status} ${json.refresh_token}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
    const { familyId } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(before.refresh_token) },
    });
    const active = { familyId, kind: "refresh", consumedAt: null, revokedAt: null };
    expect(await db().oAuthToken.count({ where: active })).toBe(1);
    expect(await isAccepted(responses[0]?.json.access_token)).toBe(true);
  });

  it("leaves no active token when it is revoked during concurrent rotations", async () => {
    const before = await obtainTokens(stack, user, client);
    const { familyId } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(before.refresh_token) },
    });
    const chain = async () => {
      let token = before.refresh_token;
      for (let step = 0; step < 5; step++) {
        const { status, json } = await refreshTokens(stack, client, token);
        if (status !== 200) return;
        token = json.refresh_token;
      }
    };
    const revoke = postOAuth(stack, "/oauth/revoke", {
      token: before.refresh_token,
      client_id: client.clientId,
      client_secret: client.secret,
    });
    await Promise.all([chain(), chain(), revoke]);
    expect((await revoke).status).toBe(200);
    expect(await db().oAuthToken.count({ where: { familyId, revokedAt: null } })).toBe(0);
  });

  it("may request a subset of the granted scopes, without effect on later refreshes", async () => {
    const before = await obtainTokens(stack, user, client, { parameters: { scope: "balance:read email:read" } });
    expectError(
      await refreshTokens(stack, client, before.refresh_token, { scope: "balance:read agent:read" }),
      "invalid_scope",
    );
    expectError(await refreshTokens(stack, client, before.refresh_token, { scope: "nonsense" }), "invalid_scope");
    const narrowed = await refreshTokens(stack, client, before.refresh_token, { scope: "email:read" });
    expect(narrowed.json.scope).toBe("email:read");
    const next = await refreshTokens(stack, client, narrowed.json.refresh_token);
    expect(next.json.scope).toBe("balance:read email:read");
  });

  it("is rejected for another client", async () => {
    const thief = await createClient(stack);
    const before = await obtainTokens(stack, user, client);
    expectError(await refreshTokens(stack, thief, before.refresh_token), "invalid_grant");
    expect((await refreshTokens(stack, client, before.refresh_token)).status).toBe(200);
  });

  it("requires the secret only if the client enabled it, but verifies a given one", async () => {
    const strict = await createClient(stack, { requireSecretOnRefresh: true });
    const wrong = { client_secret: "satchel_cs_wrong" };
    const before = await obtainTokens(stack, user, client);
    expectError(await refreshTokens(stack, client, before.refresh_token, wrong), "invalid_client");
    expect((await refreshTokens(stack, client, before.refresh_token)).status).toBe(200);
    const own = await obtainTokens(stack, user, strict);
    expectError(await refreshTokens(stack, strict, own.refresh_token), "invalid_client");
    expect((await refreshTokens(stack, strict, own.refresh_token, { client_secret: strict.secret })).status).toBe(200);
  });

  it("is not accepted as an access token, nor an access token as a refresh token", async () => {
    const tokens = await obtainTokens(stack, user, client);
    expect(await isAccepted(tokens.refresh_token)).toBe(false);
    expectError(await refreshTokens(stack, client, tokens.access_token), "invalid_grant");
  });
});

describe("a client", () => {
  it.each(["pending_approval", "rejected", "revoked"])(
    "with the status %s gets no tokens, and its tokens are invalid",
    async (status) => {
      const own = await createClient(stack);
      const tokens = await obtainTokens(stack, user, own);
      const code = await requestCode(own);
      await db().oAuthClient.update({ where: { id: own.clientId }, data: { status } });
      expect(await isAccepted(tokens.access_token)).toBe(false);
      expectError(await exchangeCode(stack, own, code), "invalid_client");
      expectError(await refreshTokens(stack, own, tokens.refresh_token), "invalid_client");
    },
  );

  it("with a new secret cannot use the old one", async () => {
    const own = await createClient(stack);
    const code = await requestCode(own);
    await db().oAuthClient.update({
      where: { id: own.clientId },
      data: { secretHash: hashToken("satchel_cs_new") },
    });
    expectError(await exchangeCode(stack, own, code), "invalid_client");
    expect((await exchangeCode(stack, { ...own, secret: "satchel_cs_new" }, code)).status).toBe(200);
  });
});

describe("revocation and introspection", () => {
  const call = (path: string, token: string, of: TestClient = client) =>
    postOAuth(stack, path, { token, client_id: of.clientId, client_secret: of.secret });

  it("revoke an access token alone, a refresh token with its family, and accept an unknown one", async () => {
    const tokens = await obtainTokens(stack, user, client);
    expect((await call("/oauth/revoke", tokens.access_token)).status).toBe(200);
    expect(await isAccepted(tokens.access_token)).toBe(false);
    const next = await refreshTokens(stack, client, tokens.refresh_token);
    expect(next.status).toBe(200);
    expect((await call("/oauth/revoke", next.json.refresh_token)).status).toBe(200);
    expect(await isAccepted(next.json.access_token)).toBe(false);
    expect((await call("/oauth/revoke", "nothing")).status).toBe(200);
  });

  it("reject another client's token, unauthenticated clients and a missing token", async () => {
    const other = await createClient(stack);
    const tokens = await obtainTokens(stack, user, client);
    expectError(await call("/oauth/revoke", tokens.access_token, other), "invalid_grant");
    expect((await call("/oauth/introspect", tokens.access_token, other)).json).toEqual({ active: false });
    for (const path of ["/oauth/revoke", "/oauth/introspect"]) {
      expectError(await postOAuth(stack, path, { token: "x", client_id: client.clientId }), "invalid_client");
      expectError(await call(path, ""), "invalid_request");
    }
    expect(await isAccepted(tokens.access_token)).toBe(true);
  });

  it("return the metadata of a token while it is active", async () => {
    const tokens = await obtainTokens(stack, user, client);
    const nowSeconds = Date.now() / 1000;
    const { json } = await call("/oauth/introspect", tokens.access_token);
    expect(json).toMatchObject({
      active: true,
      client_id: client.clientId,
      token_type: "Bearer",
      scope: tokens.scope,
      sub: expect.stringMatching(/^did:web:.*:users:/),
    });
    expect(json.exp - json.iat).toBe(60 * DAY);
    expect(Math.abs(json.iat - nowSeconds)).toBeLessThan(60);
    await refreshTokens(stack, client, tokens.refresh_token);
    expect((await call("/oauth/introspect", tokens.refresh_token)).json).toEqual({ active: false });
    await call("/oauth/revoke", tokens.access_token);
    expect((await call("/oauth/introspect", tokens.access_token)).json).toEqual({ active: false });
  });
});

it("invalidates a code when its grant is disconnected", async () => {
  const own = await createClient(stack);
  const code = await requestCode(own);
  const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: own.clientId } });
  const id = Buffer.from(`OAuthGrant:${grant.id}`).toString("base64");
  const { json } = await user.graphql("mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename } }", {
    id,
  });
  expect(json.data.disconnectApp.__typename).toBe("DisconnectAppSuccess");
  expectError(await exchangeCode(stack, own, code), "invalid_grant");
  expect((await user.navigate(createAuthorizePath(own.clientId))).headers.get("location")).toContain("/consent?");
});
