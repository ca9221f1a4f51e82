/** Signing in by a one-time code, through HTTP, with a real mail server. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  askForCode,
  BROWSER_COOKIE,
  codeFor,
  giveCode,
  openVisitor,
  SESSION_COOKIE,
  signIn,
  type Visitor,
} from "../../support/visitor.ts";
import { openMailServer } from "../../support/mail-server.ts";
import { type Stack, startStack } from "../../support/stack.ts";

let stack: Stack;
let mail: Awaited<ReturnType<typeof openMailServer>>;
let browser: Visitor;
const closing: (() => Promise<void>)[] = [];
let people = 0;
const newAddress = () => `person${(people += 1)}@people.example`;

beforeAll(async () => {
  mail = await openMailServer({ closeWith: (close) => void closing.push(close) });
  stack = await startStack({ env: { SMTP_URL: mail.url, ADMIN_EMAILS: "Boss@people.example" } });
});
afterAll(async () => {
  await stack.stop();
  for (const close of closing) await close();
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
    const entered = await giveCode(browser, started.attemptId, codeFor(mail, email));
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
    await askForCode(openVisitor(stack.baseUrl, "Buy at evil.example (Windows) Chrome/1"), email);
    const { text = "", subject = "" } =
      mail.arrived.findLast(({ recipients }) => recipients.includes(email))?.mail ?? {};
    expect(text).toMatch(/your code to sign in to Satchel/);
    expect(text).toMatch(/Chrome on Windows, from the address 127\.0\.0\.1/);
    expect(text).toMatch(/never asks for it/);
    expect(text).not.toMatch(/evil/);
    expect(subject).not.toMatch(/\d/);
  });

  it("is good once: of twenty who give it at once, one is signed in", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = codeFor(mail, email);
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
      attempts.push({ each, attemptId, code: codeFor(mail, email) });
    }
    const answers = await Promise.all(attempts.map(({ each, attemptId, code }) => giveCode(each, attemptId, code)));
    expect(new Set(answers.map(({ viewer }) => viewer.account.accountId)).size).toBe(1);
    expect(answers.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
  });

  it("counts five wrong tries of fifty at once, and then not even the right one is good", async () => {
    const email = newAddress();
    const { attemptId } = await askForCode(browser, email);
    const code = codeFor(mail, email);
    const guesses = Array.from({ length: 50 }, (_, i) => String(i).padStart(6, "0")).filter((guess) => guess !== code);
    const answers = await Promise.all(guesses.map((guess) => giveCode(browser.copy(), attemptId, guess)));
    expect(answers.some(({ __typename }) => __typename === "SignInSuccess")).toBe(false);
    const left = answers.filter(({ attemptsLeft }) => attemptsLeft > 0).map(({ attemptsLeft }) => attemptsLeft);
    expect(left.toSorted()).toEqual([1, 2, 3, 4]);
    expect(await prisma().signInAttempt.findUniqueOrThrow({ where: { id: attemptId } })).toMatchObject({
      failedAttempts: 5,
      consumedAt: null,
    });
    await stack.service.deps.rateLimiter.consume("sign_in_email_guess", "elsewhere", 1);
    expect((await giveCode(browser, attemptId, code)).__typename).toMatch(/InvalidCodeError|RateLimitedError/);
    expect(await prisma().account.findUnique({ where: { email } })).toBeNull();
  });
});
