// @module-tag postgresql
/** Failures during registration: an agent is registered exactly once after they are resolved. */
import { type Hex, keccak256, parseSignature, parseTransaction, serializeTransaction } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SCOPES, type Viewer } from "../../src/accounts/viewer.ts";
import { chooseAgent } from "../../src/agents/choose-agent.ts";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import { advanceAgent } from "../../src/agents/register-agent.ts";
import { registerAgents } from "../../src/agents/register-agents.ts";
import type { Service } from "../../src/app/service.ts";
import { closeAccount } from "../../src/personal-data/deletion/close-account.ts";
import { createSharedPause } from "../../src/platform/concurrency/shared-pause.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import type { NetworkName } from "../../src/wallet/networks.ts";
import { openSandbox, type TestSandbox } from "../support/sandbox.ts";
import { createSatchel, type Payer, type Satchel } from "../support/satchel.ts";
import { postgresqlUrl as server } from "../support/servers.ts";
import { callRpc } from "../support/usdc.ts";
import { type LossyRpc, openLossyRpc } from "../trade/lossy-rpc.ts";
import { type RegistryReader, readRegistry } from "./registry.ts";

let sandbox: TestSandbox;
let rpcUrl: string;
let registry: RegistryReader;
let satchel: Satchel;
let service: Service;

beforeAll(async () => {
  sandbox = await openSandbox(["base-sepolia"]);
  rpcUrl = sandbox.networks["base-sepolia"]?.rpcUrl ?? "";
  registry = readRegistry(rpcUrl);
  satchel = await createSatchel({ sandbox, postgresql: server, env: { AGENT_NETWORK: "base-sepolia" } });
  await satchel.fundTreasury(10_000_000n);
});
afterEach(() => service?.stop());
afterAll(async () => {
  await satchel?.remove();
  await sandbox?.stop();
});

const agents = () => service.deps.db.prisma.agent;
const agentOf = ({ accountId }: Payer) =>
  agents().findUniqueOrThrow({ where: { accountId }, include: { transactions: { orderBy: { createdAt: "asc" } } } });

async function openService(env: Record<string, string> = {}): Promise<void> {
  service = await satchel.open(env);
}

/** Creates an account whose agent is not yet registered. */
async function createPendingAgent(): Promise<Payer> {
  const payer = await satchel.payer();
  await ensureAgent(service.deps, payer.accountId);
  return payer;
}

/** Runs the registration job with all pending agents due. @param stuckAfterMs time after which an unmined transaction is replaced */
async function runJob(stuckAfterMs = 60_000): Promise<void> {
  await agents().updateMany({ where: { nextCheckAt: { not: null } }, data: { nextCheckAt: new Date(0) } });
  await registerAgents({ ...service.deps, agents: { ...service.deps.agents, stuckAfterMs } });
}

/** Runs the job until the agent is registered and its wallet linked. Checks the registry and returns the agent. */
async function completeRegistration(payer: Payer) {
  await expect
    .poll(
      async () => {
        await runJob();
        return (await agentOf(payer)).isWalletLinked;
      },
      { interval: 50 },
    )
    .toBe(true);
  const agent = await agentOf(payer);
  const registrations = await registry.of(agent.id);
  expect(registrations.map(({ agentId }) => agentId)).toEqual([agent.agentId]);
  expect(await registry.read("getAgentWallet", [agent.agentId])).toBe(payer.evmAddress);
  expect(agent).toMatchObject({ status: "active", nextCheckAt: null, failureReason: null });
  expect(agent.transactions.filter(({ status }) => status === "signed")).toEqual([]);
  return agent;
}

/** Uses the treasury's next nonce for another transaction, without any node's knowledge. */
async function useNonce(): Promise<void> {
  const treasury = await service.deps.wallets.treasury();
  const transaction = {
    type: "eip1559",
    chainId: 84532,
    nonce: await registry.nonce(treasury.evmAddress),
    to: treasury.evmAddress,
    gas: 30_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  } as const;
  const digest = Buffer.from(keccak256(serializeTransaction(transaction)).slice(2), "hex");
  const signature = parseSignature(await service.deps.vault.signDigest(treasury, digest));
  const before = transaction.nonce;
  await callRpc(rpcUrl, "eth_sendRawTransaction", [serializeTransaction(transaction, signature)]);
  await expect.poll(() => registry.nonce(treasury.evmAddress)).toBe(before + 1);
}

