// @module-tag postgresql
/** Codes and refresh tokens: each is used once, whatever happens at the same moment. */
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken, isWellFormedToken } from "../../src/accounts/secret-token.ts";
import type { ClientKind } from "../../src/oauth/clients/find-client.ts";
import {
  authorizeByHand,
  authorizePath,
  type Browser,
  challengeParameters,
  createClient,
  exchange,
  newPkce,
  type Pkce,
  postOAuth,
  refresh,
  signedIn,
  type TestClient,
  tokensOf,
} from "../support/oauth.ts";
import { type Answer, type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

const DAY = 86_400;

let stack: Stack;
let account: TestAccount;
let person: Browser;
let client: TestClient;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  person = await signedIn(stack, account.accountId);
  client = await createClient(stack);
});

const db = () => stack.service.deps.db.prisma;
const codeOf = async (of = client, parameters: Record<string, string | null> = {}) =>
  (await authorizeByHand(person, of, parameters)).get("code") ?? "";
const works = async (accessToken: string) =>
  (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${accessToken}` })).status ===
  200;

function expectRefused(answer: Answer, error: string, status = error === "invalid_client" ? 401 : 400): void {
  expect(answer.json).toEqual({
    error,
    error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/),
    message: answer.json.error_description,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("cache-control")).toBe("no-store");
}

describe("a code", () => {
  it.each<[ClientKind, number]>([
    ["confidential", 30],
    ["public", 60],
    ["automation", 365],
  ])("of a %s client gives tokens for %i days", async (kind, days) => {
    const registered = await createClient(stack, { kind });
    const pkce = newPkce();
    const code = await codeOf(registered, challengeParameters(pkce));
    const answer = await exchange(stack, registered, code, { code_verifier: pkce.verifier });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.json).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: "Bearer",
      expires_in: days * DAY,
      scope: "payments:sign balance:read",
    });
    expect(isWellFormedToken(answer.json.access_token, "satchel_at_")).toBe(true);
    expect(isWellFormedToken(answer.json.refresh_token, "satchel_rt_")).toBe(true);
    const refreshRow = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(answer.json.refresh_token) },
    });
    expect(Math.round((refreshRow.expiresAt.getTime() - Date.now()) / 1000 / DAY)).toBe(90);
  });

  it("of the command line client: any port at authorize, the very same at the token endpoint", async () => {
    const cli = { clientId: "service_cli", secret: "" };
    const pkce = newPkce();
    const redirectUri = "http://127.0.0.1:51234/callback";
    const code = async () => await codeOf(cli, { redirect_uri: redirectUri, ...challengeParameters(pkce) });
    const trade = async (uri: string) =>
      exchange(stack, cli, await code(), { redirect_uri: uri, code_verifier: pkce.verifier });
    expect((await trade(redirectUri)).json.expires_in).toBe(90 * DAY);
    expectRefused(await trade("http://127.0.0.1:51235/callback"), "invalid_grant");
    expectRefused(await trade("http://localhost:51234/callback"), "invalid_grant");
    expectRefused(await exchange(stack, cli, await code(), { redirect_uri: redirectUri }), "invalid_grant");
  });

  it("lives 60 seconds", async () => {
    const code = await codeOf();
    const row = await db().oAuthCode.findUniqueOrThrow({ where: { codeHash: hashToken(code) } });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(60_000);
    await db().oAuthCode.update({ where: { codeHash: row.codeHash }, data: { expiresAt: new Date(Date.now() - 1) } });
    expectRefused(await exchange(stack, client, code), "invalid_grant");
  });

  it.each<[string, object, string, boolean]>([
    ["without redirect_uri", { redirect_uri: "" }, "invalid_request", true],
    ["with another redirect_uri", { redirect_uri: "https://app.example/callback/" }, "invalid_grant", false],
    ["with a wrong secret", { client_secret: "satchel_cs_wrong" }, "invalid_client", true],
    ["without the secret", { client_secret: "" }, "invalid_client", true],
    ["with a verifier for which there was no challenge", { code_verifier: newPkce().verifier }, "invalid_grant", false],
    ["with an unknown grant type", { grant_type: "password" }, "unsupported_grant_type", true],
    ["without a grant type", { grant_type: "" }, "invalid_request", true],
    ["of an unknown client", { client_id: "cl_unknown" }, "invalid_client", true],
    ["of no client", { client_id: "" }, "invalid_client", true],
  ])("%s is refused", async (_name, parameters, error, survives) => {
    const code = await codeOf();
    expectRefused(await exchange(stack, client, code, { ...parameters }), error);
    expect((await exchange(stack, client, code)).status).toBe(survives ? 200 : 400);
  });

  it.each<[string, (pkce: Pkce) => string, string, boolean]>([
    ["none", () => "", "invalid_grant", false],
    ["another", () => newPkce().verifier, "invalid_grant", false],
    ["the challenge itself, as plain would have it", ({ challenge }) => challenge, "invalid_grant", false],
    ["one that is too short", ({ verifier }) => verifier.slice(0, 42), "invalid_request", true],
    ["one that is too long", ({ verifier }) => verifier.padEnd(129, "a"), "invalid_request", true],
    ["one of the wrong alphabet", ({ verifier }) => `${verifier.slice(1)}!`, "invalid_request", true],
  ])("with a challenge needs its verifier, with a secret too: %s", async (_name, change, error, survives) => {
    const pkce = newPkce();
    const code = await codeOf(client, challengeParameters(pkce));
    expectRefused(await exchange(stack, client, code, { code_verifier: change(pkce) }), error);
    // A verifier that was tried and does not fit uses the code up.
    const again = await exchange(stack, client, code, { code_verifier: pkce.verifier });
    expect(again.status).toBe(survives ? 200 : 400);
  });

  it("is its client's alone, and another's attempt does not spoil it", async () => {
    const thief = await createClient(stack);
    const code = await codeOf();
    expectRefused(await exchange(stack, thief, code), "invalid_grant");
    expect((await exchange(stack, client, code)).status).toBe(200);
  });

  it("that comes again revokes what it gave", async () => {
    const code = await codeOf();
    const first = await exchange(stack, client, code);
    const next = await refresh(stack, client, first.json.refresh_token);
    expect(await works(next.json.access_token)).toBe(true);
    expectRefused(await exchange(stack, client, code), "invalid_grant");
    expect(await works(first.json.access_token)).toBe(false);
    expect(await works(next.json.access_token)).toBe(false);
    expectRefused(await refresh(stack, client, next.json.refresh_token), "invalid_grant");
  });

  it("50 times at once: one success, and the replay revokes it", async () => {
    const code = await codeOf();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(stack, client, code)));
    const [won, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(won?.status).toBe(200);
    for (const answer of others) expectRefused(answer, "invalid_grant");
    expect(await works(won?.json.access_token)).toBe(false);
    const { familyId } = await db().oAuthCode.findUniqueOrThrow({ where: { codeHash: hashToken(code) } });
    expect(await db().oAuthToken.count({ where: { familyId } })).toBe(2);
    expect(await db().oAuthToken.count({ where: { familyId, revokedAt: null } })).toBe(0);
  });

  it("is stored as a hash, as tokens are", async () => {
    const code = await codeOf();
    const { json } = await exchange(stack, client, code);
    const secrets = [code, json.access_token, json.refresh_token];
    const rows = JSON.stringify([await db().oAuthCode.findMany(), await db().oAuthToken.findMany()], (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value,
    );
    for (const secret of secrets) expect(rows).not.toContain(secret);
  });
});

describe("a refresh token", () => {
  it("is replaced, and the old access token lives on", async () => {
    const before = await tokensOf(stack, person, client);
    const { status, json } = await refresh(stack, client, before.refresh_token);
    expect(status).toBe(200);
    expect(json.refresh_token).not.toBe(before.refresh_token);
    expect(json.scope).toBe(before.scope);
    expect(await works(json.access_token)).toBe(true);
    expect(await works(before.access_token)).toBe(true);
  });

  it("repeated within the grace gives the very same answer, and later ends the family", async () => {
    const before = await tokensOf(stack, person, client);
    const first = await refresh(stack, client, before.refresh_token);
    const second = await refresh(stack, client, before.refresh_token);
    expect(second.text).toBe(first.text);
    const { tokenHash } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(before.refresh_token) },
    });
    await db().oAuthToken.update({ where: { tokenHash }, data: { consumedAt: new Date(Date.now() - 11_000) } });
    expectRefused(await refresh(stack, client, before.refresh_token), "invalid_grant");
    expectRefused(await refresh(stack, client, first.json.refresh_token), "invalid_grant");
    expect(await works(first.json.access_token)).toBe(false);
    expect(await works(before.access_token)).toBe(false);
  });

  it("50 times at once: one family alive, one answer", async () => {
    const before = await tokensOf(stack, person, client);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(stack, client, before.refresh_token)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const { familyId } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(before.refresh_token) },
    });
    const alive = { familyId, kind: "refresh", consumedAt: null, revokedAt: null };
    expect(await db().oAuthToken.count({ where: alive })).toBe(1);
    expect(await works(answers[0]?.json.access_token)).toBe(true);
  });

  it("revoked while others rotate it leaves nothing alive", async () => {
    const before = await tokensOf(stack, person, client);
    const { familyId } = await db().oAuthToken.findUniqueOrThrow({
      where: { tokenHash: hashToken(before.refresh_token) },
    });
    const chain = async () => {
      let token = before.refresh_token;
      for (let step = 0; step < 5; step++) {
        const { status, json } = await refresh(stack, client, token);
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

  it("may give less than was granted, never more; the next gives all again", async () => {
    const before = await tokensOf(stack, person, client, { parameters: { scope: "balance:read email:read" } });
    expectRefused(
      await refresh(stack, client, before.refresh_token, { scope: "balance:read agent:read" }),
      "invalid_scope",
    );
    expectRefused(await refresh(stack, client, before.refresh_token, { scope: "nonsense" }), "invalid_scope");
    const narrowed = await refresh(stack, client, before.refresh_token, { scope: "email:read" });
    expect(narrowed.json.scope).toBe("email:read");
    const next = await refresh(stack, client, narrowed.json.refresh_token);
    expect(next.json.scope).toBe("balance:read email:read");
  });

  it("is its client's alone", async () => {
    const thief = await createClient(stack);
    const before = await tokensOf(stack, person, client);
    expectRefused(await refresh(stack, thief, before.refresh_token), "invalid_grant");
    expect((await refresh(stack, client, before.refresh_token)).status).toBe(200);
  });

  it("needs no secret, checks one that is sent, and asks for one where the client turned that on", async () => {
    const strict = await createClient(stack, { requireSecretOnRefresh: true });
    const wrong = { client_secret: "satchel_cs_wrong" };
    const before = await tokensOf(stack, person, client);
    expectRefused(await refresh(stack, client, before.refresh_token, wrong), "invalid_client");
    expect((await refresh(stack, client, before.refresh_token)).status).toBe(200);
    const own = await tokensOf(stack, person, strict);
    expectRefused(await refresh(stack, strict, own.refresh_token), "invalid_client");
    expect((await refresh(stack, strict, own.refresh_token, { client_secret: strict.secret })).status).toBe(200);
  });

  it("is no access token, nor the other way round", async () => {
    const tokens = await tokensOf(stack, person, client);
    expect(await works(tokens.refresh_token)).toBe(false);
    expectRefused(await refresh(stack, client, tokens.access_token), "invalid_grant");
  });
});

describe("a client that is", () => {
  it.each(["pending_approval", "rejected", "revoked"])(
    "%s gets no tokens, and those it has are dead",
    async (status) => {
      const own = await createClient(stack);
      const tokens = await tokensOf(stack, person, own);
      const code = await codeOf(own);
      await db().oAuthClient.update({ where: { id: own.clientId }, data: { status } });
      expect(await works(tokens.access_token)).toBe(false);
      expectRefused(await exchange(stack, own, code), "invalid_client");
      expectRefused(await refresh(stack, own, tokens.refresh_token), "invalid_client");
    },
  );

  it("given a new secret loses the old one at once", async () => {
    const own = await createClient(stack);
    const code = await codeOf(own);
    await db().oAuthClient.update({
      where: { id: own.clientId },
      data: { secretHash: hashToken("satchel_cs_new") },
    });
    expectRefused(await exchange(stack, own, code), "invalid_client");
    expect((await exchange(stack, { ...own, secret: "satchel_cs_new" }, code)).status).toBe(200);
  });
});

describe("revocation and introspection", () => {
  const call = (path: string, token: string, of: TestClient = client) =>
    postOAuth(stack, path, { token, client_id: of.clientId, client_secret: of.secret });

  it("revoke an access token alone, a refresh token with its family, an unknown one without a word", async () => {
    const tokens = await tokensOf(stack, person, client);
    expect((await call("/oauth/revoke", tokens.access_token)).status).toBe(200);
    expect(await works(tokens.access_token)).toBe(false);
    const next = await refresh(stack, client, tokens.refresh_token);
    expect(next.status).toBe(200);
    expect((await call("/oauth/revoke", next.json.refresh_token)).status).toBe(200);
    expect(await works(next.json.access_token)).toBe(false);
    expect((await call("/oauth/revoke", "nothing")).status).toBe(200);
  });

  it("refuse another client's token, whoever cannot prove themselves, and a missing token", async () => {
    const other = await createClient(stack);
    const tokens = await tokensOf(stack, person, client);
    expectRefused(await call("/oauth/revoke", tokens.access_token, other), "invalid_grant");
    expect((await call("/oauth/introspect", tokens.access_token, other)).json).toEqual({ active: false });
    for (const path of ["/oauth/revoke", "/oauth/introspect"]) {
      expectRefused(await postOAuth(stack, path, { token: "x", client_id: client.clientId }), "invalid_client");
      expectRefused(await call(path, ""), "invalid_request");
    }
    expect(await works(tokens.access_token)).toBe(true);
  });

  it("tell what stands, until it does not", async () => {
    const tokens = await tokensOf(stack, person, client);
    const nowSeconds = Date.now() / 1000;
    const { json } = await call("/oauth/introspect", tokens.access_token);
    expect(json).toMatchObject({
      active: true,
      client_id: client.clientId,
      token_type: "Bearer",
      scope: tokens.scope,
      sub: expect.stringMatching(/^did:web:.*:users:/),
    });
    expect(json.exp - json.iat).toBe(30 * DAY);
    expect(Math.abs(json.iat - nowSeconds)).toBeLessThan(60);
    await refresh(stack, client, tokens.refresh_token);
    expect((await call("/oauth/introspect", tokens.refresh_token)).json).toEqual({ active: false });
    await call("/oauth/revoke", tokens.access_token);
    expect((await call("/oauth/introspect", tokens.access_token)).json).toEqual({ active: false });
  });
});

it("a code the browser took away is gone with the grant", async () => {
  const own = await createClient(stack);
  const code = await codeOf(own);
  const grant = await db().oAuthGrant.findFirstOrThrow({ where: { clientId: own.clientId } });
  const id = Buffer.from(`OAuthGrant:${grant.id}`).toString("base64");
  const { json } = await person.graphql("mutation ($id: ID!) { disconnectApp(input: { id: $id }) { __typename } }", {
    id,
  });
  expect(json.data.disconnectApp.__typename).toBe("DisconnectAppSuccess");
  expectRefused(await exchange(stack, own, code), "invalid_grant");
  expect((await person.navigate(authorizePath(own.clientId))).headers.get("location")).toContain("/consent?");
});
