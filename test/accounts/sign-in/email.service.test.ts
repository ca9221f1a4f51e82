// @module-tag postgresql
/** Signing in by a one-time code, through HTTP, with a real mail server. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { nextMailTo } from "../../support/mail-server.ts";
import { type SignInStack, startSignInStack } from "../../support/sign-in-stack.ts";
import type { Stack } from "../../support/stack.ts";
import { askForCode, codeFor, giveCode, openVisitor, signIn, type Visitor } from "../../support/visitor.ts";

let stack: Stack;
let mail: SignInStack["mail"];
let stop: () => Promise<void>;
let browser: Visitor;
/** What the mail server answers to every recipient. */
let refusal: [number, string] | null = null;
let people = 0;
const newAddress = () => `person${++people}@people.example`;
/** What a provider gives one customer: an IPv6 network of 64 bits. */
const newNetwork = () => `2001:db8:1:${(++people).toString(16)}`;

beforeAll(async () => {
  const env = { ADMIN_EMAILS: "Boss@people.example", TRUST_PROXY: "127.0.0.1" };
  ({ stack, mail, stop } = await startSignInStack({ env, refuse: () => refusal }));
});
afterAll(async () => {
  await stop();
});
beforeEach(() => {
  browser = openVisitor(stack.baseUrl);
});

const prisma = () => stack.service.deps.db.prisma;
const wrong = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

describe("a code", () => {
  it("opens an account with a wallet, credit and a session that may do all", async () => {
    const email = newAddress();
    const started = await askForCode(browser, ` ${email.toUpperCase()} `, "/consent?request=1");
    expect(started.__typename).toBe("StartEmailSignInSuccess");
    const entered = await giveCode(browser, started.attemptId, await codeFor(mail, email));
    expect(entered).toMatchObject({
      isNewAccount: true,
      returnTo: "/consent?request=1",
      viewer: { isAdministrator: false, account: { email }, session: { method: "EMAIL_CODE", isCurrent: true } },
    });
    expect(entered.viewer.sub).toBe(
      `did:web:${new URL(stack.baseUrl).host.replace(":", "%3A")}:users:${entered.viewer.account.accountId}`,
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
      await prisma().transaction.count({ where: { accountId: entered.viewer.account.accountId, type: "credit" } }),
    ).toBe(1);
  });

  it("signs into the same account the next time", async () => {
    const email = newAddress();
    const first = await signIn(browser, mail, email);
    const second = await signIn(openVisitor(stack.baseUrl), mail, email);
    expect(second).toMatchObject({ isNewAccount: false, viewer: { account: first.viewer.account } });
    expect(second.viewer.session.id).not.toBe(first.viewer.session.id);
  });

  it("comes in a letter that says what it is for, where it was asked for, and that nobody else asks", async () => {
    const email = newAddress();
    await askForCode(openVisitor(stack.baseUrl, { userAgent: "Buy at evil.example (Windows) Chrome/1" }), email);
    const { text = "", subject = "" } = await nextMailTo(mail, email);
    expect(text).toMatch(/your code to sign in to Satchel/);
    expect(text).toMatch(/Chrome on Windows, from the address 127\.0\.0\.1/);
    expect(text).toMatch(/never asks for it/);
    expect(text).not.toMatch(/evil/);
    expect(subject).not.toMatch(/\d/);
  });

  it("is good once: of twenty who give it at once, one is signed in", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = await codeFor(mail, email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => giveCode(browser.copy(), attemptId, code)));
    expect(answers.filter(({ __typename }) => __typename === "SignInSuccess")).toHaveLength(1);
    const account = await prisma().account.findUniqueOrThrow({ where: { email }, include: { sessions: true } });
    expect(account.sessions).toHaveLength(1);
  });

  it("opens one account when two codes for a new address are given at once", async () => {
    const email = newAddress();
    const attempts = [];
    for (const each of [browser, openVisitor(stack.baseUrl)]) {
      const { attemptId } = await askForCode(each, email);
      attempts.push({ each, attemptId, code: await codeFor(mail, email) });
    }
    const answers = await Promise.all(attempts.map(({ each, attemptId, code }) => giveCode(each, attemptId, code)));
    expect(new Set(answers.map(({ viewer }) => viewer.account.accountId)).size).toBe(1);
    expect(answers.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
  });

  it("counts five wrong tries of fifty at once, and then not even the right one is good", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = await codeFor(mail, email);
    const guesses = Array.from({ length: 50 }, (_, i) => String(i).padStart(6, "0")).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess) => giveCode(browser.copy(), attemptId, guess)));
    expect(answers.some(({ __typename }) => __typename === "SignInSuccess")).toBe(false);
    const left = answers.filter(({ attemptsLeft }) => attemptsLeft > 0).map(({ attemptsLeft }) => attemptsLeft);
    expect(left.toSorted()).toEqual([1, 2, 3, 4]);
    expect(await prisma().signInAttempt.findUniqueOrThrow({ where: { id: attemptId } })).toMatchObject({
      failedAttempts: 5,
      consumedAt: null,
    });
    expect(await giveCode(browser, attemptId, code)).toMatchObject({ code: "invalid_code", attemptsLeft: 0 });
    expect(await prisma().account.findUnique({ where: { email } })).toBeNull();
  });

  it("is good in the browser that asked for it alone", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = await codeFor(mail, email);
    const stranger = openVisitor(stack.baseUrl);
    expect(await giveCode(stranger, attemptId, code)).toMatchObject({ code: "invalid_code", attemptsLeft: 0 });
    await askForCode(stranger, newAddress());
    expect(await giveCode(stranger, attemptId, code)).toMatchObject({ code: "invalid_code", attemptsLeft: 0 });
    // Strangers use up no tries of whoever asked.
    expect(await giveCode(browser, attemptId, wrong(code))).toMatchObject({ code: "invalid_code", attemptsLeft: 4 });
    expect((await giveCode(browser, attemptId, ` ${code.slice(0, 3)} ${code.slice(3)}`)).__typename).toBe(
      "SignInSuccess",
    );
  });

  it("is no longer good after ten minutes", async () => {
    const email = newAddress();
    const { attemptId, expiresAt } = await askForCode(browser, email);
    expect(new Date(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(600_000);
    await prisma().signInAttempt.update({ where: { id: attemptId }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await giveCode(browser, attemptId, await codeFor(mail, email))).toMatchObject({ code: "invalid_code" });
  });

  it("is stored as a hash that its attempt and the code alone do not give", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = await codeFor(mail, email);
    const row = await prisma().signInAttempt.findUniqueOrThrow({ where: { id: attemptId } });
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const stored = Buffer.from(row.codeHash ?? []).toString("hex");
    expect([code, `${attemptId}${code}`, `${attemptId}:${code}`, `${attemptId}\0${code}`].map(sha256)).not.toContain(
      stored,
    );
    expect(JSON.stringify(row)).not.toContain(code);
  });

  it("keeps no address of another site to go to afterwards", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email, "//evil.example/");
    expect((await giveCode(browser, attemptId, await codeFor(mail, email))).returnTo).toBeNull();
  });

  it("makes an administrator of whoever reads the letters of a listed address", async () => {
    expect((await signIn(browser, mail, "boss@people.example")).viewer.isAdministrator).toBe(true);
  });
});

