// @module-tag postgresql
/** A process killed anywhere on the way to the registry, and two at work at once: each agent is registered once. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { registerAgents } from "../../src/agents/register-agents.ts";
import type { Service } from "../../src/app/service.ts";
import { openDeafRpc } from "../support/deaf-rpc.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import type { SatchelProcess } from "../support/satchel-process.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { layStopPoints, type StopPoints } from "../support/stop-points.ts";
import { type RegistryReader, readRegistry } from "./registry.ts";

const MAKE_TOKEN = `mutation { createApiToken(input: { name: "second", networks: ["base"] }) { __typename } }`;
/** For every process alike: a job that one left for later is the one that the next finds. */
const ENV = { AGENT_NETWORK: "base-sepolia", RECONCILE_INTERVAL_MS: "100" };

// Processes start and end here: on a busy machine that takes its time.
const PATIENTLY = { timeout: 120_000 };

describe(`on ${server === null ? "PGlite" : "PostgreSQL"}`, PATIENTLY, () => {
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
    points = await layStopPoints(satchel, {
      server,
      points: {
        signed: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'register')",
        mined:
          "BEFORE UPDATE ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'register' AND NEW.status = 'mined')",
        linking: "BEFORE INSERT ON agent_transactions FOR EACH ROW WHEN (NEW.purpose = 'set_wallet')",
      },
    });
  });
  afterEach(async () => {
    await running?.kill();
    running = null;
    // A test that failed half way must not stop the next one where it stands.
    await points.stopAt(null);
  });
  afterAll(async () => {
    await satchel?.remove();
    await sandbox?.stop();
  });

  async function start(env: Record<string, string> = {}): Promise<SatchelProcess> {
    running = await satchel.start(env);
    return running;
  }

  /** Asks for what gives an account its agent. */
  const makeToken = (baseUrl: string, { token }: Payer) =>
    fetch(`${baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ query: MAKE_TOKEN }),
    });

  /** What the job does once all is due. */
  async function step({ deps }: Service): Promise<void> {
    await deps.db.prisma.agent.updateMany({
      where: { nextCheckAt: { not: null } },
      data: { nextCheckAt: new Date(0) },
    });
    await registerAgents(deps);
  }

  /** Goes on until all are registered and linked: each once and for all, with the wallet of its account. */
  async function finish(service: Service, payers: readonly Payer[]): Promise<void> {
    const accountId = { in: payers.map((payer) => payer.accountId) };
    const { agent } = service.deps.db.prisma;
    const linked = async () => {
      await step(service);
      return await agent.count({ where: { accountId, isWalletLinked: true } });
    };
    await expect.poll(linked, { timeout: 40_000, interval: 50 }).toBe(payers.length);
    for (const payer of payers) {
      const { id, agentId } = await agent.findUniqueOrThrow({ where: { accountId: payer.accountId } });
      expect((await registry.of(id)).map((registered) => registered.agentId)).toEqual([agentId]);
      expect(await registry.read("getAgentWallet", [agentId])).toBe(payer.evmAddress);
    }
  }

  async function goOn(payer: Payer): Promise<void> {
    const service = await satchel.open();
    try {
      await finish(service, [payer]);
    } finally {
      await service.stop();
    }
  }

  it.each([
    ["its registration is stored", "signed"],
    ["it is known to be mined", "mined"],
    ["its wallet is named", "linking"],
  ])("killed before %s", async (_what, point) => {
    const payer = await satchel.payer();
    await points.stopAt(point);
    const process = await start();
    await makeToken(process.baseUrl, payer);
    await points.killWhenStopped(process);
    await goOn(payer);
  });

  it("killed between storing the transaction and sending it", async () => {
    const payer = await satchel.payer();
    const { accountId } = payer;
    const deaf = await openDeafRpc(sandbox.networks["base-sepolia"]?.rpcUrl ?? "");
    const process = await start({ RPC_URL_BASE_SEPOLIA: deaf.url });
    await makeToken(process.baseUrl, payer);
    await deaf.reached;
    await process.kill();
    await deaf.close();
    const where = { agent: { accountId }, purpose: "register" };
    const stored = () => satchel.withDatabase((db) => db.prisma.agentTransaction.findMany({ where }));
    const [before] = await stored();
    await goOn(payer);
    const after = await stored();
    expect(after.map(({ txHash, status }) => [txHash, status])).toEqual([[before?.txHash, "mined"]]);
  });

  it.skipIf(server === null)("two nodes, each given every agent all the time", async () => {
    const payers: Payer[] = [];
    for (let made = 0; made < 8; made++) payers.push(await satchel.payer());
    const process = await start();
    const service = await satchel.open();
    try {
      await Promise.all(payers.map((payer) => makeToken(process.baseUrl, payer)));
      await finish(service, payers);
    } finally {
      await service.stop();
    }
  });
});
