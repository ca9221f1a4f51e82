// @module-tag postgresql
/** The registry's entry follows the account owner and the service: its wallet only while active and published, its URL as configured. */
import { type Hex, hexToString } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scheduleMovedAgents } from "../../src/agents/align-registry.ts";
import { refreshDueCredentials } from "../../src/agents/credentials/refresh-due.ts";
import { registerAgents } from "../../src/agents/register-agents.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type RegistryReader, readRegistry } from "./registry.ts";

const NONE = "0x0000000000000000000000000000000000000000";
const READ = "{ viewer { agent { agentRecordId agentId status isWalletLinked registrationUrl walletAddress } } }";
const SET = "mutation ($input: SetAgentRegistrationInput!) { setAgentRegistration(input: $input) { __typename } }";
const REVOKE = 'mutation { revokeAgent(input: { reason: "lost" }) { __typename } }';
const REINSTATE = "mutation { reinstateAgent { __typename } }";
const FREEZE = { frozenAt: new Date(), frozenBy: "administrator", freezeReason: "a report" };

let stack: OwnStack;
let registry: RegistryReader;
let account: TestAccount;

beforeAll(async () => {
  const env = { BASE_URL: "https://satchel.example", AGENT_REGISTRATION: "0", RECONCILE_INTERVAL_MS: "600000" };
  stack = await startStack({ networks: ["base-sepolia"], env });
  registry = readRegistry(stack.sandbox?.networks["base-sepolia"]?.rpcUrl ?? "");
  account = await stack.account();
});
afterAll(() => stack?.stop());

const deps = () => stack.service.deps;
const send = async (query: string, variables = {}) => (await stack.graphql(account.token, query, variables)).json.data;
const read = async () => (await send(READ)).viewer.agent;
const walletOf = async ({ agentId }: { agentId: string }) => await registry.read("getAgentWallet", [BigInt(agentId)]);
const ownerOf = async ({ agentId }: { agentId: string }) => await registry.read("ownerOf", [BigInt(agentId)]);
const uriOf = async ({ agentId }: { agentId: string }) => await registry.read("tokenURI", [BigInt(agentId)]);
const purposes = async () =>
  (await deps().db.prisma.agentTransaction.findMany({ orderBy: { createdAt: "asc" } })).map(
    ({ purpose, status }) => `${purpose} ${status}`,
  );

/** Runs the job with all agents due that need a further step. Returns their number after it. */
const runJob = async (agentDeps = deps()) => {
  const where = { nextCheckAt: { not: null } };
  await deps().db.prisma.agent.updateMany({ where, data: { nextCheckAt: new Date(0) } });
  await registerAgents(agentDeps);
  return await deps().db.prisma.agent.count({ where });
};
/** Runs the job until no agent needs a further step. */
const runUntilDone = () => expect.poll(() => runJob(), { interval: 50 }).toBe(0);
/** Runs the job until the account's agent waits after a failed step. Returns the reason. */
const runUntilFailed = async ({ accountId }: TestAccount) => {
  const reason = async () => {
    await runJob();
    return (await deps().db.prisma.agent.findUniqueOrThrow({ where: { accountId } })).failureReason;
  };
  await expect.poll(reason, { interval: 50 }).not.toBeNull();
  return await reason();
};
/** Moves the agents' transactions to the previous day. */
const endDay = () =>
  deps().db.prisma.agentTransaction.updateMany({ data: { createdAt: new Date(Date.now() - 86_400_000) } });

it("has the wallet and the configured URL after the registration, which sets both", async () => {
  await send(SET, { input: { enabled: true, publishesWallet: true } });
  await runUntilDone();
  const agent = await read();
  expect(agent).toMatchObject({ status: "ACTIVE", isWalletLinked: true });
  expect(await walletOf(agent)).toBe(agent.walletAddress);
  expect(await uriOf(agent)).toBe(`https://satchel.example/agents/${agent.agentRecordId}/registration.json`);
  expect(await purposes()).toEqual(["register mined", "set_wallet mined"]);
  expect(await registry.of(agent.agentRecordId)).toEqual([
    { agentId: BigInt(agent.agentId), agentURI: agent.registrationUrl, owner: await ownerOf(agent) },
  ]);
  expect(await ownerOf(agent)).toBe((await deps().wallets.treasury()).evmAddress);
  const metadata = await registry.read<Hex>("getMetadata", [BigInt(agent.agentId), "satchel.agent"]);
  expect(hexToString(metadata)).toBe(agent.agentRecordId);
});

it("loses the wallet when the agent is revoked, also of a frozen account, and has it again when it is reinstated", async () => {
  const agent = await read();
  await send(REVOKE);
  const where = { id: account.accountId };
  await deps().db.prisma.account.update({ where, data: FREEZE });
  await runUntilDone();
  expect(await walletOf(agent)).toBe(NONE);
  await deps().db.prisma.account.update({ where, data: { frozenAt: null, frozenBy: null, freezeReason: null } });
  expect(await read()).toMatchObject({ status: "REVOKED", isWalletLinked: false });
  await send(REINSTATE);
  await runUntilDone();
  expect(await read()).toMatchObject({ status: "ACTIVE", isWalletLinked: true });
  expect(await walletOf(agent)).toBe(agent.walletAddress);
});

