/** Signing in and out through the browser (spec section 4.2, "Command-line client"). */
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "../../src/accounts/secret-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { type BrowserUser, type Cli, openBrowserUser, openCli } from "./cli-harness.ts";

const URL_SHOWN = /http:\/\/[^\s"]+\/oauth\/authorize\?[^\s"]+/;

let stack: Stack;
let account: TestAccount;
let user: BrowserUser;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  user = await openBrowserUser(stack, account.accountId);
});

const machine = () => openCli({ SATCHEL_URL: stack.baseUrl });
const file = (cli: Cli) => join(cli.configHome, "satchel/credentials.json");
const readStored = async (cli: Cli) => JSON.parse(await readFile(file(cli), "utf8"));
const getSubject = () => `did:web:${encodeURIComponent(new URL(stack.baseUrl).host)}:users:${account.accountId}`;

async function signIn(cli: Cli = machine()): Promise<Cli> {
  const login = cli.start(["login", "--no-browser", "--json"]);
  await user.decide(await login.waitForOutput(URL_SHOWN), true);
  expect(await login.finished).toMatchObject({ code: 0 });
  return cli;
}

/** Sets the remaining lifetime of the stored access token. */
async function setRemainingLifetime(cli: Cli, leftMs: number): Promise<void> {
  const content = await readStored(cli);
  content.services[stack.baseUrl].expiresAtMs = Date.now() + leftMs;
  await writeFile(file(cli), JSON.stringify(content));
}