describe("after the account owner disabled the registration", () => {
  const disable = ({ accountId }: Payer) =>
    chooseAgent(service.deps, { kind: "account", accountId, scopes: SCOPES } as unknown as Viewer, {
      wantsAgent: false,
      publishesMailbox: null,
      publishesWallet: null,
    });
  const countOf = ({ accountId }: Payer) => agents().count({ where: { accountId } });
  beforeEach(() => openService());

  it("does not register a pending agent, and creates no other", async () => {
    const payer = await createPendingAgent();
    const { id } = await agentOf(payer);
    await disable(payer);
    expect(await countOf(payer)).toBe(0);
    await ensureAgent(service.deps, payer.accountId);
    await runJob();
    expect(await countOf(payer)).toBe(0);
    expect(await registry.of(id)).toEqual([]);
  });

  it("sends nothing if a node is about to sign the registration", async () => {
    const payer = await createPendingAgent();
    const agent = await agentOf(payer);
    const { chains } = service.deps;
    const evm: typeof chains.evm = (network) => {
      const chain = chains.evm(network);
      const prepareCall: typeof chain.prepareCall = async (call) => {
        const prepared = await chain.prepareCall(call);
        await disable(payer);
        return prepared;
      };
      return new Proxy(chain, {
        get: (target, name) => (name === "prepareCall" ? prepareCall : Reflect.get(target, name)),
      });
    };
    await advanceAgent({ ...service.deps, chains: { ...chains, evm } }, agent);
    expect(await countOf(payer)).toBe(0);
    expect(await service.deps.db.prisma.agentTransaction.count({ where: { agentId: agent.id } })).toBe(0);
    expect(await registry.of(agent.id)).toEqual([]);
  });

  it("follows a registration that is already signed, revoked and without a link to the wallet", async () => {
    const payer = await createPendingAgent();
    await runJob();
    expect((await agentOf(payer)).transactions).toHaveLength(1);
    await disable(payer);
    await expect
      .poll(
        async () => {
          await runJob();
          return (await agentOf(payer)).nextCheckAt;
        },
        { interval: 50 },
      )
      .toBeNull();
    const agent = await agentOf(payer);
    expect(agent).toMatchObject({ status: "revoked", agentId: expect.any(BigInt), isWalletLinked: false });
    expect(agent.transactions.map(({ purpose, status }) => [purpose, status])).toEqual([["register", "mined"]]);
  });
});