it("loses the wallet when its owner no longer publishes it, and does nothing further", async () => {
  const agent = await read();
  await send(SET, { input: { enabled: true, publishesWallet: false } });
  await runUntilDone();
  expect([await walletOf(agent), (await read()).isWalletLinked]).toEqual([NONE, false]);
  const before = await purposes();
  await send(SET, { input: { enabled: true, publishesWallet: false } });
  await runUntilDone();
  expect(await purposes()).toEqual(before);
});

it("is linked at most three times a day, always loses the wallet when revoked, and is linked the day after", async () => {
  const agent = await read();
  await endDay();
  for (let link = 1; link <= 3; link++) {
    await send(SET, { input: { enabled: true, publishesWallet: true } });
    await runUntilDone();
    expect(await walletOf(agent)).toBe(agent.walletAddress);
    await send(REVOKE);
    await runUntilDone();
    expect(await walletOf(agent)).toBe(NONE);
    await send(REINSTATE);
  }
  expect(await runUntilFailed(account)).toContain("linked too often today");
  expect((await purposes()).slice(-2)).toEqual(["set_wallet mined", "unset_wallet mined"]);
  await endDay();
  await runUntilDone();
  expect(await walletOf(agent)).toBe(agent.walletAddress);
});

it("states the new URL after the service's address has changed, once", async () => {
  const agent = await read();
  const site = { ...deps().site, baseUrl: () => "https://new.example" };
  const moved = { ...deps(), site };
  await scheduleMovedAgents(moved);
  const where = { id: agent.agentRecordId };
  await expect.poll(() => runJob(moved), { interval: 50 }).toBe(0);
  const uri = `https://new.example/agents/${agent.agentRecordId}/registration.json`;
  expect(await uriOf(agent)).toBe(uri);
  expect((await purposes()).filter((each) => each.startsWith("set_uri"))).toEqual(["set_uri mined"]);
  await scheduleMovedAgents(moved);
  expect(await deps().db.prisma.agent.findUniqueOrThrow({ where })).toMatchObject({
    nextCheckAt: null,
    publishedUri: uri,
  });
});

it("is left as it is while no public address is configured", async () => {
  const agents = { ...deps().agents, hasPublicAddress: false };
  await scheduleMovedAgents({ ...deps(), agents });
  expect(await deps().db.prisma.agent.count({ where: { nextCheckAt: { not: null } } })).toBe(0);
});

it("has its credentials without the wallet while the registry rejects the link, which is retried after a day", async () => {
  const owner = await stack.account();
  const input = { enabled: true, publishesWallet: true };
  await stack.graphql(owner.token, SET, { input });
  const { id } = await deps().db.prisma.agent.findUniqueOrThrow({ where: { accountId: owner.accountId } });
  const reverted = { agentId: id, purpose: "set_wallet", status: "reverted", nonce: 0n, rawTransaction: "0x" };
  const data = [1, 2, 3].map((number) => ({ ...reverted, id: `atx_${number}`, txHash: `0x${number}` }));
  await deps().db.prisma.agentTransaction.createMany({ data });
  await runUntilFailed(owner);
  await refreshDueCredentials(deps());
  const identity = async () => (await stack.rest(owner.token, "GET", "/api/agent/identity")).json;
  expect(await identity()).toMatchObject({
    hasAgent: true,
    isWalletLinked: false,
    delegation: { id: expect.any(String) },
  });
  await endDay();
  await runUntilDone();
  expect(await identity()).toMatchObject({ hasAgent: true, isWalletLinked: true });
});

it("is left as it is while the account is frozen or deleted, and is not checked again and again", async () => {
  const owner = await stack.account();
  await stack.graphql(owner.token, SET, { input: { enabled: true } });
  await runUntilDone();
  await stack.graphql(owner.token, REVOKE);
  await runUntilDone();
  const { accountId } = owner;
  await deps().db.prisma.account.update({ where: { id: accountId }, data: FREEZE });
  const moved = { ...deps(), site: { ...deps().site, baseUrl: () => "https://newer.example" } };
  const find = () => deps().db.prisma.agent.findUniqueOrThrow({ where: { accountId } });
  await scheduleMovedAgents(moved);
  expect((await find()).nextCheckAt).toBeNull();
  // Scheduled before the freeze.
  await deps().db.prisma.agent.update({ where: { accountId }, data: { nextCheckAt: new Date(0) } });
  await expect.poll(() => runJob(moved), { interval: 50 }).toBe(0);
  const where = { agent: { accountId }, purpose: "set_uri" };
  expect(await deps().db.prisma.agentTransaction.count({ where })).toBe(0);
});
