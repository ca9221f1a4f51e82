// @module-tag postgresql
/** Sign-in with a one-time code over HTTP, with a real mail server. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type BrowserClient,
  completeEmailSignIn,
  createBrowserClient,
  SESSION_COOKIE,
  signInByEmail,
  startEmailSignIn,
  waitForEmailCode,
} from "../../support/browser-client.ts";
import { waitForEmail } from "../../support/mail-server.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";

let stack: Stack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let browser: BrowserClient;
/** The mail server's reply to every recipient. */
let refusal: [number, string] | null = null;
let addressCount = 0;
const newAddress = () => `user${++addressCount}@people.example`;
/** Returns a new /64 IPv6 network, the usual allocation to one customer. */
const newNetwork = () => `2001:db8:1:${(++addressCount).toString(16)}`;

beforeAll(async () => {
  const env = { ADMIN_EMAILS: "Boss@people.example", TRUST_PROXY: "127.0.0.1" };
  ({ stack, mail, stop } = await startSignInStack({ env, rejectRecipient: () => refusal }));
});
afterAll(async () => {
  await stop();
});
beforeEach(() => {
  browser = createBrowserClient(stack.baseUrl);
});

const prisma = () => stack.service.deps.db.prisma;
const wrong = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

describe("a code", () => {
  it("creates an account with a wallet, credit and a session", async () => {
    const email = newAddress();
    const started = await startEmailSignIn(browser, ` ${email.toUpperCase()} `, "/consent?request=1");
    expect(started.__typename).toBe("StartEmailSignInSuccess");
    const result = await completeEmailSignIn(browser, started.attemptId, await waitForEmailCode(mail, email));
    expect(result).toMatchObject({
      isNewAccount: true,
      returnTo: "/consent?request=1",
      viewer: { isAdministrator: false, account: { email }, session: { method: "EMAIL_CODE", isCurrent: true } },
    });
    expect(result.viewer.sub).toBe(
      `did:web:${new URL(stack.baseUrl).host.replace(":", "%3A")}:users:${result.viewer.account.accountId}`,
    );
    const { viewer } = await browser.graphql(
      "{ viewer { account { email x402Enabled } wallet { evmAddress creditUsd } apiToken { id } session { method } } }",
    );
    expect(viewer).toMatchObject({
      account: { email, x402Enabled: false },
      wallet: { creditUsd: "5.00" },
      apiToken: null,
    });
    expect(
      await prisma().transaction.count({ where: { accountId: result.viewer.account.accountId, type: "credit" } }),
    ).toBe(1);
  });

  it("signs in to the same account the next time", async () => {
    const email = newAddress();
    const first = await signInByEmail(browser, mail, email);
    const second = await signInByEmail(createBrowserClient(stack.baseUrl), mail, email);
    expect(second).toMatchObject({ isNewAccount: false, viewer: { account: first.viewer.account } });
    expect(second.viewer.session.id).not.toBe(first.viewer.session.id);
  });

  it("is sent in an email with its purpose, origin and a phishing warning", async () => {
    const email = newAddress();
    await startEmailSignIn(
      createBrowserClient(stack.baseUrl, { userAgent: "Buy at evil.example (Windows) Chrome/1" }),
      email,
    );
    const { text = "", subject = "" } = await waitForEmail(mail, email);
    expect(text).toMatch(/your code to sign in to Satchel/);
    expect(text).toMatch(/Chrome on Windows, from IP address 127\.0\.0\.1/);
    expect(text).toMatch(/never requests this code/);
    expect(text).not.toMatch(/evil/);
    expect(subject).not.toMatch(/\d/);
  });

  it("signs in one of twenty concurrent requests", async () => {
    const email = newAddress();
    const { attemptId } = await startEmailSignIn(browser, email);
    const code = await waitForEmailCode(mail, email);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => completeEmailSignIn(browser.copy(), attemptId, code)),
    );
    expect(results.filter(({ __typename }) => __typename === "SignInSuccess")).toHaveLength(1);
    const account = await prisma().account.findUniqueOrThrow({ where: { email }, include: { sessions: true } });
    expect(account.sessions).toHaveLength(1);
  });

  it("creates one account for two concurrent codes of a new address", async () => {
    const email = newAddress();
    const attempts = [];
    for (const each of [browser, createBrowserClient(stack.baseUrl)]) {
      const { attemptId } = await startEmailSignIn(each, email);
      attempts.push({ each, attemptId, code: await waitForEmailCode(mail, email) });
    }
    const results = await Promise.all(
      attempts.map(({ each, attemptId, code }) => completeEmailSignIn(each, attemptId, code)),
    );
    expect(new Set(results.map(({ viewer }) => viewer.account.accountId)).size).toBe(1);
    expect(results.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
  });

  it("counts five of fifty concurrent wrong codes, then rejects the correct one", async () => {
    const email = newAddress();
    const { attemptId } = await startEmailSignIn(browser, email);
    const code = await waitForEmailCode(mail, email);
    const guesses = Array.from({ length: 50 }, (_, i) => String(i).padStart(6, "0")).filter((guess) => guess !== code);
    const results = await Promise.all(guesses.map((guess) => completeEmailSignIn(browser.copy(), attemptId, guess)));
    expect(results.some(({ __typename }) => __typename === "SignInSuccess")).toBe(false);
    const left = results.filter(({ attemptsLeft }) => attemptsLeft > 0).map(({ attemptsLeft }) => attemptsLeft);
    expect(left.toSorted()).toEqual([1, 2, 3, 4]);
    expect(await prisma().signInAttempt.findUniqueOrThrow({ where: { id: attemptId } })).toMatchObject({
      failedAttempts: 5,
      consumedAt: null,
    });
    expect(await completeEmailSignIn(browser, attemptId, code)).toMatchObject({
      code: "INVALID_CODE",
      attemptsLeft: 0,
    });
    expect(await prisma().account.findUnique({ where: { email } })).toBeNull();
  });

  it("is valid only in the browser that requested it", async () => {
    const email = newAddress();
    const { attemptId } = await startEmailSignIn(browser, email);
    const code = await waitForEmailCode(mail, email);
    const otherBrowser = createBrowserClient(stack.baseUrl);
    expect(await completeEmailSignIn(otherBrowser, attemptId, code)).toMatchObject({
      code: "INVALID_CODE",
      attemptsLeft: 0,
    });
    await startEmailSignIn(otherBrowser, newAddress());
    expect(await completeEmailSignIn(otherBrowser, attemptId, code)).toMatchObject({
      code: "INVALID_CODE",
      attemptsLeft: 0,
    });
    // Attempts in other browsers do not count.
    expect(await completeEmailSignIn(browser, attemptId, wrong(code))).toMatchObject({
      code: "INVALID_CODE",
      attemptsLeft: 4,
    });
    expect((await completeEmailSignIn(browser, attemptId, ` ${code.slice(0, 3)} ${code.slice(3)}`)).__typename).toBe(
      "SignInSuccess",
    );
  });

  it("expires after ten minutes", async () => {
    const email = newAddress();
    const { attemptId, expiresAt } = await startEmailSignIn(browser, email);
    expect(new Date(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(600_000);
    await prisma().signInAttempt.update({ where: { id: attemptId }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await completeEmailSignIn(browser, attemptId, await waitForEmailCode(mail, email))).toMatchObject({
      code: "INVALID_CODE",
    });
  });

  it("is stored as a hash that cannot be computed from the attempt and the code", async () => {
    const email = newAddress();
    const { attemptId } = await startEmailSignIn(browser, email);
    const code = await waitForEmailCode(mail, email);
    const row = await prisma().signInAttempt.findUniqueOrThrow({ where: { id: attemptId } });
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const stored = Buffer.from(row.codeHash ?? []).toString("hex");
    expect([code, `${attemptId}${code}`, `${attemptId}:${code}`, `${attemptId}\0${code}`].map(sha256)).not.toContain(
      stored,
    );
    expect(JSON.stringify(row)).not.toContain(code);
  });

  it("ignores a return path to another site", async () => {
    const email = newAddress();
    const { attemptId } = await startEmailSignIn(browser, email, "//evil.example/");
    expect((await completeEmailSignIn(browser, attemptId, await waitForEmailCode(mail, email))).returnTo).toBeNull();
  });

  it("signs in an administrator with an address in ADMIN_EMAILS", async () => {
    expect((await signInByEmail(browser, mail, "boss@people.example")).viewer.isAdministrator).toBe(true);
  });
});

describe("a request for a code", () => {
  it("has the same result, email and queries regardless of whether an account exists", async () => {
    const known = newAddress();
    await signInByEmail(browser, mail, known);
    const unknown = newAddress();
    const findUnique = vi.spyOn(prisma().account, "findUnique");
    const results = [];
    const visitor = createBrowserClient(stack.baseUrl);
    for (const email of [known, unknown]) results.push(await startEmailSignIn(visitor, email));
    // Without a query for the account, the two cases cannot be distinguished.
    expect(findUnique).not.toHaveBeenCalled();
    const texts: string[] = [];
    for (const email of [known, unknown]) texts.push((await waitForEmail(mail, email)).text ?? "");
    const withoutCode = texts.map((text) => text.replace(/^\d{3} \d{3}$/m, ""));
    expect(withoutCode[0]).toBe(withoutCode[1]);
    await completeEmailSignIn(visitor, results[1].attemptId, /^\d{3} \d{3}$/m.exec(texts[1] ?? "")?.[0] ?? "");
    expect(findUnique).toHaveBeenCalled();
    expect(results.map((result) => Object.keys(result))).toEqual([
      ["__typename", "attemptId", "expiresAt"],
      ["__typename", "attemptId", "expiresAt"],
    ]);
  });

  it.each([
    "",
    "nobody",
    "a@b@c",
    "a b@c.example",
    "a@c.example,d@c.example",
    "<a@c.example>",
    `${"a".repeat(250)}@c.example`,
  ])("rejects %j as an address", async (email) => {
    expect(await startEmailSignIn(browser, email)).toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("is limited to ten codes per address from one network, without effect on other networks", async () => {
    const email = newAddress();
    const requestCode = (ip: string) =>
      startEmailSignIn(createBrowserClient(stack.baseUrl, { forwardedFor: ip }), email);
    const results = [];
    for (let i = 0; i < 11; i++) results.push(await requestCode("198.51.100.7"));
    expect(results.map(({ code }) => code)).toEqual([...Array(10).fill(undefined), "RATE_LIMITED"]);
    expect(await requestCode("198.51.100.8")).toMatchObject({ attemptId: expect.any(String) });
  });

  it("is limited to twenty codes per address from all networks, without effect on other addresses", async () => {
    const email = newAddress();
    const from = (ip: string) => createBrowserClient(stack.baseUrl, { forwardedFor: ip });
    const results = [];
    for (let i = 0; i < 21; i++) results.push(await startEmailSignIn(from(`192.0.2.${i}`), email));
    expect(results.map(({ code }) => code)).toEqual([...Array(20).fill(undefined), "RATE_LIMITED"]);
    expect(await startEmailSignIn(from("192.0.2.1"), newAddress())).toMatchObject({ attemptId: expect.any(String) });
  });

  it("is limited to sixty codes per network, where an IPv6 /64 is one network", async () => {
    const [network, otherNetwork] = [newNetwork(), newNetwork()];
    const requestCode = (i: number) => {
      const visitor = createBrowserClient(stack.baseUrl, { forwardedFor: `${network}::${i.toString(16)}` });
      return startEmailSignIn(visitor, newAddress());
    };
    const results = await Promise.all(Array.from({ length: 65 }, (_, i) => requestCode(i)));
    expect(results.filter(({ code }) => code === "RATE_LIMITED")).toHaveLength(5);
    expect(
      await startEmailSignIn(createBrowserClient(stack.baseUrl, { forwardedFor: `${otherNetwork}::1` }), newAddress()),
    ).toMatchObject({
      attemptId: expect.any(String),
    });
  });

  describe("for an address whose limits others have exhausted from two networks", () => {
    const from = (ip: string) => createBrowserClient(stack.baseUrl, { forwardedFor: ip });
    const exhaust = async (email: string) => {
      const [one, two] = [`${newNetwork()}::1`, `${newNetwork()}::1`];
      for (let i = 0; i < 10; i++) await Promise.all([one, two].map((ip) => startEmailSignIn(from(ip), email)));
      expect(await startEmailSignIn(from(`${newNetwork()}::1`), email)).toMatchObject({ code: "RATE_LIMITED" });
    };
    /** Signs in with the newest code, because those that others requested were not read. */
    const signInAgain = async (visitor: BrowserClient, email: string) => {
      const { attemptId, code } = await startEmailSignIn(visitor, email);
      if (!attemptId) return code;
      const emails = mail.received.filter(({ recipients }) => recipients.includes(email));
      const [, first, last] = /^(\d{3}) (\d{3})$/m.exec(emails.at(-1)?.mail.text ?? "") ?? [];
      return (await completeEmailSignIn(visitor, attemptId, `${first}${last}`)).__typename;
    };

    it("reach a browser that signed in before, within its own limit, and passkeys still work", async () => {
      const email = newAddress();
      const [known, foreign] = [from(`${newNetwork()}::1`), from(`${newNetwork()}::1`)];
      await signInByEmail(known, mail, email);
      await signInByEmail(foreign, mail, newAddress());
      expect(known.received.find((line) => line.startsWith("satchel_known="))).toMatch(/HttpOnly.*SameSite=Lax/i);
      await exhaust(email);
      known.cookies.delete(SESSION_COOKIE);
      expect(await signInAgain(known, email)).toBe("SignInSuccess");
      expect(await startEmailSignIn(foreign, email)).toMatchObject({ code: "RATE_LIMITED" });
      const forged = from(`${newNetwork()}::1`);
      forged.cookies.set("satchel_known", `${known.cookies.get("satchel_known")?.slice(0, -4)}AAAA`);
      expect(await startEmailSignIn(forged, email)).toMatchObject({ code: "RATE_LIMITED" });
      const passkey = await forged.graphql("mutation { startPasskeySignIn { __typename } }");
      expect(passkey.startPasskeySignIn.__typename).toBe("StartPasskeySignInSuccess");
      const thief = from(`${newNetwork()}::1`);
      thief.cookies.set("satchel_known", known.cookies.get("satchel_known") ?? "");
      const results = [];
      for (let i = 0; i < 11; i++) results.push((await startEmailSignIn(thief, email)).code);
      expect(results).toEqual([...Array(10).fill(undefined), "RATE_LIMITED"]);
    });

    it("do not reach a browser that signed in before its account signed out everywhere", async () => {
      const email = newAddress();
      const [lost, current] = [from(`${newNetwork()}::1`), from(`${newNetwork()}::1`)];
      await signInByEmail(lost, mail, email);
      await signInByEmail(current, mail, email);
      await current.graphql("mutation { revokeOtherSessions { __typename } }");
      await exhaust(email);
      expect(await startEmailSignIn(lost, email)).toMatchObject({ code: "RATE_LIMITED" });
      expect(await startEmailSignIn(current, email)).toMatchObject({ attemptId: expect.any(String) });
    });
  });

  it("fails if the email cannot be sent", async () => {
    refusal = [550, "no such mailbox"];
    expect(await startEmailSignIn(browser, newAddress())).toMatchObject({ code: "MAIL_FAILED" });
    refusal = null;
  });
});

describe("change of the email address", () => {
  const START = `mutation ($email: String!) { startEmailChange(input: { email: $email }) {
    ... on StartEmailChangeSuccess { attemptId } ... on Error { code } } }`;
  const COMPLETE = `mutation ($id: ID!, $code: String!) { completeEmailChange(input: { attemptId: $id, code: $code }) {
    ... on CompleteEmailChangeSuccess { account { email } } ... on Error { code } } }`;
  const start = async (visitor: BrowserClient, email: string) =>
    (await visitor.graphql(START, { email })).startEmailChange;
  const complete = async (visitor: BrowserClient, id: string, code: string) =>
    (await visitor.graphql(COMPLETE, { id, code })).completeEmailChange;

  it("accepts a code sent to the new address and notifies the old one", async () => {
    const [before, after] = [newAddress(), newAddress()];
    await signInByEmail(browser, mail, before);
    const { attemptId } = await start(browser, after);
    expect(await complete(browser, attemptId, await waitForEmailCode(mail, after))).toEqual({
      account: { email: after },
    });
    await vi.waitFor(() => {
      expect(mail.received.findLast(({ recipients }) => recipients.includes(before))?.mail.subject).toMatch(
        /was changed/,
      );
    }, 20_000);
    expect(await signInByEmail(createBrowserClient(stack.baseUrl), mail, after)).toMatchObject({ isNewAccount: false });
  });

  it("reveals that another account has the address only after a correct code", async () => {
    const [own, other] = [newAddress(), newAddress()];
    await signInByEmail(createBrowserClient(stack.baseUrl), mail, other);
    await signInByEmail(browser, mail, own);
    const started = await start(browser, other);
    expect(started).toEqual({ attemptId: expect.any(String) });
    expect(await complete(browser, started.attemptId, await waitForEmailCode(mail, other))).toEqual({
      code: "INVALID_REQUEST",
    });
    expect(await prisma().account.count({ where: { email: own } })).toBe(1);
  });

  it("rejects codes of sign-ins, and sign-in rejects its codes", async () => {
    const [own, other] = [newAddress(), newAddress()];
    await signInByEmail(browser, mail, own);
    const change = await start(browser, other);
    expect(await completeEmailSignIn(browser, change.attemptId, await waitForEmailCode(mail, other))).toMatchObject({
      code: "INVALID_CODE",
    });
    const third = newAddress();
    const entry = await startEmailSignIn(browser, third);
    expect(await complete(browser, entry.attemptId, await waitForEmailCode(mail, third))).toEqual({
      code: "INVALID_CODE",
    });
  });

  it("requires a session with a proof of identity in the last ten minutes", async () => {
    const email = newAddress();
    const { viewer } = await signInByEmail(browser, mail, email);
    const authenticatedAt = new Date(Date.now() - 601_000);
    await prisma().session.update({ where: { id: viewer.session.sessionId }, data: { authenticatedAt } });
    expect(await start(browser, newAddress())).toEqual({ code: "REAUTHENTICATION_REQUIRED" });
    await signInByEmail(browser, mail, email);
    expect(await start(browser, newAddress())).toEqual({ attemptId: expect.any(String) });
    const { token } = await stack.account();
    const { json } = await stack.graphql(token, START, { email: newAddress() });
    expect(json.data.startEmailChange).toEqual({ code: "FORBIDDEN" });
  });
});
