/** Page tests: a real browser on the complete service. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { expect, onTestFinished, vi } from "vitest";
import { ensureBuilt } from "../../web/build.ts";
import { getSharedBrowser } from "./browser.ts";
import { type Stack, type StackOptions, sharedStack, startStack } from "./stack.ts";

/** Minified: halves the code sent to and parsed by each page. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const SCREENSHOTS = join(import.meta.dirname, "../../test-output/web");
const PHONE = { width: 375, height: 740 };
/** Time for a concurrent start of the service, its sandbox, a browser and possibly a build on a busy machine. */
export const START_TIMEOUT_MS = 180_000;
/** Shorter than the test timeout, so that the error names the failed action. */
const ACTION_TIMEOUT_MS = 20_000;
const DESKTOP = { width: 1200, height: 900 };

export interface PageUser {
  readonly page: Page;
  /** Browser errors: blocked by the content security policy or thrown by a page. */
  readonly browserErrors: string[];
  /** Adds a virtual authenticator that stores passkeys and uses them without a prompt. */
  addAuthenticator(): Promise<Authenticator>;
}

export interface Authenticator {
  passkeyCount(): Promise<number>;
}

export interface Pages {
  readonly stack: Stack;
  readonly browser: Browser;
  /** Origin for browsers, with a host name as passkeys require. */
  readonly origin: string;
  /** Opens a browser context for a user. It closes when the test ends. */
  openUser(options?: BrowserContextOptions): Promise<PageUser>;
  /** Waits for the next code sent to an address and returns its digits. Each code is returned once. */
  waitForCode(email: string): Promise<string>;
  /** Signs in on the pages with a code. */
  signIn(person: PageUser, email: string, path?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the pages of the shared stack or, with options, of a new stack. The browser is shared within the worker. */
export async function openPages(options?: StackOptions): Promise<Pages> {
  await ensureBuilt(() => {});
  const own = options ? await startStack({ networks: ["base-sepolia"], ...options }) : null;
  const stack = own ?? (await sharedStack());
  const browser = await getSharedBrowser();
  const origin = stack.service.deps.site.browserUrl();

  return {
    stack,
    browser,
    origin,
    waitForCode: (email) => waitForCode(stack, email),
    async openUser(contextOptions = {}) {
      const context = await browser.newContext({
        baseURL: origin,
        viewport: DESKTOP,
        reducedMotion: "reduce",
        ...contextOptions,
      });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(ACTION_TIMEOUT_MS);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      return {
        page,
        browserErrors: complaints,
        addAuthenticator: async () => addAuthenticator(await context.newCDPSession(page)),
      };
    },
    async signIn({ page }, email, path = "/dashboard") {
      await page.goto(`/sign-in?${new URLSearchParams({ return_to: path })}`);
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Send code" }).click();
      const code = page.getByLabel("Code");
      await code.waitFor();
      await code.fill(await waitForCode(stack, email));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((url) => url.pathname + url.search === path);
    },
    stop: async () => own?.stop(),
  };
}

/** Id of the last read message, by stack and address. */
const lastRead = new WeakMap<Stack, Map<string, number>>();

/** @throws if no new code arrives in time */
async function waitForCode(stack: Stack, email: string): Promise<string> {
  const read = lastRead.get(stack) ?? new Map<string, number>();
  lastRead.set(stack, read);
  return await vi.waitFor(
    async () => {
      for (const { id, text } of await fetchMessages(stack, email)) {
        const code = id > (read.get(email) ?? 0) && /^\d{3} \d{3}$/m.exec(text)?.[0];
        if (!code) continue;
        read.set(email, id);
        return code;
      }
      throw new Error(`No new code for ${email} arrived.`);
    },
    { timeout: ACTION_TIMEOUT_MS },
  );
}

/** Returns the messages that the sandbox's mail server received for an address, newest first. */
export async function fetchMessages(stack: Stack, email: string) {
  const response = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(email)}`);
  const { messages } = (await response.json()) as { messages: { id: string; subject: string; text: string }[] };
  return messages.map(({ id, ...message }) => ({ id: Number(id), ...message }));
}

async function addAuthenticator(session: CDPSession): Promise<Authenticator> {
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async passkeyCount() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.length;
    },
  };
}

/**
 * Checks the current page: no serious axe finding in light and dark mode, no horizontal scrolling on a phone, no browser
 * error. With SCREENSHOTS=1 it saves a screenshot of each.
 */
export async function checkPage({ page, browserErrors: complaints }: PageUser, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Dark mode changes only colours.
    const findings = await findSeriousIssues(page, colorScheme === "light" ? "all" : "colours");
    expect(findings, `${name}, ${colorScheme}`).toEqual([]);
    await saveScreenshot(page, `${name}-${colorScheme}`);
  }
  await page.setViewportSize(PHONE);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  await saveScreenshot(page, `${name}-phone`);
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "light" });
  expect(overflow, `${name} scrolls horizontally on a phone`).toBeLessThanOrEqual(0);
  expect(complaints, name).toEqual([]);
}

/** With SCREENSHOTS=1, saves a screenshot of the full page in `test-output/web`. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (process.env["SCREENSHOTS"] !== "1") return;
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Returns the serious and critical axe findings of the current page. */
export async function findSeriousIssues(page: Page, rules: "all" | "colours" = "all"): Promise<string[]> {
  // Evaluated, not added as a script element: the page's content security policy would block that.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
  const options = {
    resultTypes: ["violations"],
    // Avoids repeated requests for style sheets and results from frames without axe.
    preload: false,
    iframes: false,
    ...(rules === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }),
  };
  const findings = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join("; ")))`);
  return findings as string[];
}
