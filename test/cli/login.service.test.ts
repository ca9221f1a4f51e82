/** Signing in and out through the browser (spec section 4.2, "Command-line client"). */
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "../../src/accounts/secret-token.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { type Cli, openCli, openPerson, type Person } from "./cli-room.ts";

const URL_SHOWN = /http:\/\/[^\s"]+\/oauth\/authorize\?[^\s"]+/;

let stack: Stack;
let account: TestAccount;
let person: Person;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  person = await openPerson(stack, account.accountId);
});

const machine = () => openCli({ SATCHEL_URL: stack.baseUrl });
const file = (cli: Cli) => join(cli.configHome, "satchel/credentials.json");
const kept = async (cli: Cli) => JSON.parse(await readFile(file(cli), "utf8"));
const subOf = () => `did:web:${encodeURIComponent(new URL(stack.baseUrl).host)}:users:${account.accountId}`;

async function signedIn(cli: Cli = machine()): Promise<Cli> {
  const login = cli.start(["login", "--no-browser", "--json"]);
  await person.decide(await login.says(URL_SHOWN), true);
  expect(await login.finished).toMatchObject({ code: 0 });
  return cli;
}

/** Makes the kept access token end soon. */
async function age(cli: Cli, leftMs: number): Promise<void> {
  const content = await kept(cli);
  content.services[stack.baseUrl].expiresAtMs = Date.now() + leftMs;
  await writeFile(file(cli), JSON.stringify(content));
}

