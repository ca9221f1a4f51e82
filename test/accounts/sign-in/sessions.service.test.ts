// @module-tag postgresql
/** Sessions over HTTP and WebSockets: cookie rules, expiry, rotation and revocation. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { createContextFactory } from "../../../schema/context.ts";
import { verifyLoginToken } from "../../../src/accounts/login-token.ts";
import { mintToken } from "../../../src/accounts/secret-token.ts";
import { formatSessionCookie } from "../../../src/accounts/session-cookie.ts";
import { rotateSession } from "../../../src/accounts/sessions.ts";
import { formatBrowserCookie } from "../../../src/accounts/sign-in/browser-cookie.ts";
import {
  type BrowserClient,
  completeEmailSignIn,
  createBrowserClient,
  SESSION_COOKIE,
  signInByEmail,
  startEmailSignIn,
  waitForEmailCode,
} from "../../support/browser-client.ts";
import { enforceRules } from "../../support/retention.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";

let stack: Stack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let visitor: BrowserClient;
let sessionId: string;
let accountId: string;
let email: string;
let visitorCount = 0;

beforeAll(async () => {
  ({ stack, mail, stop } = await startSignInStack());
});
afterAll(async () => {
  await stop();
});
beforeEach(async () => {
  visitor = createBrowserClient(stack.baseUrl);
  email = `user${++visitorCount}@people.example`;
  const { viewer } = await signInByEmail(visitor, mail, email);
  sessionId = viewer.session.sessionId;
  accountId = viewer.account.accountId;
});

const WHO = "{ viewer { account { email } session { sessionId } } }";
const prisma = () => stack.service.deps.db.prisma;
const secretOf = (of: BrowserClient) => of.cookies.get(SESSION_COOKIE) ?? "";
const age = (data: object) => prisma().session.update({ where: { id: sessionId }, data });
const ago = (ms: number) => new Date(Date.now() - ms);
/** Returns true if the visitor is signed in. Sends the request of a page, with additional headers. */
const isSignedIn = async (of: BrowserClient, headers: Record<string, string> = {}, path = "/graphql") => {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query: WHO }),
  };
  const { json } = await of.request(path, init);
  return json?.data?.viewer != null;
};

