/** Signing in through an OpenID provider, and its access tokens, with a provider that knows nothing of this service. */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyLoginToken } from "../../../src/accounts/login-token.ts";
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from "../../support/openid-provider.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";
import { openVisitor, SESSION_COOKIE, signIn, type Visitor } from "../../support/visitor.ts";

const AUDIENCE = "https://satchel.example/purchases";
let stack: Stack;
let provider: OpenIdProvider;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let origin: string;
let visitor: Visitor;
/** The same person's browser at the provider. */
let away: Visitor;

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
  provider.open(`${origin}/auth/upstream/callback`);
});
afterAll(async () => {
  await stop();
  await provider.close();
});
let visitors = 0;
beforeEach(() => {
  // Each comes from elsewhere: a network may begin only so often.
  visitor = openVisitor(origin, { forwardedFor: `192.0.2.${++visitors % 256}` });
  away = openVisitor(provider.issuer);
  provider.person = { sub: randomUUID() };
});

const prisma = () => stack.service.deps.db.prisma;
const locationOf = (answer: { headers: Headers }) => answer.headers.get("location") ?? "";

async function start(returnTo = "/consent?request=oar_1"): Promise<URL> {
  const answer = await visitor.request(`/auth/upstream/start?return_to=${encodeURIComponent(returnTo)}`);
  expect(answer.status).toBe(303);
  return new URL(locationOf(answer));
}
/** Goes through the provider's pages, until it sends the browser back. */
async function travel(url: URL): Promise<URL> {
  let next = url.href;
  for (let i = 0; i < 10 && !next.startsWith(origin); i++) {
    next = new URL(locationOf(await away.request(next)), provider.issuer).href;
  }
  return new URL(next);
}
async function arrive(callback: URL, by = visitor): Promise<string> {
  const answer = await by.request(callback.pathname + callback.search, { headers: { "sec-fetch-site": "cross-site" } });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  return locationOf(answer);
}
const enter = async () => arrive(await travel(await start()));
const who = async (by = visitor) =>
  (await by.graphql("{ viewer { account { accountId email displayName } session { sessionId method } } }")).viewer;
const failed = (code: string) => `/sign-in?error=${code}&return_to=%2Fconsent%3Frequest%3Doar_1`;