describe("login", () => {
  it("asks the browser, with PKCE, and keeps the tokens for this user alone", async () => {
    const cli = machine();
    const login = cli.start(["login", "--no-browser"]);
    const url = new URL(await login.says(URL_SHOWN));
    const asked = Object.fromEntries(url.searchParams);
    expect(asked).toMatchObject({ client_id: "service_cli", response_type: "code", code_challenge_method: "S256" });
    expect(asked["redirect_uri"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const page = await person.decide(url.href, true);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("You can close this window");
    const { code, stdout, stderr } = await login.finished;
    expect(code).toBe(0);
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["Signed in to", stack.baseUrl],
      ["As", subOf()],
      ["May", "payments:sign balance:read transactions:read"],
      ["Until", expect.stringMatching(/^\d{4}-.*Z$/)],
      [""],
    ]);
    const { services } = await kept(cli);
    const { accessToken, refreshToken, expiresAtMs } = services[stack.baseUrl];
    expect([accessToken.slice(0, 11), refreshToken.slice(0, 11)]).toEqual(["satchel_at_", "satchel_rt_"]);
    expect((expiresAtMs - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
    expect(stdout + stderr).not.toContain("satchel_");
    expect(stdout + stderr).not.toContain("\x1b");
    expect((await stat(file(cli))).mode & 0o777).toBe(0o600);
    expect((await stat(join(cli.configHome, "satchel"))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(cli.configHome, "satchel"))).toEqual(["credentials.json"]);
  });

  it("turns away answers to another sign-in, and other requests, and goes on waiting", async () => {
    const login = machine().start(["login", "--no-browser"]);
    const url = await login.says(URL_SHOWN);
    const answer = new URL(await person.answerTo(url, true));
    const stranger = new URL(answer);
    stranger.searchParams.set("state", "another");
    expect((await fetch(stranger)).status).toBe(400);
    expect((await fetch(new URL("/", answer))).status).toBe(404);
    expect((await fetch(answer, { method: "POST" })).status).toBe(404);
    expect((await fetch(answer)).status).toBe(200);
    expect((await login.finished).code).toBe(0);
  });

  it("believes no answer of another issuer", async () => {
    const cli = machine();
    const login = cli.start(["login", "--no-browser"]);
    const answer = new URL(await person.answerTo(await login.says(URL_SHOWN), true));
    answer.searchParams.set("iss", "https://evil.example");
    expect((await fetch(answer)).status).toBe(400);
    const { code, stderr } = await login.finished;
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be trusted");
    await expect(kept(cli)).rejects.toThrow("ENOENT");
  });

  it("says so when the person refuses", async () => {
    const cli = machine();
    await expireConsent();
    const login = cli.start(["login", "--no-browser"]);
    const page = await person.decide(await login.says(URL_SHOWN), false);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain("You did not allow it");
    const { code, stderr } = await login.finished;
    expect(code).toBe(3);
    expect(stderr).toContain("You did not allow it");
  });

  it("gives up in time, with a code of its own", async () => {
    const { code, stderr } = await machine().run(["login", "--no-browser", "--timeout", "1"]);
    expect(code).toBe(4);
    expect(stderr).toContain("Nobody answered in the browser within 1 seconds");
    expect(await machine().run(["login", "--timeout", "301"])).toMatchObject({ code: 2 });
  });

  it("needs a service of that address, and https away from this machine", async () => {
    const cli = openCli();
    expect(await cli.run(["login", "--base-url", "http://127.0.0.1:9"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing answers at http://127.0.0.1:9"),
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

  it("takes the place of an earlier sign-in, which ends", async () => {
    const cli = await signedIn();
    const before = (await kept(cli)).services[stack.baseUrl];
    await signedIn(cli);
    const after = (await kept(cli)).services[stack.baseUrl];
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(
      (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${before.accessToken}` }))
        .status,
    ).toBe(401);
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
  });
});

describe("a sign-in", () => {
  it("is found by --base-url, SATCHEL_URL, and as the last one", async () => {
    const cli = openCli();
    const login = cli.start(["login", "--no-browser", "--base-url", `${stack.baseUrl}/`]);
    await person.decide(await login.says(URL_SHOWN), true);
    expect((await login.finished).code).toBe(0);
    for (const [args, env] of [
      [["whoami", "--base-url", stack.baseUrl], {}],
      [["whoami"], { SATCHEL_URL: stack.baseUrl }],
      [["whoami"], {}],
    ] as [string[], Record<string, string>][]) {
      const { code, stdout } = await cli.run([...args, "--json"], { env });
      expect([code, JSON.parse(stdout).sub]).toEqual([0, subOf()]);
    }
    expect(await cli.run(["whoami", "--base-url", "http://127.0.0.1:9"])).toMatchObject({ code: 3 });
  });

  it("is renewed five minutes before it ends, once for all commands", async () => {
    const cli = await signedIn();
    const first = (await kept(cli)).services[stack.baseUrl];
    await age(cli, 301_000);
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
    expect((await kept(cli)).services[stack.baseUrl].accessToken).toBe(first.accessToken);
    await age(cli, 299_000);
    const all = await Promise.all(Array.from({ length: 4 }, () => cli.run(["whoami", "--json"])));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(new Set(all.map(({ stdout }) => JSON.parse(stdout).expiresAt)).size).toBe(1);
    const second = (await kept(cli)).services[stack.baseUrl];
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect((second.expiresAtMs - Date.now()) / 86_400_000).toBeCloseTo(90, 1);
    expect(
      await stack.service.deps.db.prisma.oAuthToken.count({
        where: { kind: "refresh", familyId: await familyOf(second.refreshToken) },
      }),
    ).toBe(2);
  });

  it("outlives a command that was killed while it held the lock", async () => {
    const cli = await signedIn();
    await age(cli, 0);
    const lock = join(cli.configHome, "satchel/credentials.lock");
    await writeFile(lock, "1 gone");
    await utimes(lock, new Date(0), new Date(0));
    expect(await cli.run(["whoami"])).toMatchObject({ code: 0 });
    expect(await readdir(join(cli.configHome, "satchel"))).toEqual(["credentials.json"]);
  });

  it("that was taken back says so, and is forgotten", async () => {
    const cli = await signedIn();
    await expireConsent();
    const refused = await cli.run(["balance"]);
    expect(refused).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("has ended") });
    await age(cli, 0);
    expect(await cli.run(["balance"])).toMatchObject({ code: 3, stderr: expect.stringContaining("has ended") });
    expect((await kept(cli)).services).toEqual({});
    expect(await cli.run(["balance", "--json"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"error":"not_signed_in"'),
    });
  });

  it("closes a folder that was open to others", async () => {
    const cli = machine();
    await mkdir(join(cli.configHome, "satchel"), { recursive: true });
    await chmod(join(cli.configHome, "satchel"), 0o755);
    await signedIn(cli);
    expect((await stat(join(cli.configHome, "satchel"))).mode & 0o777).toBe(0o700);
  });
});

describe("logout", () => {
  it("ends the sign-in at the service and here", async () => {
    const cli = await signedIn();
    const { accessToken } = (await kept(cli)).services[stack.baseUrl];
    expect(await cli.run(["logout"])).toMatchObject({ code: 0, stdout: `Signed out of ${stack.baseUrl}.\n` });
    expect(await kept(cli)).toEqual({ version: 1, lastUsed: null, services: {} });
    expect(
      (await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${accessToken}` })).status,
    ).toBe(401);
    expect(await cli.run(["logout", "--json"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"wasSignedIn": false'),
    });
  });

  it("forgets the tokens even when the service does not answer", async () => {
    const cli = await signedIn();
    const content = await kept(cli);
    const gone = "http://127.0.0.1:9";
    await writeFile(file(cli), JSON.stringify({ ...content, services: { [gone]: content.services[stack.baseUrl] } }));
    const { code, stderr } = await cli.run(["logout", "--base-url", gone]);
    expect(code).toBe(1);
    expect(stderr).toContain("disconnect the app in its dashboard");
    expect((await kept(cli)).services).toEqual({});
  });
});

/** The person disconnects the client in the dashboard. */
async function expireConsent(): Promise<void> {
  const LIST = "{ viewer { connectedApps { edges { node { id revokedAt client { clientId } } } } } }";
  const { edges } = (await stack.graphql(account.token, LIST)).json.data.viewer.connectedApps;
  const DISCONNECT = `mutation ($input: DisconnectAppInput!) { disconnectApp(input: $input) { __typename ... on Error { message } } }`;
  for (const { node } of edges) {
    if (node.revokedAt === null) await stack.graphql(account.token, DISCONNECT, { input: { id: node.id } });
  }
}

async function familyOf(refreshToken: string): Promise<string> {
  const where = { tokenHash: hashToken(refreshToken) };
  return (await stack.service.deps.db.prisma.oAuthToken.findUniqueOrThrow({ where })).familyId;
}
