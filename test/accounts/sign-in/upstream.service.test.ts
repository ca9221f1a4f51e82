/** Sign-in through an OpenID provider, and verification of its access tokens, with an independent provider. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyLoginToken } from "../../../src/accounts/login-token.ts";
import {
  type BrowserClient,
  createBrowserClient,
  SESSION_COOKIE,
  signInByEmail,
} from "../../support/browser-client.ts";
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from "../../support/openid-provider.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";

const AUDIENCE = "https://satchel.example/purchases";
let stack: Stack;
let provider: OpenIdProvider;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let origin: string;
let visitor: BrowserClient;
/** The same user's browser at the provider. */
let providerVisitor: BrowserClient;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Example ID",
    OIDC_AUDIENCE: AUDIENCE,
    TRUST_PROXY: "127.0.0.1,::1",
  };
  ({ stack, mail, stop } = await startSignInStack({ env }));
  origin = stack.service.deps.site.browserUrl();
  provider.registerClient(`${origin}/auth/upstream/callback`);
});
afterAll(async () => {
  await stop();
  await provider.close();
});
let visitorCount = 0;
beforeEach(() => {
  // Each visitor has its own network, because sign-ins are limited per network.
  visitor = createBrowserClient(origin, { forwardedFor: `192.0.2.${++visitorCount % 256}` });
  providerVisitor = createBrowserClient(provider.issuer);
  provider.user = { sub: randomUUID() };
});

const prisma = () => stack.service.deps.db.prisma;
const locationOf = (response: { headers: Headers }) => response.headers.get("location") ?? "";

async function start(returnTo = "/consent?request=oar_1"): Promise<URL> {
  const response = await visitor.request(`/auth/upstream/start?return_to=${encodeURIComponent(returnTo)}`);
  expect(response.status).toBe(303);
  return new URL(locationOf(response));
}
/** Follows the provider's pages until it redirects back to this service. */
async function followProvider(url: URL): Promise<URL> {
  let next = url.href;
  for (let i = 0; i < 10 && !next.startsWith(origin); i++) {
    next = new URL(locationOf(await providerVisitor.request(next)), provider.issuer).href;
  }
  return new URL(next);
}
async function openCallback(callback: URL, by = visitor): Promise<string> {
  const response = await by.request(callback.pathname + callback.search, {
    headers: { "sec-fetch-site": "cross-site" },
  });
  expect(response.status).toBe(303);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return locationOf(response);
}
const signInUpstream = async () => openCallback(await followProvider(await start()));
const fetchViewer = async (by = visitor) =>
  (await by.graphql("{ viewer { account { accountId email displayName } session { sessionId method } } }")).viewer;
const failed = (code: string) => `/sign-in?error=${code}&return_to=%2Fconsent%3Frequest%3Doar_1`;

