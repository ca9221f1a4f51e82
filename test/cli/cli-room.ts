/** Runs the real command line client in a process of its own, and plays the person at the browser. */
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
  /** Resolves with what matched once it was written to either stream. */
  says(pattern: RegExp): Promise<string>;
  readonly finished: Promise<Finished>;
  kill(): void;
}

export interface Cli {
  readonly configHome: string;
  start(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Running;
  run(args: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Finished>;
}

/** A machine with a configuration folder of its own; `env` replaces what a shell would set. */
export function openCli(env: Record<string, string> = {}): Cli {
  const configHome = join(mkdtempSync(join(tmpdir(), "satchel-cli-")), "config");
  // Away from the checkout, whose sandbox is another's.
  const cwd = mkdtempSync(join(tmpdir(), "satchel-cwd-"));
  const cli: Cli = {
    configHome,
    start(args, { input, env: more = {} } = {}) {
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN, ...args], {
        cwd,
        env: {
          PATH: process.env["PATH"] ?? "",
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          HOME: cwd,
          XDG_CONFIG_HOME: configHome,
          ...env,
          ...more,
        },
      });
      let stdout = "";
      let stderr = "";
      const listeners = new Set<() => void>();
      const heard = () => {
        for (const listener of listeners) listener();
      };
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        heard();
      });
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
        heard();
      });
      child.stdin.end(input ?? "");
      const finished = new Promise<Finished>((resolve) =>
        child.on("close", (code) => resolve({ code, stdout, stderr })),
      );
      return {
        finished,
        kill: () => void child.kill("SIGKILL"),
        says: (pattern) =>
          new Promise((resolve, reject) => {
            const look = () => {
              const [match] = pattern.exec(stdout + stderr) ?? [];
              if (match === undefined) return;
              listeners.delete(look);
              resolve(match);
            };
            listeners.add(look);
            look();
            finished.then(() => reject(new Error(`It ended without saying ${pattern}: ${stdout}${stderr}`)));
          }),
      };
    },
    run: (args, options) => cli.start(args, options).finished,
  };
  return cli;
}

export interface Person {
  /** Follows the address the client printed and decides; answers the page the client shows at the end. */
  decide(authorizationUrl: string, approve: boolean): Promise<Response>;
  /** The address of the client's listener that the browser would be sent to. */
  answerTo(authorizationUrl: string, approve: boolean): Promise<string>;
}

/** Somebody who is signed in to the service in their browser. */
export async function openPerson(stack: Stack, accountId: string): Promise<Person> {
  const { db, pubsub, site } = stack.service.deps;
  const secret = await beginSession({ db, pubsub }, { accountId, method: "email_code" }, { ip: null, userAgent: null });
  const cookie = `satchel_session=${secret}`;
  const follow = async (url: string): Promise<string> => {
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    const next = response.headers.get("location");
    if (next === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    return new URL(next, url).href;
  };
  const person: Person = {
    async answerTo(authorizationUrl, approve) {
      let at = authorizationUrl;
      while (!/\/(?:consent|callback)\?/.test(at)) at = await follow(at);
      const requestId = new URL(at).searchParams.get("request");
      if (new URL(at).pathname === "/callback") return at;
      const response = await fetch(`${site.browserUrl()}/graphql`, {
        method: "POST",
        headers: {
          cookie,
          "content-type": "application/json",
          origin: site.browserUrl(),
          "sec-fetch-site": "same-origin",
        },
        body: JSON.stringify({
          query: `mutation ($input: DecideAuthorizationInput!) { decideAuthorization(input: $input) {
            ... on DecideAuthorizationSuccess { continueUrl } ... on Error { code message } } }`,
          variables: { input: { requestId, approve, dailyLimitUsd: "2" } },
        }),
      });
      const answer = (await response.json()) as { data: { decideAuthorization: { continueUrl?: string } } };
      const { continueUrl } = answer.data.decideAuthorization;
      if (!continueUrl) throw new Error(JSON.stringify(answer));
      return await follow(continueUrl);
    },
    decide: async (authorizationUrl, approve) => await fetch(await person.answerTo(authorizationUrl, approve)),
  };
  return person;
}
