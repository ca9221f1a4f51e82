/** Starting, stopping and restarting the service from the command line. */
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { startService } from "../../src/app/service.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { findProcessesUsing } from "../support/folder-processes.ts";
import { runSatchelProcess, type SatchelProcess, startSatchelProcess } from "../support/satchel-process.ts";
import { copyEmbeddedTemplate } from "../support/template.ts";

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "satchel-start-"));
  folders.push(folder);
  return folder;
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const rest = async (baseUrl: string, token: string, path: string, method = "GET") => {
  const response = await fetch(baseUrl + path, { method, headers: { "x-service-token": token } });
  return { status: response.status, json: await response.json() };
};

describe("npm start", () => {
  let dataDir: string;
  let satchel: SatchelProcess;
  let file: SandboxFile;
  let env: Record<string, string>;
  beforeAll(async () => {
    dataDir = await newFolder();
    env = { DATA_DIR: dataDir, SANDBOX_NETWORKS: "base-sepolia", ADMIN_TOKEN: "a".repeat(32), LOG_LEVEL: "warn" };
    satchel = await startSatchelProcess(env);
    file = JSON.parse(await readFile(join(dataDir, "sandbox.json"), "utf8")) as SandboxFile;
  });
  afterAll(() => satchel?.kill());

  it("prints all addresses and a first command that works as printed", async () => {
    const { apiToken, walletAddress, shopUrl, mailUrl } = file;
    for (const text of [satchel.baseUrl, apiToken, walletAddress, shopUrl, mailUrl, "sandbox.json"]) {
      expect(satchel.output()).toContain(text);
    }
    expect(satchel.output()).toContain(`Sign in as ${file.user.email} with the code that arrives at ${mailUrl}`);
    const [, target] = /curl -i -X POST '([^']+)'/.exec(satchel.output()) ?? [];
    const paid = await fetch(target ?? "", { method: "POST", headers: { "x-service-token": apiToken } });
    expect([paid.status, Object.keys((await paid.json()) as object)]).toEqual([200, expect.arrayContaining(["sky"])]);
    expect(paid.headers.get("x-satchel-payment-id")).toMatch(/^tx_/);
  });

  it("writes sandbox.json for scripts, readable only by its file owner", async () => {
    const { baseUrl } = satchel;
    expect(file).toMatchObject({
      baseUrl,
      graphqlUrl: `${baseUrl}/graphql`,
      graphqlWsUrl: `${baseUrl.replace("http", "ws")}/graphql`,
      user: { email: expect.stringContaining("@"), sub: expect.stringMatching(/^did:web:.+:users:[0-9a-f-]{36}$/) },
      apiToken: expect.stringMatching(/^satchel_sk_/),
      walletAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      solanaAddress: expect.any(String),
      facilitatorUrl: expect.stringMatching(/^http:/),
      shopUrl: expect.stringMatching(/^http:/),
      smtp: { host: "127.0.0.1", port: expect.any(Number) },
      mailUrl: expect.stringMatching(/^http:/),
      adminToken: "a".repeat(32),
      dashboardUrl: `${baseUrl.replace("127.0.0.1", "localhost")}/dashboard`,
      buyUrl: `${baseUrl.replace("127.0.0.1", "localhost")}/buy`,
      loginToken: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
      networks: {
        "base-sepolia": {
          rpcUrl: expect.any(String),
          chainId: 84532,
          usdc: expect.any(String),
          usdcDomain: { name: "USDC", version: "2" },
        },
      },
    });
    expect((await stat(join(dataDir, "sandbox.json"))).mode & 0o777).toBe(0o600);
    const { json } = await rest(baseUrl, file.apiToken, "/api/balance");
    expect(json).toMatchObject({ hasWallet: true, address: file.walletAddress, network: "base-sepolia" });
    expect(Number(json.usdcBalance)).toBeGreaterThan(0);
  });

  it("rejects a second process on the same data folder without affecting the first", async () => {
    const second = await runSatchelProcess({ ...env, SANDBOX: "0", EGRESS_ALLOW_LOOPBACK: "1" });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`Another Satchel process is using the data folder ${dataDir}`);
    expect(second.stderr).not.toContain("    at ");
    expect((await rest(satchel.baseUrl, file.apiToken, "/api/balance")).status).toBe(200);
    expect((await fetch(`${satchel.baseUrl}/health/ready`)).status).toBe(200);
  });

  it("retains account, token, wallet and ledger after SIGKILL and a restart", async () => {
    const before = await rest(satchel.baseUrl, file.apiToken, "/api/transactions");
    expect(before.json.transactions.length).toBeGreaterThan(1);
    const balance = await rest(satchel.baseUrl, file.apiToken, "/api/balance");
    expect(balance.json).toMatchObject({ usdcBalance: "1000.000000" });
    await satchel.kill();
    satchel = await startSatchelProcess(env);
    const restarted = JSON.parse(await readFile(join(dataDir, "sandbox.json"), "utf8")) as SandboxFile;
    expect([restarted.apiToken, restarted.walletAddress, restarted.solanaAddress, restarted.user]).toEqual([
      file.apiToken,
      file.walletAddress,
      file.solanaAddress,
      { ...file.user, sub: restarted.user.sub },
    ]);
    const after = await rest(satchel.baseUrl, file.apiToken, "/api/transactions");
    const readIds = (response: { json: { transactions: { id: string }[] } }) =>
      response.json.transactions.map(({ id }) => id);
    expect(readIds(after)).toEqual(readIds(before));
    expect(await rest(satchel.baseUrl, file.apiToken, "/api/balance")).toEqual(balance);
    const url = encodeURIComponent(`${restarted.shopUrl}/v1/weather`);
    expect((await rest(satchel.baseUrl, file.apiToken, `/api/x402/fetch?url=${url}`, "POST")).status).toBe(200);
  });

  it("stops with its sandbox on SIGTERM after pending requests complete", async () => {
    const url = encodeURIComponent(`${file.shopUrl}/fault/slow?ms=1500`);
    const pending = rest(satchel.baseUrl, file.apiToken, `/api/x402/fetch?url=${url}`, "POST");
    await expect
      .poll(
        async () =>
          (await rest(satchel.baseUrl, file.apiToken, "/api/transactions?status=signed")).json.transactions.length,
      )
      .toBeGreaterThan(0);
    const code = await satchel.stop();
    expect((await pending).status).toBe(200);
    expect(code, satchel.output()).toBe(0);
    await expect(fetch(file.shopUrl)).rejects.toThrow();
  });
});