describe("with an RPC that drops transactions", () => {
  let lossy: LossyRpc;
  beforeEach(async () => {
    lossy = await openLossyRpc(rpcUrl);
    await openService({ RPC_URL_BASE_SEPOLIA: lossy.url });
  });
  afterEach(() => lossy.close());

  it("resends the same bytes, also after a restart", async () => {
    const payer = await createPendingAgent();
    await runJob();
    const [signed] = (await agentOf(payer)).transactions;
    expect(lossy.dropped).toEqual([signed?.rawTransaction]);
    await service.stop();
    await openService({ RPC_URL_BASE_SEPOLIA: lossy.url });
    await runJob();
    expect(new Set(lossy.dropped)).toEqual(new Set([signed?.rawTransaction]));
    lossy.heal();
    const agent = await completeRegistration(payer);
    expect(agent.transactions.map(({ purpose, status }) => [purpose, status])).toEqual([
      ["register", "mined"],
      ["set_wallet", "mined"],
    ]);
    expect(agent.transactions[0]?.txHash).toBe(signed?.txHash);
  });

  it("signs with a new nonce once another transaction has irreversibly used the first one", async () => {
    const payer = await createPendingAgent();
    await runJob();
    await useNonce();
    // A reorganisation is still possible, so no other transaction is signed.
    await runJob();
    expect((await agentOf(payer)).transactions).toHaveLength(1);
    await registry.mine(10);
    await runJob();
    const [dropped, next] = (await agentOf(payer)).transactions;
    expect([dropped?.status, next?.status]).toEqual(["dropped", "signed"]);
    expect(next?.nonce).toBe((dropped?.nonce ?? 0n) + 1n);
    lossy.heal();
    await completeRegistration(payer);
  });

  it("replaces a stuck transaction with higher fees under the same nonce, and accepts the first one if mined", async () => {
    const payer = await createPendingAgent();
    await runJob();
    await runJob(0);
    await runJob(0);
    const { transactions } = await agentOf(payer);
    expect(transactions).toHaveLength(3);
    expect(new Set(transactions.map(({ nonce }) => nonce)).size).toBe(1);
    const fees = transactions.map(({ rawTransaction }) => parseTransaction(rawTransaction as Hex).maxFeePerGas ?? 0n);
    expect(fees.toSorted((a, b) => Number(a - b))).toEqual(fees);
    expect(new Set(fees).size).toBe(3);
    await callRpc(rpcUrl, "eth_sendRawTransaction", [transactions[0]?.rawTransaction]);
    lossy.heal();
    const agent = await completeRegistration(payer);
    const registering = agent.transactions.filter(({ purpose }) => purpose === "register");
    expect(registering.map(({ status }) => status)).toEqual(["mined", "dropped", "dropped"]);
  });

  it("signs only on the node with the latest claim of an agent", async () => {
    const payer = await createPendingAgent();
    const { id } = await agentOf(payer);
    const claim = () => agents().update({ where: { id }, data: { checkAttempts: { increment: 1 } } });
    const [overtaken, current] = [await claim(), await claim()];
    await Promise.all([overtaken, current, overtaken].map((claimed) => advanceAgent(service.deps, claimed)));
    expect((await agentOf(payer)).transactions).toHaveLength(1);
    lossy.heal();
    await completeRegistration(payer);
  });

  it("signs once if another node claims the agent before this node has read it", async () => {
    const payer = await createPendingAgent();
    const where = { accountId: payer.accountId };
    const { db } = service.deps;
    const [isRead, releaseRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    /** Runs the job on a node that calls `before` or `after` with the name of each statement. */
    const runNode = (before: (name: string) => Promise<void>, after: (name: string) => Promise<void>) => {
      const query: typeof db.query = async (statement, values) => {
        await before(statement.name);
        const rows = await db.query(statement, values);
        await after(statement.name);
        return rows as never;
      };
      return registerAgents({ ...service.deps, db: { ...db, query } });
    };
    // Each node reads that there is no transaction before the other one signs.
    const runSecond = () =>
      runNode(
        async (name) => {
          if (name !== "other-agents-paid-for-today") return;
          isRead.resolve();
          await releaseRead.promise;
        },
        async () => undefined,
      );
    let second: Promise<void> = Promise.resolve();
    await runNode(
      async (name) => {
        if (name === "other-agents-paid-for-today") releaseRead.resolve();
      },
      async (name) => {
        if (name !== "take-due-agents") return;
        await agents().updateMany({ where, data: { nextCheckAt: new Date(0) } });
        second = runSecond();
        await isRead.promise;
      },
    );
    await second;
    expect((await agentOf(payer)).transactions).toHaveLength(1);
    lossy.heal();
    await completeRegistration(payer);
  });

  it("follows the signed transaction of a frozen account, whose nonce blocks those of others, and signs no further one", async () => {
    const [frozen, other] = [await createPendingAgent(), await createPendingAgent()];
    await runJob();
    const setFrozen = (data: { frozenAt: Date | null; frozenBy: string | null }) =>
      service.deps.db.prisma.account.update({ where: { id: frozen.accountId }, data });
    await setFrozen({ frozenAt: new Date(), frozenBy: "administrator" });
    lossy.heal();
    await completeRegistration(other);
    const { transactions } = await agentOf(frozen);
    expect(transactions.map(({ purpose, status }) => [purpose, status])).toEqual([["register", "mined"]]);
    await setFrozen({ frozenAt: null, frozenBy: null });
    await completeRegistration(frozen);
  });

  it("replaces the stuck link of a deleted account, whose key is erased, by an unlinking with its nonce", async () => {
    const payer = await createPendingAgent();
    await runJob();
    const [registration] = (await agentOf(payer)).transactions;
    await callRpc(rpcUrl, "eth_sendRawTransaction", [registration?.rawTransaction]);
    await runJob();
    const link = (await agentOf(payer)).transactions[1];
    expect([link?.purpose, link?.status]).toEqual(["set_wallet", "signed"]);

    const { accountId } = payer;
    const { db } = service.deps;
    const id = `adl_${accountId}`;
    const deletion = { id, accountId, status: "scheduled", step: "close", acknowledged: [], dueAt: new Date() };
    await db.prisma.accountDeletion.create({ data: deletion });
    const frozen = { frozenAt: new Date(), frozenBy: "owner" };
    await db.prisma.account.update({ where: { id: accountId }, data: frozen });
    expect(await closeAccount(service.deps, { id, accountId })).toBe(true);
    await runJob(0);
    const replacement = (await agentOf(payer)).transactions[2];
    expect([replacement?.purpose, replacement?.nonce]).toEqual(["unset_wallet", link?.nonce]);
    lossy.heal();
    await expect
      .poll(
        async () => {
          await runJob();
          await registry.mine(10);
          return (await agentOf(payer)).nextCheckAt;
        },
        { interval: 50 },
      )
      .toBeNull();
    const agent = await agentOf(payer);
    expect(await registry.read("getAgentWallet", [agent.agentId])).not.toBe(payer.evmAddress);
    expect(agent.transactions.filter(({ status }) => status === "signed")).toEqual([]);
  });

  it("assigns consecutive nonces to several agents", async () => {
    const payers = [await createPendingAgent(), await createPendingAgent(), await createPendingAgent()];
    await runJob();
    const nonces = await Promise.all(payers.map(async (payer) => (await agentOf(payer)).transactions[0]?.nonce));
    expect(nonces).toEqual([nonces[0], (nonces[0] ?? 0n) + 1n, (nonces[0] ?? 0n) + 2n]);
    lossy.heal();
    for (const payer of payers) await completeRegistration(payer);
  });
});

it("reports an unavailable network as the failure reason and resumes once it is available", async () => {
  await openService({ RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:9" });
  const payer = await createPendingAgent();
  await expect
    .poll(async () => {
      await runJob();
      return (await agentOf(payer)).failureReason;
    })
    .not.toBeNull();
  const agent = await agentOf(payer);
  expect(agent).toMatchObject({ status: "pending", agentId: null, transactions: [] });
  expect(agent.failureReason).toContain("base-sepolia is unavailable. The registration is retried automatically.");
  await service.stop();
  await openService();
  await completeRegistration(payer);
});

it("signs no transaction without treasury funds and does not disclose the cause", async () => {
  await openService();
  const { evmAddress } = await service.deps.wallets.treasury();
  const balance = await callRpc<Hex>(rpcUrl, "eth_getBalance", [evmAddress, "latest"]);
  await callRpc(rpcUrl, "anvil_setBalance", [evmAddress, "0x0"]);
  const payer = await createPendingAgent();
  await expect
    .poll(async () => {
      await runJob();
      return (await agentOf(payer)).failureReason;
    })
    .not.toBeNull();
  await callRpc(rpcUrl, "anvil_setBalance", [evmAddress, balance]);
  const agent = await agentOf(payer);
  expect(agent).toMatchObject({ transactions: [] });
  expect(agent.failureReason).toBe("The last registration attempt failed. It is retried automatically.");
  await completeRegistration(payer);
});

it("attempts one of many agents while the treasury cannot pay, logs one line, and registers all once it can", async () => {
  await openService();
  const { deps } = service;
  const { evmAddress } = await deps.wallets.treasury();
  const balance = await callRpc<Hex>(rpcUrl, "eth_getBalance", [evmAddress, "latest"]);
  await callRpc(rpcUrl, "anvil_setBalance", [evmAddress, "0x0"]);
  await service.stop();
  const payers: Payer[] = [];
  await openService({ RECONCILE_INTERVAL_MS: "600000" });
  for (let index = 0; index < 30; index++) payers.push(await createPendingAgent());
  const lines: { msg: string; repeated?: number }[] = [];
  const logger = createLogger("warn", { write: (line) => void lines.push(JSON.parse(line)) });
  const attempts: string[] = [];
  const chains = {
    ...service.deps.chains,
    evm: (network: NetworkName) => {
      const chain = service.deps.chains.evm(network);
      return {
        ...chain,
        prepareCall: (call: Parameters<typeof chain.prepareCall>[0]) => {
          attempts.push(network);
          return chain.prepareCall(call);
        },
      };
    },
  };
  const pauses = { unavailable: createSharedPause(), unfunded: createSharedPause() };
  const run = async () => {
    await agents().updateMany({ where: { nextCheckAt: { not: null } }, data: { nextCheckAt: new Date(0) } });
    await registerAgents({ ...service.deps, chains, logger, agents: { ...service.deps.agents, ...pauses } });
  };
  await run();
  await run();
  expect(attempts).toEqual(["base-sepolia"]);
  expect(lines).toMatchObject([{ msg: "Agent registration step failed; retry scheduled", error: "NetworkFeeError" }]);
  expect(JSON.stringify(lines)).not.toContain("stack");
  const waiting = await Promise.all(payers.map(agentOf));
  expect(new Set(waiting.map(({ failureReason }) => failureReason))).toEqual(
    new Set(["The last registration attempt failed. It is retried automatically."]),
  );
  await callRpc(rpcUrl, "anvil_setBalance", [evmAddress, balance]);
  await expect
    .poll(async () => {
      await run();
      return await agents().count({ where: { nextCheckAt: { not: null } } });
    })
    .toBe(0);
  expect(lines).toHaveLength(1);
}, 90_000);

it("sends no transaction if the registry address has no contract", async () => {
  await openService({ AGENT_REGISTRY: "0x000000000000000000000000000000000000dEaD" });
  const { evmAddress } = await service.deps.wallets.treasury();
  const before = await registry.nonce(evmAddress);
  const payer = await createPendingAgent();
  for (let round = 0; round < 3; round++) await runJob();
  expect(await agentOf(payer)).toMatchObject({ status: "pending", transactions: [] });
  expect(await registry.nonce(evmAddress)).toBe(before);
  await agents().delete({ where: { accountId: payer.accountId } });
});

it("finds the registration on chain after the database was restored from an older backup", async () => {
  await openService();
  const payer = await createPendingAgent();
  const { id, agentId } = await completeRegistration(payer);
  await service.deps.db.prisma.agentTransaction.deleteMany({ where: { agentId: id } });
  const before = { agentId: null, status: "pending", isWalletLinked: false, registeredAt: null };
  await agents().update({ where: { id }, data: { ...before, nextCheckAt: new Date(0) } });
  expect(await completeRegistration(payer)).toMatchObject({ agentId, transactions: [] });
});

it("completes the registration of an agent revoked meanwhile, which remains revoked and has no wallet", async () => {
  await openService();
  const payer = await createPendingAgent();
  await runJob();
  await agents().update({ where: { accountId: payer.accountId }, data: { status: "revoked", revokedAt: new Date() } });
  await expect
    .poll(async () => {
      await runJob();
      return (await agentOf(payer)).nextCheckAt;
    })
    .toBeNull();
  const agent = await agentOf(payer);
  expect(agent).toMatchObject({ status: "revoked", agentId: expect.any(BigInt), isWalletLinked: false });
  expect(await registry.read("getAgentWallet", [agent.agentId])).not.toBe(payer.evmAddress);
});

it("settles concurrent transfers and registrations that share the treasury", async () => {
  await openService();
  const payer = await satchel.payer({ usdcAtomic: 10_000_000n });
  const others = [await createPendingAgent(), await createPendingAgent(), await createPendingAgent()];
  const send = (index: number) =>
    fetch(`${service.baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": payer.token },
      body: JSON.stringify({
        query: `mutation { sendTokens(input: { network: "base-sepolia", to: "${others[index]?.evmAddress}", amount: "1" }) { __typename
          ... on SendTokensSuccess { transaction { txHash id } } ... on Error { message } } }`,
      }),
    }).then((response) => response.json() as Promise<{ data: { sendTokens: { __typename: string } } }>);
  const [sent] = await Promise.all([Promise.all([0, 1, 2].map(send)), runJob()]);
  expect(sent.map(({ data }) => data.sendTokens.__typename)).toEqual(Array(3).fill("SendTokensSuccess"));
  for (const other of others) await completeRegistration(other);
  await expect
    .poll(async () => {
      await service.deps.reconciler.run();
      return await service.deps.db.prisma.transaction.count({
        where: { accountId: payer.accountId, status: "settled", type: "transfer" },
      });
    })
    .toBe(3);
});
