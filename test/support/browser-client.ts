/** HTTP client that behaves like a browser: it stores cookies and sends the headers that identify its origin. */
import { parseCookie, parseSetCookie } from "cookie";
import { type MailServer, waitForEmail } from "./mail-server.ts";

export interface BrowserResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly json: any;
}

export interface BrowserClient {
  readonly baseUrl: string;
  /** Stored cookies by name; tests may add others. */
  readonly cookies: Map<string, string>;
  /** All received `Set-Cookie` headers. */
  readonly received: string[];
  request(path: string, init?: RequestInit): Promise<BrowserResponse>;
  /** Sends an operation like the service's own pages. Returns `data`; throws if the response has `errors`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  graphql(query: string, variables?: object): Promise<any>;
  /** Returns the cookies as a `Cookie` header. */
  cookieHeader(): string;
  /** Returns another client with a copy of the current cookies. */
  copy(): BrowserClient;
}

/** @param options.forwardedFor IP address in the header of a trusted proxy */
export function createBrowserClient(
  baseUrl: string,
  options: { userAgent?: string; forwardedFor?: string } = {},
): BrowserClient {
  const own = {
    "user-agent": options.userAgent ?? "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    ...(options.forwardedFor ? { "x-forwarded-for": options.forwardedFor } : {}),
  };
  const cookies = new Map<string, string>();
  const received: string[] = [];
  const browser: BrowserClient = {
    baseUrl,
    cookies,
    received,
    async request(path, init = {}) {
      const { headers, ...rest } = init;
      const response = await fetch(new URL(path, baseUrl), {
        redirect: "manual",
        ...rest,
        headers: { ...own, cookie: browser.cookieHeader(), ...(headers as Record<string, string>) },
      });
      for (const line of response.headers.getSetCookie()) {
        received.push(line);
        const { name, value = "", maxAge } = parseSetCookie(line);
        if (maxAge === 0) cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      let json: unknown = null;
      try {
        json = JSON.parse(text);
      } catch {}
      return { status: response.status, headers: response.headers, text, json };
    },
    async graphql(query, variables = {}) {
      const { json } = await browser.request("/graphql", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: new URL(baseUrl).origin,
          "sec-fetch-site": "same-origin",
        },
        body: JSON.stringify({ query, variables }),
      });
      if (json.errors) throw new Error(JSON.stringify(json.errors));
      return json.data;
    },
    cookieHeader: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    copy() {
      const other = createBrowserClient(baseUrl, options);
      for (const [name, value] of Object.entries(parseCookie(browser.cookieHeader())))
        other.cookies.set(name, value ?? "");
      return other;
    },
  };
  return browser;
}

export const SESSION_COOKIE = "satchel_session";

const START = `mutation ($input: StartEmailSignInInput!) { startEmailSignIn(input: $input) {
  __typename ... on StartEmailSignInSuccess { attemptId expiresAt } ... on Error { code message } } }`;
const COMPLETE = `mutation ($input: CompleteEmailSignInInput!) { completeEmailSignIn(input: $input) {
  __typename ... on SignInSuccess { isNewAccount returnTo viewer { sub isAdministrator account { accountId email } session { id sessionId method isCurrent } } }
  ... on InvalidCodeError { attemptsLeft } ... on Error { code message } } }`;

/** Starts an email sign-in, which sends a code. */
export async function startEmailSignIn(browser: BrowserClient, email: string, returnTo: string | null = null) {
  return (await browser.graphql(START, { input: { email, returnTo } })).startEmailSignIn;
}

/** Completes an email sign-in with the code. */
export async function completeEmailSignIn(browser: BrowserClient, attemptId: string, code: string) {
  return (await browser.graphql(COMPLETE, { input: { attemptId, code } })).completeEmailSignIn;
}

/** Waits for the next email to the address and returns its code. */
export async function waitForEmailCode(mail: MailServer, email: string): Promise<string> {
  const { text = "" } = await waitForEmail(mail, email);
  const [, first, last] = /^(\d{3}) (\d{3})$/m.exec(text) ?? [];
  if (!first || !last) throw new Error(`The email to ${email} has no code.`);
  return first + last;
}

/** Signs in by email. Creates the account if the address is new. */
export async function signInByEmail(browser: BrowserClient, mail: MailServer, email: string) {
  const { attemptId } = await startEmailSignIn(browser, email);
  return await completeEmailSignIn(browser, attemptId, await waitForEmailCode(mail, email));
}
