/** Test helpers: the command line client in a process of its own, and a user with a browser. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginSession } from "../../src/accounts/sessions.ts";
import { COMPILE_CACHE } from "../support/satchel-process.ts";
import type { Stack } from "../support/stack.ts";

const MAIN = join(import.meta.dirname, "../../cli/main.ts");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  /** Resolves with the match once either stream contains it. */
  waitForOutput(pattern: RegExp): Promise<string>;
  readonly finished: Promise<Finished>;
  kill(): void;
}

export interface Cli {
  readonly configHome: string;
  start(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Running;
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Finished>;
}

/** Creates a client with its own configuration folder. `env` adds environment variables. */
export function openCli(env: Record<string, string> = {}): Cli {
  const configHome = join(mkdtempSync(join(tmpdir(), "satchel-cli-")), "config");
  // Outside of the checkout, whose folder may contain the file of another sandbox.
  const cwd = mkdtempSync(join(tmpdir(), "satchel-cwd-"));
  const cli: Cli = {
    configHome,
    start(args, { input, env: extraEnv = {} } = {}) {
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, ...args], {
        cwd,
        env: {
          PATH: process.env["PATH"] ?? "",
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          HOME: cwd,
          XDG_CONFIG_HOME: configHome,
          ...env,
          ...extraEnv,
        },
      });
      let stdout = "";
      let stderr = "";
      const listeners = new Set<() => void>();
      const notifyListeners = () => {
        for (const listener of listeners) listener();
      };
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        notifyListeners();
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
        notifyListeners();
      });
      child.stdin.end(input ?? "");
      const finished = new Promise<Finished>((resolve) =>
        child.on("close", (code) => resolve({ code, stdout, stderr })),
      );
      return {
        finished,
        kill: () => void child.kill("SIGKILL"),
        waitForOutput: (pattern) =>
          new Promise((resolve, reject) => {
            const checkOutput = () => {
              const [match] = pattern.exec(stdout + stderr) ?? [];
              if (match === undefined) return;
              listeners.delete(checkOutput);
              resolve(match);
            };
            listeners.add(checkOutput);
            checkOutput();
            finished.then(() =>
              reject(new Error(`The process ended without output matching ${pattern}: ${stdout}${stderr}`)),
            );
          }),
      };
    },
    run: (args, options) => cli.start(args, options).finished,
  };
  return cli;
}

export interface BrowserUser {
  /** Opens the authorization URL, approves or denies it, and returns the client's result page. */
  decide(authorizationUrl: string, approve: boolean): Promise<Response>;
  /** Approves or denies the authorization and returns the callback URL without opening it. */
  getCallbackUrl(authorizationUrl: string, approve: boolean): Promise<string>;
  /** Enters the code of a device and approves or denies its request. */
  decideDevice(userCode: string, approve: boolean): Promise<void>;
}

/** Creates a user who is signed in to the service in a browser. */
export async function openBrowserUser(stack: Stack, accountId: string): Promise<BrowserUser> {
  const { db, pubsub, site } = stack.service.deps;
  const secret = await beginSession({ db, pubsub }, { accountId, method: "email_code" }, { ip: null, userAgent: null });
  const cookie = `satchel_session=${secret}`;
  const follow = async (url: string): Promise<string> => {
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
    return new URL(next, url).href;
  };
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  const execute = async (query: string, variables: object): Promise<any> => {
    const response = await fetch(`${site.browserUrl()}/graphql`, {
      method: "POST",
      headers: {
        cookie,
        "content-type": "application/json",
        origin: site.browserUrl(),
        "sec-fetch-site": "same-origin",
      },
      body: JSON.stringify({ query, variables }),
    });
    return ((await response.json()) as { data: object }).data;
  };
  const submitDecision = async (requestId: string | null, approve: boolean): Promise<string> => {
    const query = `mutation ($input: DecideAuthorizationInput!) { decideAuthorization(input: $input) {
      ... on DecideAuthorizationSuccess { continueUrl } ... on Error { code message } } }`;
    const result = await execute(query, { input: { requestId, approve, dailyLimitUsd: "2" } });
    const { continueUrl } = result.decideAuthorization;
    if (!continueUrl) throw new Error(JSON.stringify(result));
    return continueUrl;
  };
  const user: BrowserUser = {
    async getCallbackUrl(authorizationUrl, approve) {
      let at = authorizationUrl;
      while (!/\/(?:consent|callback)\?/.test(at)) at = await follow(at);
      const requestId = new URL(at).searchParams.get("request");
      if (new URL(at).pathname === "/callback") return at;
      return await follow(await submitDecision(requestId, approve));
    },
    async decideDevice(userCode, approve) {
      const query = `mutation ($userCode: String!) { findDeviceRequest(input: { userCode: $userCode }) {
        ... on FindDeviceRequestSuccess { request { requestId } } ... on Error { code message } } }`;
      const { findDeviceRequest } = await execute(query, { userCode });
      await submitDecision(findDeviceRequest.request.requestId, approve);
    },
    decide: async (authorizationUrl, approve) => await fetch(await user.getCallbackUrl(authorizationUrl, approve)),
  };
  return user;
}
