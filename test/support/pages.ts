/** The pages as a person meets them: a real browser on the whole service. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { expect, onTestFinished, vi } from "vitest";
import { ensureBuilt } from "../../web/build.ts";
import { sharedBrowser } from "./browser.ts";
import { type Stack, type StackOptions, sharedStack, startStack } from "./stack.ts";

/** Minified: half as much is sent to each page and read there. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const SCREENSHOTS = join(import.meta.dirname, "../../test-output/web");
const PHONE = { width: 375, height: 740 };
/** A service with its sandbox, a browser and perhaps a build begin at once, on a machine that may have other things to do. */
export const START_TIMEOUT_MS = 180_000;
/** Shorter than a test may take, so that what did not come about is named. */
const ACTION_TIMEOUT_MS = 20_000;
const DESK = { width: 1200, height: 900 };

export interface Person {
  readonly page: Page;
  /** What the browser complained of: refused by the content security policy, thrown by a page. */
  readonly complaints: string[];
  /** A device that keeps passkeys, and lets them be used without asking. */
  addAuthenticator(): Promise<Authenticator>;
}

export interface Authenticator {
  passkeyCount(): Promise<number>;
}

export interface Pages {
  readonly stack: Stack;
  readonly browser: Browser;
  /** As browsers know the service: passkeys need a host name. */
  readonly origin: string;
  /** Somebody with a browser of their own, which is closed when the test ends. */
  person(options?: BrowserContextOptions): Promise<Person>;
  /** The digits of the next code sent to an address, once they have arrived; what was read before is not read again. */
  codeSentTo(email: string): Promise<string>;
  /** Signs in by the pages, with a code. */
  signIn(person: Person, email: string, path?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Pages of the shared stack, or with options of a stack of the file's own. The browser is the worker's. */
export async function openPages(options?: StackOptions): Promise<Pages> {
  await ensureBuilt(() => {});
  const own = options ? await startStack({ networks: ["base-sepolia"], ...options }) : null;
  const stack = own ?? (await sharedStack());
  const browser = await sharedBrowser();
  const origin = stack.service.deps.site.browserUrl();

  return {
    stack,
    browser,
    origin,
    codeSentTo: (email) => nextCode(stack, email),
    async person(contextOptions = {}) {
      const context = await browser.newContext({
        baseURL: origin,
        viewport: DESK,
        reducedMotion: "reduce",
        ...contextOptions,
      });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(ACTION_TIMEOUT_MS);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      return { page, complaints, addAuthenticator: async () => addAuthenticator(await context.newCDPSession(page)) };
    },
    async signIn({ page }, email, path = "/dashboard") {
      await page.goto(`/sign-in?${new URLSearchParams({ return_to: path })}`);
      await page.getByLabel("Email address").fill(email);
      await page.getByRole("button", { name: "Send code" }).click();
      const code = page.getByLabel("Code");
      await code.waitFor();
      await code.fill(await nextCode(stack, email));
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL((url) => url.pathname + url.search === path);
    },
    stop: async () => own?.stop(),
  };
}

/** The message that was last read, by stack and address. */
const lastRead = new WeakMap<Stack, Map<string, number>>();

/** @throws when no code arrives in time that was not read before */
async function nextCode(stack: Stack, email: string): Promise<string> {
  const read = lastRead.get(stack) ?? new Map<string, number>();
  lastRead.set(stack, read);
  return await vi.waitFor(
    async () => {
      for (const { id, text } of await messagesTo(stack, email)) {
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

/** What the sandbox's mail server got for an address so far, newest first. */
export async function messagesTo(stack: Stack, email: string) {
  const answer = await fetch(`${stack.sandbox?.mailUrl}/messages?to=${encodeURIComponent(email)}`);
  const { messages } = (await answer.json()) as { messages: { id: string; subject: string; text: string }[] };
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
 * Holds the page as it stands against what everybody needs: no serious finding of axe in light and in dark, no sideways
 * scrolling on a phone, no complaint of the browser. With SCREENSHOTS=1 it leaves pictures of all three.
 */
export async function judge({ page, complaints }: Person, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // In the dark nothing but colours is another.
    const findings = await seriousFindings(page, colorScheme === "light" ? "all" : "colours");
    expect(findings, `${name}, ${colorScheme}`).toEqual([]);
    await keepPicture(page, `${name}-${colorScheme}`);
  }
  await page.setViewportSize(PHONE);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  await keepPicture(page, `${name}-phone`);
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
  expect(overflow, `${name} scrolls sideways on a phone`).toBeLessThanOrEqual(0);
  expect(complaints, name).toEqual([]);
}

/** Leaves a picture of the whole page in `test-output/web` where SCREENSHOTS=1 asks for them. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env["SCREENSHOTS"] !== "1") return;
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** What axe finds serious or critical on the page as it stands. */
export async function seriousFindings(page: Page, rules: "all" | "colours" = "all"): Promise<string[]> {
  // Evaluated, not added as a script element: the page's policy would refuse that.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(AXE);
  const options = {
    resultTypes: ["violations"],
    // Neither is needed: repeated requests for style sheets, and results from frames without axe.
    preload: false,
    iframes: false,
    ...(rules === "colours" && { runOnly: ["color-contrast", "link-in-text-block"] }),
  };
  const findings = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join("; ")))`);
  return findings as string[];
}