describe("sign-in through the provider", () => {
  it("is listed with its name and starts with PKCE, state and nonce", async () => {
    const { signInMethods } = await visitor.graphql(
      "{ signInMethods { emailCode passkey upstream { name startUrl } sandboxMailUrl } }",
    );
    expect(signInMethods).toEqual({
      emailCode: true,
      passkey: true,
      upstream: { name: "Example ID", startUrl: "/auth/upstream/start" },
      // SMTP_URL is configured, so the sandbox's mail server does not receive the codes.
      sandboxMailUrl: null,
    });
    const url = await start();
    expect(url.origin).toBe(provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: `${origin}/auth/upstream/callback`,
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(url.searchParams.has("prompt")).toBe(false);
  });

  it("redirects from the loopback IP address to the host name that has the cookies", async () => {
    const response = await createBrowserClient(stack.baseUrl).request("/auth/upstream/start?return_to=%2Fbuy");
    expect([response.status, locationOf(response)]).toEqual([303, `${origin}/auth/upstream/start?return_to=%2Fbuy`]);
  });

  it("creates an account and signs in to it the next time", async () => {
    provider.user = { sub: randomUUID(), name: "Grace", email: "unverified@people.example" };
    expect(await signInUpstream()).toBe("/consent?request=oar_1");
    const first = await fetchViewer();
    expect(first).toMatchObject({ account: { email: null, displayName: "Grace" }, session: { method: "OIDC" } });
    visitor = createBrowserClient(origin);
    expect(await signInUpstream()).toBe("/consent?request=oar_1");
    expect((await fetchViewer()).account).toEqual(first.account);
  });

  it("signs in to the account with the address if the provider verified it", async () => {
    const email = `${randomUUID()}@people.example`;
    const { viewer } = await signInByEmail(visitor, mail, email);
    for (const [emailVerified, isSame] of [
      [false, false],
      [true, true],
    ] as const) {
      visitor = createBrowserClient(origin);
      providerVisitor = createBrowserClient(provider.issuer);
      provider.user = { sub: randomUUID(), email: email.toUpperCase(), emailVerified };
      await signInUpstream();
      expect((await fetchViewer()).account.accountId === viewer.account.accountId).toBe(isSame);
    }
  });

  it("does not apply the verification of one address to another", async () => {
    const email = `${randomUUID()}@people.example`;
    const { viewer } = await signInByEmail(visitor, mail, email);
    visitor = createBrowserClient(origin);
    const inIdToken = { email: "own@people.example", email_verified: true };
    provider.user = { sub: randomUUID(), email, idTokenClaims: inIdToken };
    await signInUpstream();
    const { account } = await fetchViewer();
    expect(account.email).toBeNull();
    expect(account.accountId).not.toBe(viewer.account.accountId);
  });

  it("creates one account for two concurrent callbacks of one user", async () => {
    provider.user = { sub: randomUUID() };
    const browsers = [createBrowserClient(origin), createBrowserClient(origin)];
    const callbacks = [];
    for (const each of browsers) {
      visitor = each;
      callbacks.push(await followProvider(await start()));
    }
    await Promise.all(callbacks.map((callback, i) => openCallback(callback, browsers[i])));
    const accounts = await Promise.all(browsers.map(async (each) => (await fetchViewer(each)).account.accountId));
    expect(new Set(accounts).size).toBe(1);
    expect(await prisma().upstreamIdentity.count({ where: { subject: provider.user.sub } })).toBe(1);
  });

  it("requires a new login of a signed-in user and renews the session", async () => {
    await signInUpstream();
    const before = await fetchViewer();
    const logins = provider.logins.count;
    await prisma().session.update({ where: { id: before.session.sessionId }, data: { authenticatedAt: new Date(0) } });
    await signInUpstream();
    expect(provider.logins.count).toBe(logins + 1);
    expect((await fetchViewer()).session.sessionId).toBe(before.session.sessionId);
    const { authenticatedAt } = await prisma().session.findUniqueOrThrow({ where: { id: before.session.sessionId } });
    expect(Date.now() - authenticatedAt.getTime()).toBeLessThan(60_000);
  });

  it("redirects to the sign-in page if the user denies", async () => {
    provider.user = null;
    expect(await signInUpstream()).toBe(failed("upstream_refused"));
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it("ignores a return path to another site", async () => {
    expect(await openCallback(await followProvider(await start("//evil.example")))).toBe("/dashboard");
  });
});

describe("the provider's callback", () => {
  const changed = (url: URL, name: string, value: string | null) => {
    const copy = new URL(url);
    if (value === null) copy.searchParams.delete(name);
    else copy.searchParams.set(name, value);
    return copy;
  };

  it("is accepted once, and only in the browser that started the sign-in", async () => {
    const callback = await followProvider(await start());
    expect(await openCallback(callback, createBrowserClient(origin))).toBe("/sign-in?error=upstream_expired");
    const other = createBrowserClient(origin);
    await other.request("/auth/upstream/start");
    expect(await openCallback(callback, other)).toBe("/sign-in?error=upstream_expired");
    const targets = await Promise.all([1, 2, 3].map(() => openCallback(callback, visitor.copy())));
    expect(targets.toSorted()).toEqual(["/consent?request=oar_1", ...Array(2).fill("/sign-in?error=upstream_expired")]);
  });

  it.each<[string, (callback: URL) => URL, string]>([
    ["no state", (callback) => changed(callback, "state", null), "/sign-in?error=upstream_expired"],
    [
      "another attempt's state",
      (callback) => changed(callback, "state", "sia_1_abc.def"),
      "/sign-in?error=upstream_expired",
    ],
    [
      "a state with another secret",
      (callback) => changed(callback, "state", `${callback.searchParams.get("state")?.split(".")[0]}.x`),
      failed("upstream_failed"),
    ],
    ["another issuer", (callback) => changed(callback, "iss", "https://evil.example"), failed("upstream_failed")],
    ["no issuer", (callback) => changed(callback, "iss", null), failed("upstream_failed")],
    ["another code", (callback) => changed(callback, "code", "other"), failed("upstream_failed")],
    ["no code", (callback) => changed(callback, "code", null), failed("upstream_failed")],
  ])("is rejected with %s", async (_case, change, target) => {
    expect(await openCallback(change(await followProvider(await start())))).toBe(target);
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it.each(["nonce", "code_challenge"])("is rejected if it was requested with another %s", async (name) => {
    const url = await start();
    expect(await openCallback(await followProvider(changed(url, name, "A".repeat(43))))).toBe(
      failed("upstream_failed"),
    );
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });
});

describe("the provider's access token", () => {
  let accountId: string;
  let sub: string;
  beforeEach(async () => {
    await signInUpstream();
    sub = provider.user?.sub ?? "";
    ({ accountId } = (await fetchViewer()).account);
  });
  const inAMinute = () => Math.floor(Date.now() / 1000) + 60;
  const claims = () => ({ iss: provider.issuer, aud: AUDIENCE, sub, exp: inAMinute() });
  const verify = (jwt: string) => verifyLoginToken(stack.service.deps, jwt);

  it("authenticates the account of its subject", async () => {
    expect(await verify(await provider.sign(claims()))).toBe(accountId);
    expect(await verify(await provider.sign({ ...claims(), aud: ["other", AUDIENCE] }, { typ: "JWT" }))).toBe(
      accountId,
    );
  });

  it.each<[string, (good: Record<string, unknown>) => Promise<string> | string]>([
    ["another audience", (good) => provider.sign({ ...good, aud: "https://other.example" })],
    ["the client as its audience, as in an ID token", (good) => provider.sign({ ...good, aud: CLIENT.id })],
    ["no audience", ({ aud: _aud, ...good }) => provider.sign(good)],
    ["another issuer", (good) => provider.sign({ ...good, iss: "https://evil.example" })],
    ["this service as its issuer", (good) => provider.sign({ ...good, iss: stack.baseUrl })],
    ["an unknown subject", (good) => provider.sign({ ...good, sub: randomUUID() })],
    ["no subject", ({ sub: _sub, ...good }) => provider.sign(good)],
    ["an expiry in the past", (good) => provider.sign({ ...good, exp: inAMinute() - 3_600 })],
    ["no expiry", ({ exp: _exp, ...good }) => provider.sign(good)],
    ["no signature", (good) => new UnsecuredJWT(good).encode()],
    [
      "another key under the same key id",
      (good) => {
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
        return new SignJWT(good).setProtectedHeader({ alg: "RS256", kid: "first" }).sign(privateKey);
      },
    ],
    [
      "a shared secret as its key",
      (good) => new SignJWT(good).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(Buffer.from(CLIENT.secret)),
    ],
    ["a changed signature", async (good) => (await provider.sign(good)).replace(/.{4}$/, "AAAA")],
    ["text that is not a token", () => "a.b.c"],
    ["an empty text", () => ""],
  ])("is rejected with %s", async (_case, make) => {
    expect(await verify(await make(claims()))).toBeNull();
  });
});