describe("a journey to the provider", () => {
  it("is offered by name, and begins with PKCE, state and nonce", async () => {
    const { signInMethods } = await visitor.graphql(
      "{ signInMethods { emailCode passkey upstream { name startUrl } sandboxMailUrl } }",
    );
    expect(signInMethods).toEqual({
      emailCode: true,
      passkey: true,
      upstream: { name: "Example ID", startUrl: "/auth/upstream/start" },
      // There is a sandbox, and the codes go to a mail server of somebody's own.
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

  it("from this machine's IP address first goes to its name, where the cookies are", async () => {
    const answer = await openVisitor(stack.baseUrl).request("/auth/upstream/start?return_to=%2Fbuy");
    expect([answer.status, locationOf(answer)]).toEqual([303, `${origin}/auth/upstream/start?return_to=%2Fbuy`]);
  });

  it("opens an account, and leads back to it the next time", async () => {
    provider.person = { sub: randomUUID(), name: "Grace", email: "unverified@people.example" };
    expect(await enter()).toBe("/consent?request=oar_1");
    const first = await who();
    expect(first).toMatchObject({ account: { email: null, displayName: "Grace" }, session: { method: "OIDC" } });
    visitor = openVisitor(origin);
    expect(await enter()).toBe("/consent?request=oar_1");
    expect((await who()).account).toEqual(first.account);
  });

  it("leads to the account that has the address, when the provider has verified it", async () => {
    const email = `${randomUUID()}@people.example`;
    const { viewer } = await signIn(visitor, mail, email);
    for (const [emailVerified, isSame] of [
      [false, false],
      [true, true],
    ] as const) {
      visitor = openVisitor(origin);
      away = openVisitor(provider.issuer);
      provider.person = { sub: randomUUID(), email: email.toUpperCase(), emailVerified };
      await enter();
      expect((await who()).account.accountId === viewer.account.accountId).toBe(isSame);
    }
  });

  it("does not take one address for verified because another is", async () => {
    const email = `${randomUUID()}@people.example`;
    const { viewer } = await signIn(visitor, mail, email);
    visitor = openVisitor(origin);
    const inIdToken = { email: "own@people.example", email_verified: true };
    provider.person = { sub: randomUUID(), email, inIdToken };
    await enter();
    const { account } = await who();
    expect(account.email).toBeNull();
    expect(account.accountId).not.toBe(viewer.account.accountId);
  });

  it("opens one account for one person who comes back twice at once", async () => {
    provider.person = { sub: randomUUID() };
    const browsers = [openVisitor(origin), openVisitor(origin)];
    const callbacks = [];
    for (const each of browsers) {
      visitor = each;
      callbacks.push(await travel(await start()));
    }
    await Promise.all(callbacks.map((callback, i) => arrive(callback, browsers[i])));
    const accounts = await Promise.all(browsers.map(async (each) => (await who(each)).account.accountId));
    expect(new Set(accounts).size).toBe(1);
    expect(await prisma().upstreamIdentity.count({ where: { subject: provider.person.sub } })).toBe(1);
  });

  it("of somebody signed in asks for a proof made anew, and renews the session", async () => {
    await enter();
    const before = await who();
    const logins = provider.logins.count;
    await prisma().session.update({ where: { id: before.session.sessionId }, data: { authenticatedAt: new Date(0) } });
    await enter();
    expect(provider.logins.count).toBe(logins + 1);
    expect((await who()).session.sessionId).toBe(before.session.sessionId);
    const { authenticatedAt } = await prisma().session.findUniqueOrThrow({ where: { id: before.session.sessionId } });
    expect(Date.now() - authenticatedAt.getTime()).toBeLessThan(60_000);
  });

  it("ends on the sign-in page when the person refuses", async () => {
    provider.person = null;
    expect(await enter()).toBe(failed("upstream_refused"));
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it("keeps no address of another site to go to afterwards", async () => {
    expect(await arrive(await travel(await start("//evil.example")))).toBe("/dashboard");
  });
});

describe("what comes back from the provider", () => {
  const changed = (url: URL, name: string, value: string | null) => {
    const copy = new URL(url);
    if (value === null) copy.searchParams.delete(name);
    else copy.searchParams.set(name, value);
    return copy;
  };

  it("counts once, and in the browser that began", async () => {
    const callback = await travel(await start());
    expect(await arrive(callback, openVisitor(origin))).toBe("/sign-in?error=upstream_expired");
    const other = openVisitor(origin);
    await other.request("/auth/upstream/start");
    expect(await arrive(callback, other)).toBe("/sign-in?error=upstream_expired");
    const targets = await Promise.all([1, 2, 3].map(() => arrive(callback, visitor.copy())));
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
  ])("is refused with %s", async (_which, change, target) => {
    expect(await arrive(change(await travel(await start())))).toBe(target);
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });

  it.each(["nonce", "code_challenge"])("is refused when it was asked for with another %s", async (name) => {
    const url = await start();
    expect(await arrive(await travel(changed(url, name, "A".repeat(43))))).toBe(failed("upstream_failed"));
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(false);
  });
});

describe("the provider's access token", () => {
  let accountId: string;
  let sub: string;
  beforeEach(async () => {
    await enter();
    sub = provider.person?.sub ?? "";
    ({ accountId } = (await who()).account);
  });
  const inAMinute = () => Math.floor(Date.now() / 1000) + 60;
  const claims = () => ({ iss: provider.issuer, aud: AUDIENCE, sub, exp: inAMinute() });
  const verify = (jwt: string) => verifyLoginToken(stack.service.deps, jwt);

  it("stands for the account of its subject", async () => {
    expect(await verify(await provider.sign(claims()))).toBe(accountId);
    expect(await verify(await provider.sign({ ...claims(), aud: ["other", AUDIENCE] }, { typ: "JWT" }))).toBe(
      accountId,
    );
  });

  it.each<[string, (good: Record<string, unknown>) => Promise<string> | string]>([
    ["another audience", (good) => provider.sign({ ...good, aud: "https://other.example" })],
    ["the client for an audience, as identity tokens have", (good) => provider.sign({ ...good, aud: CLIENT.id })],
    ["no audience", ({ aud: _aud, ...good }) => provider.sign(good)],
    ["another issuer", (good) => provider.sign({ ...good, iss: "https://evil.example" })],
    ["this service for an issuer", (good) => provider.sign({ ...good, iss: stack.baseUrl })],
    ["a subject nobody here knows", (good) => provider.sign({ ...good, sub: randomUUID() })],
    ["no subject", ({ sub: _sub, ...good }) => provider.sign(good)],
    ["an end in the past", (good) => provider.sign({ ...good, exp: inAMinute() - 3_600 })],
    ["no end", ({ exp: _exp, ...good }) => provider.sign(good)],
    ["no signature", (good) => new UnsecuredJWT(good).encode()],
    [
      "somebody else's key under its key id",
      (good) => {
        const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
        return new SignJWT(good).setProtectedHeader({ alg: "RS256", kid: "first" }).sign(privateKey);
      },
    ],
    [
      "a shared secret for a key",
      (good) => new SignJWT(good).setProtectedHeader({ alg: "HS256", kid: "first" }).sign(Buffer.from(CLIENT.secret)),
    ],
    ["a changed signature", async (good) => (await provider.sign(good)).replace(/.{4}$/, "AAAA")],
    ["text that is no token", () => "a.b.c"],
    ["nothing", () => ""],
  ])("stands for nobody with %s", async (_which, make) => {
    expect(await verify(await make(claims()))).toBeNull();
  });
});
