// @module-tag postgresql
/** The account owner's choice about the public agent, where the service registers none by default. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMissingAgents } from "../../src/agents/create-missing-agents.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { type RegistryReader, readRegistry } from "./registry.ts";

const READ = `{ viewer { agentRegistration { isEnabled publishesMailbox publishesWallet state notices }
  agent { agentRecordId agentId status isWalletLinked registrationUrl walletAddress } } }`;
const SET = `mutation ($input: SetAgentRegistrationInput!) { setAgentRegistration(input: $input) { __typename
  ... on SetAgentRegistrationSuccess { registration { isEnabled publishesMailbox publishesWallet state } } ... on Error { code } } }`;

let stack: OwnStack;
let registry: RegistryReader;
let account: TestAccount;
beforeAll(async () => {
  const env = { AGENT_REGISTRATION: "0", AGENT_PUBLISHES_MAILBOX: "0", AGENT_PUBLISHES_WALLET: "0" };
  stack = await startStack({ networks: ["base-sepolia"], env });
  registry = readRegistry(stack.sandbox?.networks["base-sepolia"]?.rpcUrl ?? "");
  account = await stack.account();
});
afterAll(() => stack?.stop());

const read = async () => (await stack.graphql(account.token, READ)).json.data.viewer;
const set = async (input: object) =>
  (await stack.graphql(account.token, SET, { input })).json.data.setAgentRegistration;
const readFile = async (url: string) => await (await fetch(url)).json();
const identity = async () => (await stack.rest(account.token, "GET", "/api/agent/identity")).json;

it("registers nothing without the owner's choice, and says what would become public", async () => {
  await stack.graphql(
    account.token,
    "mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { __typename } }",
    { input: { name: "one", networks: ["base"] } },
  );
  await createMissingAgents(stack.service.deps);
  const { agent, agentRegistration } = await read();
  expect(agent).toBeNull();
  expect(agentRegistration).toMatchObject({
    ...{ isEnabled: false, publishesMailbox: false, publishesWallet: false, state: "DISABLED" },
    notices: [expect.stringContaining("for ever"), expect.any(String), expect.stringContaining("cannot be deleted")],
  });
  expect(await identity()).toEqual({ hasAgent: false });
  expect(await stack.service.deps.db.prisma.agent.count()).toBe(0);
});

it("registers the agent that its owner enabled, without mailbox and wallet until they are chosen too", async () => {
  expect(await set({ enabled: true })).toEqual({
    __typename: "SetAgentRegistrationSuccess",
    registration: { isEnabled: true, publishesMailbox: false, publishesWallet: false, state: "PENDING" },
  });
  await expect.poll(identity).toMatchObject({ hasAgent: true });
  const { prisma } = stack.service.deps.db;
  await expect
    .poll(async () => (await prisma.agent.findFirstOrThrow()).nextCheckAt, { message: "no further step" })
    .toBeNull();
  const { agent } = await read();
  const mailbox = { id: "mbx_1", address: "agent-9@agents.example", displayName: "Ada's agent" };
  await prisma.mailbox.create({ data: { ...mailbox, accountId: account.accountId, agentId: agent.agentRecordId } });
  expect(await readFile(agent.registrationUrl)).toMatchObject({
    name: `Agent ${agent.agentId}`,
    services: [{ name: "web" }],
    active: true,
  });
  const walletOf = () => registry.read("getAgentWallet", [BigInt(agent.agentId)]);
  expect(await walletOf()).not.toBe(agent.walletAddress);
  expect(agent.isWalletLinked).toBe(false);

  await set({ enabled: true, publishesMailbox: true });
  expect(await readFile(agent.registrationUrl)).toMatchObject({
    name: "Ada's agent",
    services: [{ name: "web" }, { name: "email", endpoint: "agent-9@agents.example" }],
  });
  await set({ enabled: true, publishesMailbox: false, publishesWallet: true });
  expect(await readFile(agent.registrationUrl)).toMatchObject({
    services: [{ name: "web" }, { name: "DID", endpoint: `did:pkh:eip155:84532:${agent.walletAddress}` }],
  });
  await expect.poll(identity).toMatchObject({ isWalletLinked: true });
  expect(await walletOf()).toBe(agent.walletAddress);
});

it("empties the file and revokes the agent when its owner withdraws; the owner can return", async () => {
  const { agent } = await read();
  expect((await set({ enabled: false })).registration).toMatchObject({ isEnabled: false, state: "WITHDRAWN" });
  expect((await read()).agent).toMatchObject({ status: "REVOKED", agentId: agent.agentId });
  expect(await readFile(agent.registrationUrl)).toEqual({
    type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
    name: `Agent ${agent.agentId}`,
    description: "This agent is no longer active.",
    image: expect.any(String),
    ...{ services: [], x402Support: false, active: false, supportedTrust: [] },
    registrations: [{ agentId: agent.agentId, agentRegistry: expect.stringMatching(/^eip155:84532:0x/) }],
  });
  const credential = async () => (await stack.rest(account.token, "GET", "/api/agent/credential")).json;
  expect(await credential()).toEqual({ hasCredential: false });
  const reinstate = "mutation { reinstateAgent { __typename ... on Error { code } } }";
  expect((await stack.graphql(account.token, reinstate)).json.data.reinstateAgent.code).toBe("INVALID_REQUEST");

  expect((await set({ enabled: true })).registration).toMatchObject({ isEnabled: true, state: "REGISTERED" });
  expect((await read()).agent).toMatchObject({ status: "ACTIVE", agentId: agent.agentId });
  await expect.poll(credential).toMatchObject({ hasCredential: true });
  expect(await registry.of(agent.agentRecordId)).toHaveLength(1);
});

it("is the choice of a credential with account:manage only", async () => {
  const { json } = await stack.graphql(
    account.token,
    "mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { ... on CreateApiTokenSuccess { secret } } }",
    { input: { name: "reader", scopes: ["AGENT_READ"], networks: ["base"] } },
  );
  const response = await stack.graphql(json.data.createApiToken.secret, SET, { input: { enabled: false } });
  expect(JSON.stringify(response.json)).toMatch(/forbidden/i);
  expect((await read()).agentRegistration.isEnabled).toBe(true);
});