describe("a session cookie", () => {
  it("is HttpOnly and SameSite=Lax", () => {
    const cookie = visitor.received.find((line) => line.startsWith(`${SESSION_COOKIE}=`));
    expect(cookie).toMatch(/^satchel_session=satchel_ss_\w{49}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("is accepted from pages of this site and from programs, but not from other sites", async () => {
    const { origin, port } = new URL(stack.baseUrl);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await isSignedIn(visitor, { origin, "sec-fetch-site": "same-origin" })).toBe(true);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin, "sec-fetch-site": "cross-site" },
    ]) {
      expect(await isSignedIn(visitor, headers as Record<string, string>), JSON.stringify(headers)).toBe(false);
    }
  });

  it("is rejected by routes for programs, and its secret in any header", async () => {
    expect((await visitor.request("/api/balance")).status).toBe(401);
    const secret = secretOf(visitor);
    for (const headers of [{ "x-service-token": secret }, { authorization: `Bearer ${secret}` }]) {
      const { json } = await stack.graphql(null, WHO, {}, headers as Record<string, string>);
      expect(json.errors[0].extensions.code).toBe("unauthorized");
    }
  });

  it("requires the __Host- prefix over https", async () => {
    const { deps } = stack.service;
    const createContext = createContextFactory({ ...deps, site: { ...deps.site, isHttps: true } });
    const viewerWith = async (name: string) => {
      const headers = { cookie: `${name}=${secretOf(visitor)}` };
      return (await createContext({ headers, requestId: "req_1" })).viewer;
    };
    expect(await viewerWith(SESSION_COOKIE)).toBeNull();
    expect(await viewerWith(`__Host-${SESSION_COOKIE}`)).toMatchObject({ accountId });
    const options = { isHttps: true, maxAgeSeconds: 60 };
    expect(formatSessionCookie("s", options)).toBe(
      "__Host-satchel_session=s; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
    expect(formatBrowserCookie("b", true)).toMatch(
      /^__Host-satchel_browser=b; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe("a session", () => {
  it("expires after 30 days, and after 7 days without use", async () => {
    expect(await isSignedIn(visitor)).toBe(true);
    await age({ lastSeenAt: ago(7 * 86_400_000 - 60_000) });
    expect(await isSignedIn(visitor)).toBe(true);
    await age({ lastSeenAt: ago(7 * 86_400_000 + 1_000) });
    expect(await isSignedIn(visitor)).toBe(false);
    await age({ lastSeenAt: new Date(), expiresAt: ago(1) });
    expect(await isSignedIn(visitor)).toBe(false);
    const row = await prisma().session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(row.tokenHash).not.toContain(secretOf(visitor));
  });

  it("never uses a secret that was planted before the sign-in", async () => {
    const planted = mintToken("satchel_ss_");
    const victim = createBrowserClient(stack.baseUrl);
    victim.cookies.set(SESSION_COOKIE, planted);
    await signInByEmail(victim, mail, email);
    expect(secretOf(victim)).not.toBe(planted);
    const thief = createBrowserClient(stack.baseUrl);
    thief.cookies.set(SESSION_COOKIE, planted);
    expect(await isSignedIn(thief)).toBe(false);
  });

  it("of another account is revoked when a user signs in over it", async () => {
    const victim = visitor.copy();
    const { viewer } = await signInByEmail(victim, mail, `victim${visitorCount}@people.example`);
    expect(viewer.account.accountId).not.toBe(accountId);
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await isSignedIn(victim)).toBe(true);
  });

  it("rejects mutations from a page that shows another or an unknown account", async () => {
    const enableFromPage = async (shownAccount: string) => {
      const { json } = await visitor.request("/graphql", {
        method: "POST",
        headers: { "content-type": "application/json", "x-satchel-account": shownAccount },
        body: JSON.stringify({ query: "mutation { setX402Enabled(input: { enabled: true }) { __typename } }" }),
      });
      return json.data?.setX402Enabled.__typename ?? json.errors[0].extensions.code;
    };
    const other = await stack.account();
    const idOf = (id: string) => Buffer.from(`Account:${id}`).toString("base64");
    expect(await enableFromPage(idOf(other.accountId))).toBe("unauthorized");
    expect(await enableFromPage("nobody")).toBe("invalid_request");
    const find = () => prisma().account.findUniqueOrThrow({ where: { id: accountId } });
    expect((await find()).x402EnabledAt).toBeNull();
    expect(await enableFromPage(idOf(accountId))).toBe("SetX402EnabledSuccess");
    expect((await find()).x402EnabledAt).not.toBeNull();
  });

  it("gets a new secret on another sign-in, and only that secret has the new proof of identity", async () => {
    const before = ago(3_600_000);
    await age({ authenticatedAt: before, createdAt: before });
    const old = visitor.copy();
    const { viewer } = await signInByEmail(visitor, mail, email);
    expect(viewer.session.sessionId).toBe(sessionId);
    expect(secretOf(visitor)).not.toBe(secretOf(old));
    const CHANGE = `mutation { startEmailChange(input: { email: "next${visitorCount}@people.example" }) { __typename } }`;
    expect(await visitor.graphql(CHANGE)).toEqual({ startEmailChange: { __typename: "StartEmailChangeSuccess" } });
    // The old secret is accepted for another minute, but without the new proof.
    expect(await old.graphql(CHANGE)).toEqual({ startEmailChange: { __typename: "ReauthenticationRequiredError" } });
    await age({ rotatedAt: ago(61_000) });
    expect(await isSignedIn(old)).toBe(false);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  it("rotates its secret daily, in one of many concurrent requests, and all of them succeed", async () => {
    expect(await isSignedIn(visitor)).toBe(true);
    const old = secretOf(visitor);
    await age({ rotatedAt: ago(86_400_001) });
    const tabs = Array.from({ length: 20 }, () => visitor.copy());
    expect(await Promise.all(tabs.map((tab) => isSignedIn(tab)))).toEqual(Array(20).fill(true));
    const rotated = tabs.filter((tab) => secretOf(tab) !== old);
    expect(rotated).toHaveLength(1);
    const [renewed] = rotated as [BrowserClient];
    expect(renewed.received).toHaveLength(1);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(secretOf(visitor)).toBe(old);
    await age({ rotatedAt: ago(61_000) });
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await isSignedIn(renewed)).toBe(true);
    expect(await rotateSession(stack.service.deps, sessionId, old)).toBeNull();
  });

  it("cannot be created over a WebSocket, where no cookie can be set", async () => {
    const { attemptId } = await startEmailSignIn(createBrowserClient(stack.baseUrl), email);
    const client = socketOf(visitor);
    const result = await once(
      client,
      `mutation { completeEmailSignIn(input: { attemptId: "${attemptId}", code: "${await waitForEmailCode(mail, email)}" }) { ... on Error { code } } }`,
    );
    expect(result).toEqual({ data: { completeEmailSignIn: { code: "INVALID_REQUEST" } } });
    await client.dispose();
  });
});

function socketOf(of: BrowserClient, onClosed: (code: number) => void = () => {}) {
  const cookie = of.cookieHeader();
  class WithCookie extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: { cookie, origin: stack.baseUrl } });
    }
  }
  return createClient({
    url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
    webSocketImpl: WithCookie,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    on: { closed: (event) => onClosed((event as { code: number }).code) },
  });
}

async function once(client: ReturnType<typeof createClient>, query: string) {
  const results = client.iterate({ query });
  return (await results.next()).value;
}

describe("revocation of sessions", () => {
  const LIST = "{ viewer { sessions { edges { node { id sessionId isCurrent userAgent ipAddress revokedAt } } } } }";
  const REVOKE =
    "mutation ($id: ID!) { revokeSession(input: { id: $id }) { ... on RevokeSessionSuccess { session { revokedAt } } ... on Error { code } } }";

  it("closes the session's open WebSocket and invalidates its login tokens immediately", async () => {
    const other = createBrowserClient(stack.baseUrl);
    await signInByEmail(other, mail, email);
    const closed = Promise.withResolvers<number>();
    const client = socketOf(other, closed.resolve);
    expect(await once(client, WHO)).toMatchObject({ data: { viewer: { account: { email } } } });
    const updates = client.iterate({ query: "subscription { transactionUpdated { cursor } }" });
    const ended = updates.next().catch(([error]: { extensions: { code: string } }[]) => error?.extensions.code);
    const { createLoginToken } = await other.graphql(
      "mutation { createLoginToken { ... on CreateLoginTokenSuccess { token } } }",
    );
    expect(await verifyLoginToken(stack.service.deps, createLoginToken.token)).toBe(accountId);

    const { edges } = (await visitor.graphql(LIST)).viewer.sessions;
    expect(edges.map(({ node }: { node: { isCurrent: boolean } }) => node.isCurrent)).toEqual([false, true]);
    expect(edges[0].node).toMatchObject({ ipAddress: "127.0.0.1", userAgent: expect.stringContaining("Firefox") });
    const { revokeSession } = await visitor.graphql(REVOKE, { id: edges[0].node.id });
    expect(revokeSession.session.revokedAt).toEqual(expect.any(String));
    expect(await isSignedIn(other)).toBe(false);
    expect(await closed.promise).toBe(4403);
    expect(await ended).toBe("STREAM_REVOKED");
    expect(await verifyLoginToken(stack.service.deps, createLoginToken.token)).toBeNull();
    expect(await isSignedIn(visitor)).toBe(true);
    await client.dispose();
  });

  it("revokes all other sessions of the account", async () => {
    const others = [createBrowserClient(stack.baseUrl), createBrowserClient(stack.baseUrl)];
    for (const other of others) await signInByEmail(other, mail, email);
    const { revokeOtherSessions } = await visitor.graphql(
      "mutation { revokeOtherSessions { ... on RevokeOtherSessionsSuccess { revokedCount } } }",
    );
    expect(revokeOtherSessions).toEqual({ revokedCount: 2 });
    expect(await Promise.all([visitor, ...others].map((each) => isSignedIn(each)))).toEqual([true, false, false]);
  });

  it("does not revoke or show sessions of other accounts", async () => {
    const otherUser = createBrowserClient(stack.baseUrl);
    const { viewer } = await signInByEmail(otherUser, mail, `other${visitorCount}@people.example`);
    expect(await visitor.graphql(REVOKE, { id: viewer.session.id })).toEqual({ revokeSession: { code: "NOT_FOUND" } });
    expect(await visitor.graphql("query ($id: ID!) { node(id: $id) { id } }", { id: viewer.session.id })).toEqual({
      node: null,
    });
    expect(await isSignedIn(otherUser)).toBe(true);
  });

  it("signs out, deletes the cookie and invalidates the secret", async () => {
    const copy = visitor.copy();
    const OUT = "mutation { signOut { ... on SignOutSuccess { signedOut } } }";
    expect(await visitor.graphql(OUT)).toEqual({ signOut: { signedOut: true } });
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await isSignedIn(copy)).toBe(false);
    expect(await visitor.graphql(OUT)).toEqual({ signOut: { signedOut: false } });
  });

  it("deletes only sessions that ended more than 30 days ago", async () => {
    await age({ revokedAt: ago(31 * 86_400_000) });
    const other = createBrowserClient(stack.baseUrl);
    const { viewer } = await signInByEmail(other, mail, email);
    await prisma().session.update({
      where: { id: viewer.session.sessionId },
      data: { revokedAt: ago(29 * 86_400_000) },
    });
    await enforceRules(stack.service.deps.db, ["sessions"]);
    const left = await prisma().session.findMany({ where: { accountId } });
    expect(left.map(({ id }) => id)).toEqual([viewer.session.sessionId]);
  });
});