interface SandboxFile {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly walletAddress: string;
  readonly solanaAddress: string;
  readonly shopUrl: string;
  readonly mailUrl: string;
  readonly user: { readonly email: string; readonly sub: string };
}

describe("an unusable configuration", () => {
  it("is rejected with all invalid variables named at once", async () => {
    const env = { PORT: "http", DATABASE_URL: "mysql://x", ADMIN_TOKEN: "short", FREE_CREDIT_USD: "five" };
    const { code, stderr } = await runSatchelProcess({ ...env, DATA_DIR: await newFolder() });
    expect(code).toBe(1);
    for (const name of Object.keys(env)) expect(stderr).toContain(`${name}:`);
    expect(stderr).not.toContain("    at ");
  });

  it("is rejected in production when unsafe, with the reason", async () => {
    const dataDir = await newFolder();
    const { code, stderr } = await runSatchelProcess({
      NODE_ENV: "production",
      SANDBOX: "1",
      EGRESS_ALLOW_LOOPBACK: "1",
      DATA_DIR: dataDir,
    });
    expect(code).toBe(1);
    for (const name of ["SANDBOX", "EGRESS_ALLOW_LOOPBACK", "KEY_ENCRYPTION_KEY", "DATABASE_URL", "BASE_URL"]) {
      expect(stderr).toContain(`${name}:`);
    }
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe("a failed start", () => {
  it("names the occupied port, leaves no process and releases the data folder", async () => {
    const occupant = createServer().listen(0, "127.0.0.1");
    await once(occupant, "listening");
    const { port } = occupant.address() as AddressInfo;
    const dataDir = await newFolder();
    await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
    const env = { DATA_DIR: dataDir, SANDBOX_NETWORKS: "base-sepolia", LOG_LEVEL: "warn" };
    let leftover: string[] | null = null;
    const { code, stderr, stdout } = await runSatchelProcess({ ...env, LOG_LEVEL: "info", PORT: String(port) }, () => {
      leftover = findProcessesUsing(dataDir);
    });
    occupant.close();
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(String(port));
    expect(stdout + stderr).not.toMatch(/stopp(ing|ed)/i);
    expect(leftover).toEqual([]);
    const again = await startSatchelProcess(env);
    expect(await again.stop(), again.output()).toBe(0);
  });

  it("closes its database when its sandbox does not start", async () => {
    const dataDir = await newFolder();
    await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
    const config = loadConfig({ NODE_ENV: "test", DATA_DIR: dataDir });
    const sandbox = Promise.reject(new Error("no sandbox today"));
    const starting = startService({ config, logger: createLogger("silent"), sandbox });
    await expect(starting).rejects.toThrow("no sandbox today");
    await (await openDatabase({ dataDir })).close();
  });
});

it("closes all remaining parts when one fails to stop", async () => {
  const dataDir = await newFolder();
  await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
  const config = loadConfig({ NODE_ENV: "test", DATA_DIR: dataDir, PORT: "0", SANDBOX: "0" });
  const { deps, stop } = await startService({ config, logger: createLogger("silent"), sandbox: null });
  vi.spyOn(deps.gateway.calls, "flush").mockRejectedValue(new Error("not written"));
  const closeRelay = vi.spyOn(deps.agentMail.relay, "close");
  await expect(stop()).rejects.toThrow("not written");
  expect(closeRelay).toHaveBeenCalledOnce();
  await (await openDatabase({ dataDir })).close();
});

describe("the migrations", () => {
  it("have the directory layout of Prisma's tools", async () => {
    const folder = join(import.meta.dirname, "../../prisma/migrations");
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect(name).toMatch(/^\d{14}_\w+$/);
      expect((await readFile(join(folder, name, "migration.sql"), "utf8")).trim()).not.toBe("");
    }
    expect(await readFile(join(folder, "migration_lock.toml"), "utf8")).toContain('provider = "postgresql"');
  });
});