describe("whoever asks for a code", () => {
  it("gets the same answer, letter and work whether there is an account or not", async () => {
    const known = newAddress();
    await signIn(browser, mail, known);
    const unknown = newAddress();
    const look = vi.spyOn(prisma().account, "findUnique");
    const answers = [];
    const visitor = openVisitor(stack.baseUrl);
    for (const email of [known, unknown]) answers.push(await askForCode(visitor, email));
    // Nobody looks for the account, so there is nothing to tell the two apart by.
    expect(look).not.toHaveBeenCalled();
    const texts: string[] = [];
    for (const email of [known, unknown]) texts.push((await nextMailTo(mail, email)).text ?? "");
    const withoutCode = texts.map((text) => text.replace(/^\d{3} \d{3}$/m, ""));
    expect(withoutCode[0]).toBe(withoutCode[1]);
    await giveCode(visitor, answers[1].attemptId, /^\d{3} \d{3}$/m.exec(texts[1] ?? "")?.[0] ?? "");
    expect(look).toHaveBeenCalled();
    expect(answers.map((answer) => Object.keys(answer))).toEqual([
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
  ])("is told that %j is no address", async (email) => {
    expect(await askForCode(browser, email)).toMatchObject({ code: "invalid_request" });
  });

  it("waits after ten codes to one address from one network, which keeps nobody elsewhere from theirs", async () => {
    const email = newAddress();
    const ask = (ip: string) => askForCode(openVisitor(stack.baseUrl, { forwardedFor: ip }), email);
    const answers = [];
    for (let i = 0; i < 11; i++) answers.push(await ask("198.51.100.7"));
    expect(answers.map(({ code }) => code)).toEqual([...Array(10).fill(undefined), "rate_limited"]);
    expect(await ask("198.51.100.8")).toMatchObject({ attemptId: expect.any(String) });
  });

  it("waits after twenty codes to one address, whoever and wherever they are, and others do not", async () => {
    const email = newAddress();
    const from = (ip: string) => openVisitor(stack.baseUrl, { forwardedFor: ip });
    const answers = [];
    for (let i = 0; i < 21; i++) answers.push(await askForCode(from(`192.0.2.${i}`), email));
    expect(answers.map(({ code }) => code)).toEqual([...Array(20).fill(undefined), "rate_limited"]);
    expect(await askForCode(from("192.0.2.1"), newAddress())).toMatchObject({ attemptId: expect.any(String) });
  });

  it("waits after sixty codes from one network: an IPv6 customer is one, whatever address they use", async () => {
    const [network, another] = [newNetwork(), newNetwork()];
    const ask = (i: number) => {
      const visitor = openVisitor(stack.baseUrl, { forwardedFor: `${network}::${i.toString(16)}` });
      return askForCode(visitor, newAddress());
    };
    const answers = await Promise.all(Array.from({ length: 65 }, (_, i) => ask(i)));
    expect(answers.filter(({ code }) => code === "rate_limited")).toHaveLength(5);
    expect(await askForCode(openVisitor(stack.baseUrl, { forwardedFor: `${another}::1` }), newAddress())).toMatchObject(
      {
        attemptId: expect.any(String),
      },
    );
  });

  it("is told when the letter could not be sent", async () => {
    refusal = [550, "no such mailbox"];
    expect(await askForCode(browser, newAddress())).toMatchObject({ code: "mail_failed" });
    refusal = null;
  });
});

describe("changing the address", () => {
  const START = `mutation ($email: String!) { startEmailChange(input: { email: $email }) {
    ... on StartEmailChangeSuccess { attemptId } ... on Error { code } } }`;
  const COMPLETE = `mutation ($id: ID!, $code: String!) { completeEmailChange(input: { attemptId: $id, code: $code }) {
    ... on CompleteEmailChangeSuccess { account { email } } ... on Error { code } } }`;
  const start = async (visitor: Visitor, email: string) => (await visitor.graphql(START, { email })).startEmailChange;
  const complete = async (visitor: Visitor, id: string, code: string) =>
    (await visitor.graphql(COMPLETE, { id, code })).completeEmailChange;

  it("takes a code sent to the new one, and tells the old one", async () => {
    const [before, after] = [newAddress(), newAddress()];
    await signIn(browser, mail, before);
    const { attemptId } = await start(browser, after);
    expect(await complete(browser, attemptId, await codeFor(mail, after))).toEqual({ account: { email: after } });
    await vi.waitFor(() => {
      expect(mail.arrived.findLast(({ recipients }) => recipients.includes(before))?.mail.subject).toMatch(
        /was changed/,
      );
    }, 20_000);
    expect(await signIn(openVisitor(stack.baseUrl), mail, after)).toMatchObject({ isNewAccount: false });
  });

  it("says that another account has the address to nobody but who can read its letters", async () => {
    const [own, other] = [newAddress(), newAddress()];
    await signIn(openVisitor(stack.baseUrl), mail, other);
    await signIn(browser, mail, own);
    const started = await start(browser, other);
    expect(started).toEqual({ attemptId: expect.any(String) });
    expect(await complete(browser, started.attemptId, await codeFor(mail, other))).toEqual({ code: "invalid_request" });
    expect(await prisma().account.count({ where: { email: own } })).toBe(1);
  });

  it("is not signing in, and signing in is not it", async () => {
    const [own, other] = [newAddress(), newAddress()];
    await signIn(browser, mail, own);
    const change = await start(browser, other);
    expect(await giveCode(browser, change.attemptId, await codeFor(mail, other))).toMatchObject({
      code: "invalid_code",
    });
    const third = newAddress();
    const entry = await askForCode(browser, third);
    expect(await complete(browser, entry.attemptId, await codeFor(mail, third))).toEqual({ code: "invalid_code" });
  });

  it("needs a proof at most ten minutes old, and a person", async () => {
    const email = newAddress();
    const { viewer } = await signIn(browser, mail, email);
    const authenticatedAt = new Date(Date.now() - 601_000);
    await prisma().session.update({ where: { id: viewer.session.sessionId }, data: { authenticatedAt } });
    expect(await start(browser, newAddress())).toEqual({ code: "reauthentication_required" });
    await signIn(browser, mail, email);
    expect(await start(browser, newAddress())).toEqual({ attemptId: expect.any(String) });
    const { token } = await stack.account();
    const { json } = await stack.graphql(token, START, { email: newAddress() });
    expect(json.data.startEmailChange).toEqual({ code: "forbidden" });
  });
});
