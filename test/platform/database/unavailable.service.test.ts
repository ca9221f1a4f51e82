// @module-tag postgresql
/** While PostgreSQL or Redis is away. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UnreachableDatabaseError } from "../../../src/app/platform.ts";
import { startService } from "../../../src/app/service.ts";
import { loadConfig } from "../../../src/platform/config/load.ts";
import { openDatabase } from "../../../src/platform/database/connection.ts";
import { convertDatabaseError, DatabaseUnavailableError } from "../../../src/platform/database/errors.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createRateLimiter } from "../../../src/platform/rate-limit.ts";
import { createDatabase } from "../../support/postgresql.ts";
import { postgresqlUrl, redisUrl } from "../../support/servers.ts";
import { type OwnStack, startStack, type TestAccount } from "../../support/stack.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { newKey } from "../../wallet/sealed-rows.ts";

describe.skipIf(postgresqlUrl === null)("without PostgreSQL", () => {
  let proxy: TcpProxy;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let stack: OwnStack;
  let account: TestAccount;
  beforeAll(async () => {
    const server = postgresqlUrl ?? "";
    [proxy, database] = [await openTcpProxy(server), await createDatabase(server)];
    stack = await startStack({
      env: { DATABASE_URL: proxy.through(database.databaseUrl), SANDBOX: "0", DATABASE_TIMEOUT_MS: "1000" },
    });
    account = await stack.account();
  });
  afterAll(async () => {
    await stack?.stop();
    await database?.drop();
  });

  it("responds to every interface with 503, Retry-After and a code of its own, and recovers", async () => {
    const ready = async () => {
      const { status, json } = await stack.rest(null, "GET", "/health/ready");
      return [status, json.status, json.checks.database];
    };
    expect((await ready())[0]).toBe(200);
    await proxy.cut();
    const { token } = account;
    const responses = {
      rest: await stack.rest(token, "GET", "/api/transactions"),
      payment: await stack.rest(token, "POST", "/api/x402/fetch?url=http%3A%2F%2F127.0.0.1%3A1%2F"),
      openai: await stack.rest(null, "GET", "/v1/models", undefined, { authorization: `Bearer ${token}` }),
      oauth: await stack.rest(null, "GET", "/oauth/userinfo", undefined, { authorization: `Bearer ${token}` }),
      graphql: await stack.graphql(token, "{ viewer { id } }"),
      file: await stack.rest(token, "POST", "/api/agent/email/attachments", "x"),
    };
    expect(
      Object.entries(responses).map(([name, { status, headers, json }]) => {
        const code = json.error?.code ?? json.errors?.[0].extensions.code ?? json.error;
        return [name, status, headers.get("retry-after"), code];
      }),
    ).toEqual([
      ["rest", 503, "5", "service_unavailable"],
      ["payment", 503, "5", "service_unavailable"],
      ["openai", 503, "5", "service_unavailable"],
      ["oauth", 503, "5", "temporarily_unavailable"],
      ["graphql", 503, "5", "service_unavailable"],
      ["file", 503, "5", "service_unavailable"],
    ]);
    expect(await ready()).toEqual([503, "failing", "failing"]);
    const metrics = await stack.rest(null, "GET", "/metrics");
    expect([metrics.status, metrics.text.includes("http_request_duration_seconds")]).toEqual([200, true]);
    await proxy.restore();
    await expect.poll(async () => (await stack.rest(token, "GET", "/api/transactions")).status).toBe(200);
    expect((await ready())[0]).toBe(200);
  });

  it("responds with 503 while the server hangs with open connections, and recovers", async () => {
    const { token } = account;
    expect((await stack.rest(token, "GET", "/api/transactions")).status).toBe(200);
    proxy.hang();
    const list = () => stack.rest(token, "GET", "/api/transactions");
    const hanging = await Promise.all(Array.from({ length: 30 }, list));
    expect(new Set(hanging.map(({ status, json }) => `${status} ${json.error}`))).toEqual(
      new Set(["503 service_unavailable"]),
    );
    expect(hanging[0]?.headers.get("retry-after")).toBe("5");
    const graphql = await stack.graphql(token, "{ viewer { account { displayName } } }");
    expect(graphql.status).toBe(503);
    proxy.resume();
    await expect.poll(async () => (await list()).status, { timeout: 15_000 }).toBe(200);
    // No connection whose statement never completed is used again.
    const recovered = await Promise.all(Array.from({ length: 30 }, list));
    expect(new Set(recovered.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it("does not start, and states the remedy", async () => {
    const DATABASE_URL = "postgresql://127.0.0.1:1/satchel";
    const config = loadConfig({
      NODE_ENV: "test",
      SANDBOX: "0",
      PORT: "0",
      DATABASE_URL,
      KEY_ENCRYPTION_KEY: newKey(),
    });
    const starting = startService({ config, logger: createLogger("silent"), sandbox: null });
    await expect(starting).rejects.toThrow(UnreachableDatabaseError);
  });

  it("fails fast if all connections are in use", async () => {
    const db = await openDatabase({ databaseUrl: database.databaseUrl, dataDir: "", poolSize: 1 });
    const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = () => {
      started.resolve();
      return held.promise;
    };
    const transaction = db.prisma.$transaction(hold, { timeout: 30_000 });
    await started.promise;
    const failures = await Promise.all(
      [
        () => db.query({ name: "ping", text: "SELECT 1" }, []),
        () => db.prisma.account.findFirst(),
        () => db.prisma.$transaction((tx) => tx.account.findFirst()),
      ].map((run) => run().catch(convertDatabaseError)),
    );
    for (const failure of failures) expect(failure).toBeInstanceOf(DatabaseUnavailableError);
    held.resolve();
    await transaction;
    await db.close();
  });
});

describe.skipIf(postgresqlUrl === null || redisUrl === null)("without Redis", () => {
  it("is ready but degraded, and two nodes together allow the limit that PostgreSQL counts", async () => {
    const proxy = await openTcpProxy(redisUrl ?? "");
    const REDIS_URL = proxy.through(redisUrl ?? "");
    const stack = await startStack({ env: { REDIS_URL, SANDBOX: "0" } });
    const ready = async () => {
      const { status, json } = await stack.rest(null, "GET", "/health/ready");
      return [status, json.status, json.checks];
    };
    expect((await ready())[0]).toBe(200);
    const logger = createLogger("silent");
    const stores = { redisUrl: REDIS_URL, databaseUrl: postgresqlUrl ?? "", logger };
    const nodes = [createRateLimiter(stores), createRateLimiter(stores)];
    const key = randomUUID();
    await nodes[0]?.consume("sign-in", key, 10);
    await proxy.cut();
    await expect.poll(async () => (await ready())[1]).toBe("degraded");
    expect(await ready()).toEqual([200, "degraded", { database: "ok", pubsub: "degraded" }]);
    const attempts = Array.from({ length: 30 }, (_, index) => nodes[index % 2]?.consume("sign-in", key, 10));
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    await Promise.all(nodes.map((node) => node.close()));
    await stack.stop();
  });
});