describe("login", () => {
  it("authorizes in the browser with PKCE and stores tokens that only the current user can read", async () => {
    const cli = machine();
    const login = cli.start(["login", "--no-browser"]);
    const url = new URL(await login.waitForOutput(URL_SHOWN));
    const parameters = Object.fromEntries(url.searchParams);
    expect(parameters).toMatchObject({
      client_id: "service_cli",
      response_type: "code",
      code_challenge_method: "S256",
    });
    expect(parameters["redirect_uri"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const page = await user.decide(url.href, true);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("You can close this window");
    const { code, stdout, stderr } = await login.finished;
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["Signed in to", stack.baseUrl],
      ["Account", getSubject()],
      ["Scopes", "payments:sign balance:read transactions:read"],
      ["Expires", expect.stringMatching(/^\d{4}-.*Z$/)],
      [""],
    ]);
    const { services } = await readStored(cli);
    const { accessToken, refreshToken, expiresAtMs } = services[stack.baseUrl];
    expect([accessToken.slice(0, 11), refreshToken.slice(0, 11)]).toEqual(["satchel_at_", "satchel_rt_"]);
    expect((expiresAtMs - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
    expect(stdout + stderr).not.toContain("satchel_");
    expect(stdout + stderr).not.toContain("\x1b");
    expect((await stat(file(cli))).mode & 0o777).toBe(0o600);
    expect((await stat(join(cli.configHome, "satchel"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(cli.configHome, "satchel"))).toEqual(["credentials.json"]);
  });

  it("rejects responses to another sign-in and other requests, and continues to wait", async () => {
    const login = machine().start(["login", "--no-browser"]);
    const url = await login.waitForOutput(URL_SHOWN);
    const callback = new URL(await user.getCallbackUrl(url, true));
    const foreign = new URL(callback);
    foreign.searchParams.set("state", "another");
    expect((await fetch(foreign)).status).toBe(400);
    expect((await fetch(new URL("/", callback))).status).toBe(404);
    expect((await fetch(callback, { method: "POST" })).status).toBe(404);
    expect((await fetch(callback)).status).toBe(200);
    expect((await login.finished).code).toBe(0);
  });

  it("rejects a response of another issuer", async () => {
    const cli = machine();
    const login = cli.start(["login", "--no-browser"]);
    const callback = new URL(await user.getCallbackUrl(await login.waitForOutput(URL_SHOWN), true));
    callback.searchParams.set("iss", "https://evil.example");
    expect((await fetch(callback)).status).toBe(400);
    const { code, stderr } = await login.finished;
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be trusted");
    await expect(readStored(cli)).rejects.toThrow("ENOENT");
  });

  it("reports that the user denied access", async () => {
    const cli = machine();
    await disconnectClient();
    const login = cli.start(["login", "--no-browser"]);
    const page = await user.decide(await login.waitForOutput(URL_SHOWN), false);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("You denied access");
    const { code, stderr } = await login.finished;
    expect(code).toBe(3);
    expect(stderr).toContain("You denied access");
  });

  it("times out with its own exit code", async () => {
    const { code, stderr } = await machine().run(["login", "--no-browser", "--timeout", "1"]);
    expect(code).toBe(4);
    expect(stderr).toContain("Sign-in timed out after 1 seconds");
    expect(await machine().run(["login", "--timeout", "301"])).toMatchObject({ code: 2 });
  });

  it("requires a service at its issuer URL, and https except on loopback addresses", async () => {
    const cli = openCli();
    expect(await cli.run(["login", "--base-url", "http://127.0.0.1:9"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Cannot connect to http://127.0.0.1:9"),
    });
    const other = stack.baseUrl.replace("127.0.0.1", "localhost");
    expect(await cli.run(["login", "--base-url", other])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`--base-url ${stack.baseUrl}`),
    });
    for (const url of ["http://satchel.example", "ftp://satchel.example", "satchel", "https://ada@satchel.example"]) {
      expect(await cli.run(["login", "--base-url", url]), url).toMatchObject({ code: 2 });
    }
  });

  it("replaces and revokes an earlier sign-in", async () => {
    const cli = await signIn();
    const before = (await readStored(cli)).services[stack.baseUrl];
    await signIn(cli);
    const after = (await readStored(cli)).services[stack.baseUrl];
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(
      (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${before.accessToken}` }))
        .status,
    ).toBe(401);
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
  });
});

describe("a sign-in", () => {
  it("is selected by --base-url, SATCHEL_URL or as the last one", async () => {
    const cli = openCli();
    const login = cli.start(["login", "--no-browser", "--base-url", `${stack.baseUrl}/`]);
    await user.decide(await login.waitForOutput(URL_SHOWN), true);
    expect((await login.finished).code).toBe(0);
    for (const [args, env] of [
      [["whoami", "--base-url", stack.baseUrl], {}],
      [["whoami"], { SATCHEL_URL: stack.baseUrl }],
      [["whoami"], {}],
    ] as [string[], Record<string, string>][]) {
      const { code, stdout } = await cli.run([...args, "--json"], { env });
      expect([code, JSON.parse(stdout).sub]).toEqual([0, getSubject()]);
    }
    expect(await cli.run(["whoami", "--base-url", "http://127.0.0.1:9"])).toMatchObject({ code: 3 });
  });

  it("is refreshed five minutes before it expires, once for concurrent commands", async () => {
    const cli = await signIn();
    const first = (await readStored(cli)).services[stack.baseUrl];
    await setRemainingLifetime(cli, 301_000);
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
    expect((await readStored(cli)).services[stack.baseUrl].accessToken).toBe(first.accessToken);
    await setRemainingLifetime(cli, 299_000);
    const all = await Promise.all(Array.from({ length: 4 }, () => cli.run(["whoami", "--json"])));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(all.map(({ stdout }) => JSON.parse(stdout).expiresAt)).size).toBe(1);
    const second = (await readStored(cli)).services[stack.baseUrl];
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((second.expiresAtMs - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
    expect(
      await stack.service.deps.db.prisma.oAuthToken.count({
        where: { kind: "refresh", familyId: await getTokenFamily(second.refreshToken) },
      }),
    ).toBe(2);
  });

  it("remains usable after a command was killed while it held the lock", async () => {
    const cli = await signIn();
    await setRemainingLifetime(cli, 0);
    const lock = join(cli.configHome, "satchel/credentials.lock");
    await writeFile(lock, "1 gone");
    await utimes(lock, new Date(0), new Date(0));
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
    expect(await readdir(join(cli.configHome, "satchel"))).toEqual(["credentials.json"]);
  });

  it("that was revoked is reported as ended, and its tokens are deleted", async () => {
    const cli = await signIn();
    await disconnectClient();
    const rejected = await cli.run(["balance"]);
    expect(rejected).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("has ended") });
    await setRemainingLifetime(cli, 0);
    expect(await cli.run(["balance"])).toMatchObject({ code: 3, stderr: expect.stringContaining("has ended") });
    expect((await readStored(cli)).services).toEqual({});
    expect(await cli.run(["balance", "--json"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"error":"not_signed_in"'),
    });
  });

  it("restricts an existing configuration folder to the current user", async () => {
    const cli = machine();
    await mkdir(join(cli.configHome, "satchel"), { recursive: true });
    await chmod(join(cli.configHome, "satchel"), 0o755);
    await signIn(cli);
    expect((await stat(join(cli.configHome, "satchel"))).mode & 0o777).toBe(0o700);
  });
});

describe("logout", () => {
  it("revokes the tokens at the service and deletes them locally", async () => {
    const cli = await signIn();
    const { accessToken } = (await readStored(cli)).services[stack.baseUrl];
    expect(await cli.run(["logout"])).toMatchObject({ code: 0, stdout: `Signed out of ${stack.baseUrl}.\n` });
    expect(await readStored(cli)).toEqual({ version: 1, lastUsed: null, services: {} });
    expect(
      (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${accessToken}` })).status,
    ).toBe(401);
    expect(await cli.run(["logout", "--json"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"wasSignedIn": false'),
    });
  });

  it("deletes the tokens even if the service is unreachable", async () => {
    const cli = await signIn();
    const content = await readStored(cli);
    const unreachable = "http://127.0.0.1:9";
    await writeFile(
      file(cli),
      JSON.stringify({ ...content, services: { [unreachable]: content.services[stack.baseUrl] } }),
    );
    const { code, stderr } = await cli.run(["logout", "--base-url", unreachable]);
    expect(code).toBe(1);
    expect(stderr).toContain("disconnect the app in the dashboard");
    expect((await readStored(cli)).services).toEqual({});
  });
});

/** Disconnects the client as the user would in the dashboard. */
async function disconnectClient(): Promise<void> {
  const LIST = "{ viewer { connectedApps { edges { node { id revokedAt client { clientId } } } } } }";
  const { edges } = (await stack.graphql(account.token, LIST)).json.data.viewer.connectedApps;
  const DISCONNECT = `mutation ($input: DisconnectAppInput!) { disconnectApp(input: $input) { __typename ... on Error { message } } }`;
  for (const { node } of edges) {
    if (node.revokedAt === null) await stack.graphql(account.token, DISCONNECT, { input: { id: node.id } });
  }
}

async function getTokenFamily(refreshToken: string): Promise<string> {
  const where = { tokenHash: hashToken(refreshToken) };
  return (await stack.service.deps.db.prisma.oAuthToken.findUniqueOrThrow({ where })).familyId;
}
