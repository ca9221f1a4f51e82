// @module-tag postgresql
/** Processes killed during a registration, and two concurrent nodes: each agent is registered once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { registerAgents } from "../../src/agents/register-agents.ts";
import type { Service } from "../../src/app/service.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { createStopPoints, type StopPoints } from "../support/stop-points.ts";
import { openUnresponsiveRpc } from "../support/unresponsive-rpc.ts";
import { type RegistryReader, readRegistry } from "./registry.ts";

const CREATE_TOKEN = `mutation { createApiToken(input: { name: "second", networks: ["base"] }) { __typename } }`;
/** Environment of every process, so each continues the jobs of the previous one. */
const ENV = { AGENT_NETWORK: "base-sepolia", RECONCILE_INTERVAL_MS: "100" };

// Starting and stopping processes is slow on a busy machine.
const LONG_TIMEOUT = { timeout: 300_000 };

const NONE = "0x0000000000000000000000000000000000000000";

describe(`agent registration on ${server === null ? "PGlite" : "PostgreSQL"}`, LONG_TIMEOUT, () => {
  let sandbox: TestSandbox;
  let registry: RegistryReader;
  let satchel: Satchel;
  let points: StopPoints;
  let running: SatchelProcess | null = null;

  beforeAll(async () => {
    sandbox = await openSandbox(["base-sepolia"]);
    registry = readRegistry(sandbox.networks["base-sepolia"]?.rpcUrl ?? "");
    satchel = await createSatchel({ sandbox, postgresql: server, env: ENV });
    await satchel.fundTreasury(1n);
    points = await createStopPoints(satchel, {
      server,
      points: {
        signed: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'register')",
        mined:
          "BEFORE UPDATE ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'register' AND NEW.status = 'mined')",
        linking: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'set_wallet')",
        unlinking: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'unset_wallet')",
        moving: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'set_uri')",
        moved:
          "BEFORE UPDATE ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'set_uri' AND NEW.status = 'mined')",
        unlinked:
          "BEFORE UPDATE ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'unset_wallet' AND NEW.status = 'mined')",
      },
    });
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    // A failed test must not leave its stop point to the next test.
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  async function startProcess(env: Record<string, string> = {}): Promise<SatchelProcess> {
    running = await satchel.start(env);
    return running;
  }

  /** Creates an API token, which creates the account's agent. */
  const createToken = (baseUrl: string, { token }: Payer) =>
    fetch(`${baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ query: CREATE_TOKEN }),
    });

  /** Runs the registration job with all pending agents due. */
  async function runJob({ deps }: Service): Promise<void> {
    await deps.db.prisma.agent.updateMany({
      where: { nextCheckAt: { not: null } },
      data: { nextCheckAt: new Date(0) },
    });
    await registerAgents(deps);
  }

  /** Runs the job until all agents are registered and linked. Checks that each is registered once with its account's wallet. */
  async function completeRegistrations(service: Service, payers: readonly Payer[]): Promise<void> {
    const accountId = { in: payers.map((payer) => payer.accountId) };
    const { agent } = service.deps.db.prisma;
    const linked = async () => {
      await runJob(service);
      return await agent.count({ where: { accountId, isWalletLinked: true } });
    };
    await expect.poll(linked, { timeout: 40_000, interval: 50 }).toBe(payers.length);
    for (const payer of payers) {
      const { id, agentId } = await agent.findUniqueOrThrow({ where: { accountId: payer.accountId } });
      expect((await registry.of(id)).map((registered) => registered.agentId)).toEqual([agentId]);
      expect(await registry.read("getAgentWallet", [agentId])).toBe(payer.evmAddress);
    }
  }

  async function resume(payer: Payer): Promise<void> {
    const service = await satchel.open();
    try {
      await completeRegistrations(service, [payer]);
    } finally {
      await service.stop();
    }
  }

  it.each([
    ["the registration is stored", "signed"],
    ["the mined registration is recorded", "mined"],
    ["the wallet link is stored", "linking"],
  ])("resumes after a process was killed before %s", async (_step, point) => {
    const payer = await satchel.payer();
    await points.stopAt(point);
    const process = await startProcess();
    await createToken(process.baseUrl, payer);
    await points.killWhenStopped(process);
    await resume(payer);
  });

  it.each([
    ["its removal is stored", "unlinking"],
    ["its mined removal is recorded", "unlinked"],
  ])("removes the wallet of a revoked agent once after a process was killed before %s", async (_step, point) => {
    const payer = await satchel.payer();
    const first = await startProcess();
    await createToken(first.baseUrl, payer);
    const where = { accountId: payer.accountId };
    await first.stop();
    await resume(payer);
    const revoked = { status: "revoked", revokedAt: new Date(), nextCheckAt: new Date(0) };
    await satchel.withDatabase((db) => db.prisma.agent.update({ where, data: revoked }));
    await points.stopAt(point);
    await points.killWhenStopped(await startProcess());
    const service = await satchel.open();
    try {
      const { prisma } = service.deps.db;
      const nextCheckAt = async () => {
        await runJob(service);
        return (await prisma.agent.findUniqueOrThrow({ where })).nextCheckAt;
      };
      await expect.poll(nextCheckAt, { timeout: 40_000, interval: 50 }).toBeNull();
      const { id, agentId, isWalletLinked } = await prisma.agent.findUniqueOrThrow({ where });
      expect([isWalletLinked, await registry.read("getAgentWallet", [agentId])]).toEqual([false, NONE]);
      const removals = { agentId: id, purpose: "unset_wallet", status: { not: "dropped" } };
      expect(await prisma.agentTransaction.findMany({ where: removals })).toMatchObject([{ status: "mined" }]);
    } finally {
      await service.stop();
    }
  });

  it.each([
    ["its change is stored", "moving"],
    ["its mined change is recorded", "moved"],
  ])("changes the URL of a registered agent once after a process was killed before %s", async (_step, point) => {
    const payer = await satchel.payer();
    const first = await startProcess();
    await createToken(first.baseUrl, payer);
    await first.stop();
    await resume(payer);
    const env = { BASE_URL: `https://${point}.example` };
    const data = { nextCheckAt: new Date(0) };
    await satchel.withDatabase((db) => db.prisma.agent.update({ where: { accountId: payer.accountId }, data }));
    await points.stopAt(point);
    await points.killWhenStopped(await startProcess(env));
    const service = await satchel.open(env);
    try {
      const { prisma } = service.deps.db;
      const where = { accountId: payer.accountId };
      const { id, agentId } = await prisma.agent.findUniqueOrThrow({ where });
      const url = `https://${point}.example/agents/${id}/registration.json`;
      const publishedUri = async () => {
        await runJob(service);
        return (await prisma.agent.findUniqueOrThrow({ where })).publishedUri;
      };
      await expect.poll(publishedUri, { timeout: 40_000, interval: 50 }).toBe(url);
      expect(await registry.read("tokenURI", [agentId])).toBe(url);
      const changes = { agentId: id, purpose: "set_uri", status: { not: "dropped" } };
      expect(await prisma.agentTransaction.findMany({ where: changes })).toMatchObject([{ status: "mined" }]);
    } finally {
      await service.stop();
    }
  });

  it("sends the same transaction after a process was killed between storing and sending it", async () => {
    const payer = await satchel.payer();
    const { accountId } = payer;
    const deaf = await openUnresponsiveRpc(sandbox.networks["base-sepolia"]?.rpcUrl ?? "");
    const process = await startProcess({ RPC_URL_BASE_SEPOLIA: deaf.url });
    await createToken(process.baseUrl, payer);
    await deaf.transactionReceived;
    await process.kill();
    await deaf.close();
    const where = { agent: { accountId }, purpose: "register" };
    const stored = () => satchel.withDatabase((db) => db.prisma.agentTransaction.findMany({ where }));
    const [before] = await stored();
    await resume(payer);
    const after = await stored();
    expect(after.map(({ txHash, status }) => [txHash, status])).toEqual([[before?.txHash, "mined"]]);
  });

  it.skipIf(server === null)("registers each agent once when two nodes advance all agents concurrently", async () => {
    const payers: Payer[] = [];
    for (let created = 0; created < 8; created++) payers.push(await satchel.payer());
    const process = await startProcess();
    const service = await satchel.open();
    try {
      await Promise.all(payers.map((payer) => createToken(process.baseUrl, payer)));
      await completeRegistrations(service, payers);
    } finally {
      await service.stop();
    }
  });
});