describe("API tokens created in a session", () => {
  const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) {
    ... on CreateApiTokenSuccess { secret token { networks } } ... on Error { code } } }`;
  const create = async (input: object) =>
    (await visitor.graphql(CREATE, { input: { name: "agent", ...input } })).createApiToken;

  it("need a recent proof of identity only with high limits or account:manage", async () => {
    expect(await create({ scopes: ["ACCOUNT_MANAGE"], dailyLimitUsd: "5" })).toMatchObject({
      secret: expect.any(String),
    });
    await age({ authenticatedAt: ago(601_000) });
    expect(await create({ dailyLimitUsd: "5" })).toMatchObject({
      secret: expect.any(String),
      token: { networks: expect.arrayContaining(["base"]) },
    });
    expect(await create({ monthlyLimitUsd: "50" })).toMatchObject({ secret: expect.any(String) });
    for (const limits of [
      { perTransactionLimitUsd: "1" },
      { dailyLimitUsd: "1000000000" },
      { dailyLimitUsd: "100.01" },
      { monthlyLimitUsd: "5000" },
    ]) {
      expect(await create(limits), JSON.stringify(limits)).toEqual({ code: "REAUTHENTICATION_REQUIRED" });
    }
    expect(await create({ dailyLimitUsd: "1000", monthlyLimitUsd: "100" })).toMatchObject({
      secret: expect.any(String),
    });
    // The account's own limit replaces the default threshold.
    await prisma().budget.update({ where: { id: accountId }, data: { dailyLimitMicroUsd: 500_000_000n } });
    expect(await create({ dailyLimitUsd: "500" })).toMatchObject({ secret: expect.any(String) });
    await prisma().budget.update({ where: { id: accountId }, data: { dailyLimitMicroUsd: null } });
    expect(await create({ scopes: ["ACCOUNT_MANAGE"], dailyLimitUsd: "5" })).toEqual({
      code: "REAUTHENTICATION_REQUIRED",
    });
    await signInByEmail(visitor, mail, email);
    expect(await create({})).toMatchObject({ secret: expect.any(String) });
  });

  it("withdraw with their scope alone, while a session needs a recent proof", async () => {
    const SEND = `mutation { sendTokens(input: { network: "base", to: "0x1111111111111111111111111111111111111111", amount: "0" }) {
      ... on Error { code } } }`;
    const { secret } = await create({ scopes: ["ACCOUNT_MANAGE"], dailyLimitUsd: "5" });
    const codeWithProof = (await visitor.graphql(SEND)).sendTokens.code;
    expect(codeWithProof).not.toBe("REAUTHENTICATION_REQUIRED");
    await age({ authenticatedAt: ago(601_000) });
    expect(await visitor.graphql(SEND)).toEqual({ sendTokens: { code: "REAUTHENTICATION_REQUIRED" } });
    expect((await stack.graphql(secret, SEND)).json.data).toEqual({ sendTokens: { code: codeWithProof } });
  });

  it("cannot read sessions without account:manage and cannot create login tokens", async () => {
    const { secret } = await create({ dailyLimitUsd: "5" });
    const { json } = await stack.graphql(
      secret,
      "{ viewer { isAdministrator session { id } sessions { edges { cursor } } } }",
    );
    expect(json.errors[0].extensions.code).toBe("forbidden");
    const manager = await create({ scopes: ["ACCOUNT_MANAGE"] });
    const creation = await stack.graphql(manager.secret, "mutation { createLoginToken { ... on Error { code } } }");
    expect(creation.json.data).toEqual({ createLoginToken: { code: "FORBIDDEN" } });
  });
});

it("rejects an attempt of another kind", async () => {
  const started = await visitor.graphql(
    "mutation { startPasskeySignIn { ... on StartPasskeySignInSuccess { attemptId } } }",
  );
  expect(await completeEmailSignIn(visitor, started.startPasskeySignIn.attemptId, "000000")).toMatchObject({
    code: "INVALID_CODE",
  });
});
