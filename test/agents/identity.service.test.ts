// @module-tag postgresql
/** An agent's identity: created with the account's first token, registered on chain, and published over REST and GraphQL. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { refreshCredentials } from "../../src/agents/credentials/refresh.ts";
import { ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";
import { REGISTRY, type RegistryReader, readRegistry } from "./registry.ts";

const CREATE = `mutation ($input: CreateAccountInput!) { createAccount(input: $input) { __typename
  ... on CreateAccountSuccess { secret account { accountId } } ... on Error { code message } } }`;
const AGENT = `{ viewer { agentId agent { id agentRecordId agentId status network chainId registry walletAddress isWalletLinked registrationUrl
  txHash explorerUrl email failureReason registeredAt revokedAt revokedReason trustScore { score parts { name points maxPoints explanation } }
  disputes { edges { node { id status reason } } } } } }`;
const REVOKE = `mutation ($input: RevokeAgentInput!) { revokeAgent(input: $input) { __typename
  ... on RevokeAgentSuccess { agent { status revokedReason } } ... on Error { code message } } }`;
const REINSTATE = `mutation { reinstateAgent { __typename
  ... on ReinstateAgentSuccess { agent { status revokedReason revokedAt } } ... on Error { code message } } }`;

let stack: OwnStack;
let registry: RegistryReader;

beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia"] });
  registry = readRegistry(stack.sandbox?.networks["base-sepolia"]?.rpcUrl ?? "");
});
afterAll(() => stack?.stop());

let accountCount = 0;
/** Creates an account with its first token, as the operator does. */
async function createAccount(): Promise<{ accountId: string; token: string }> {
  accountCount += 1;
  const input = { email: `agent-owner-${accountCount}@example.test` };
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { json } = await stack.graphql(null, CREATE, { input }, headers);
  const { secret, account } = json.data.createAccount;
  return { accountId: account.accountId, token: secret };
}

const getIdentity = async (token: string) => (await stack.rest(token, "GET", "/api/agent/identity")).json;
const getAgent = async (token: string) => (await stack.graphql(token, AGENT)).json.data.viewer.agent;

async function createAccountWithAgent() {
  const account = await createAccount();
  await expect.poll(() => getIdentity(account.token)).toMatchObject({ isWalletLinked: true });
  return { ...account, agent: await getAgent(account.token) };
}

describe("an account's agent", () => {
  it("is reported with its delegation when it is registered and linked, the first one under the id 0", async () => {
    const { token } = await createAccount();
    // The first request waits until registration, link and credentials are complete.
    const identity = await getIdentity(token);
    expect(identity).toMatchObject({ hasAgent: true, isWalletLinked: true });
    const agent = await getAgent(token);
    const [registered, ...more] = await registry.of(agent.agentRecordId);
    expect(more).toEqual([]);
    expect(agent).toMatchObject({
      agentId: Number(registered?.agentId),
      status: "ACTIVE",
      network: "base-sepolia",
      chainId: 84532,
      registry: REGISTRY,
    });
    expect(agent).toMatchObject({ explorerUrl: null, email: null, failureReason: null, revokedAt: null });
    expect((await stack.graphql(token, AGENT)).json.data.viewer.agentId).toBe(agent.agentId);
    const { agentId: first } = await stack.service.deps.db.prisma.agent.findFirstOrThrow({
      where: { agentId: { not: null } },
      orderBy: { agentId: "asc" },
    });
    expect(first).toBe(0n);

    const treasury = await stack.service.deps.wallets.treasury();
    const agentId = BigInt(agent.agentId);
    expect(registered).toEqual({ agentId, agentURI: agent.registrationUrl, owner: treasury.evmAddress });
    expect(await registry.read("getAgentWallet", [agentId])).toBe(agent.walletAddress);
    expect(await registry.read("tokenURI", [agentId])).toBe(agent.registrationUrl);
    const { status } = await registry.client.getTransactionReceipt({ hash: agent.txHash });
    expect(status).toBe("success");

    expect(identity).toEqual({
      hasAgent: true,
      agentId: agent.agentId,
      chainId: "84532",
      walletAddress: agent.walletAddress,
      trustScore: 30,
      status: "active",
      email: null,
      network: "base-sepolia",
      registry: REGISTRY,
      isWalletLinked: true,
      registrationUrl: agent.registrationUrl,
      txHash: agent.txHash,
      explorerUrl: null,
      delegation: { id: expect.stringMatching(/^crd_/), sdJwt: expect.any(String) },
    });
    // Issued once: a second refresh finds nothing outdated.
    await refreshCredentials(stack.service.deps, agent.agentRecordId);
    const credentials = await stack.service.deps.db.prisma.agentCredential.findMany({
      where: { agentId: agent.agentRecordId },
    });
    expect(credentials.map(({ kind, revokedAt }) => [kind, revokedAt]).toSorted()).toEqual([
      ["delegation", null],
      ["trust", null],
    ]);
  });

  it.each([-1, 10_001])("does not wait for %i ms", async (waitMs) => {
    const { token } = await stack.account();
    const { json } = await stack.graphql(token, `{ viewer { agent(waitMs: ${waitMs}) { id } } }`);
    expect(json.errors[0].message).toBe("waitMs must be from 0 to 10000.");
  });

  it("is created once for concurrently created API tokens", async () => {
    const account = await stack.account();
    expect(await getIdentity(account.token)).toEqual({ hasAgent: false });
    expect(await getAgent(account.token)).toBeNull();
    const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { ... on CreateApiTokenSuccess { secret } ... on Error { message } } }`;
    const createToken = () => stack.graphql(account.token, create, { input: { name: "one", networks: ["base"] } });
    await Promise.all(Array.from({ length: 5 }, createToken));
    expect(await getIdentity(account.token)).toMatchObject({ hasAgent: true, delegation: { id: expect.any(String) } });
    const { agentRecordId } = await getAgent(account.token);
    expect(await registry.of(agentRecordId)).toHaveLength(1);
  });

  it("has a public registration file without data about the account owner", async () => {
    const { agent, accountId } = await createAccountWithAgent();
    const response = await fetch(agent.registrationUrl);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const text = await response.text();
    const file = JSON.parse(text);
    expect(file).toEqual({
      type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
      name: `Agent ${agent.agentId}`,
      description: expect.any(String),
      image: expect.any(String),
      services: [
        { name: "web", endpoint: `${stack.baseUrl}/` },
        { name: "DID", endpoint: `did:pkh:eip155:84532:${agent.walletAddress}`, version: "v1" },
      ],
      x402Support: true,
      active: true,
      registrations: [{ agentId: agent.agentId, agentRegistry: `eip155:84532:${REGISTRY}` }],
      supportedTrust: ["reputation"],
    });
    expect(text).not.toContain(accountId);
    expect(text).not.toContain("example.test");
    const image = await fetch(file.image);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    const revalidated = await fetch(agent.registrationUrl, {
      headers: { "if-none-match": response.headers.get("etag") ?? "" },
    });
    expect(revalidated.status).toBe(304);
  });

  it.each(["agt_1795195756000_k3v9Qm2LxT7a", "agt_1_x", "..%2f..%2fx", "%00", "agt_", "x".repeat(90)])(
    "with the unknown id %s has no registration file",
    async (id) => {
      const response = await fetch(`${stack.baseUrl}/agents/${id}/registration.json`);
      expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([404, "not_found"]);
    },
  );

  it("is revoked and reinstated by its owner, both idempotently", async () => {
    const { token, agent } = await createAccountWithAgent();
    const identity = await getIdentity(token);
    const readFile = async () => await (await fetch(agent.registrationUrl)).json();
    for (let round = 0; round < 2; round++) {
      const { json } = await stack.graphql(token, REVOKE, { input: { reason: " Lost its key. " } });
      expect(json.data.revokeAgent).toEqual({
        __typename: "RevokeAgentSuccess",
        agent: { status: "REVOKED", revokedReason: "Lost its key." },
      });
    }
    expect(await readFile()).toMatchObject({ active: false, services: [] });
    expect(await getIdentity(token)).toEqual({ ...identity, status: "revoked" });
    for (let round = 0; round < 2; round++) {
      const { json } = await stack.graphql(token, REINSTATE);
      expect(json.data.reinstateAgent.agent).toEqual({ status: "ACTIVE", revokedReason: null, revokedAt: null });
    }
    expect(await readFile()).toMatchObject({ active: true, services: [{ name: "web" }, { name: "DID" }] });
    expect(await registry.of(agent.agentRecordId)).toHaveLength(1);
    const long = await stack.graphql(token, REVOKE, { input: { reason: "x".repeat(1_001) } });
    expect(long.json.data.revokeAgent).toMatchObject({ __typename: "InvalidRequestError" });
  });

  it("is not accessible to other accounts, nor revocable without the scope account:manage", async () => {
    const { agent } = await createAccountWithAgent();
    const other = await stack.account({ token: { scopes: ["agent:read"] } });
    const node = await stack.graphql(other.token, "query ($id: ID!) { node(id: $id) { id } }", { id: agent.id });
    expect(node.json.data.node).toBeNull();
    const rejected = await stack.graphql(other.token, REVOKE, { input: {} });
    expect(rejected.json.data.revokeAgent).toMatchObject({ __typename: "ForbiddenError" });
    expect((await stack.rest(null, "GET", "/api/agent/identity")).status).toBe(401);
  });

  it("is published to a subscription during registration, which resumes after a lost connection", async () => {
    const { token } = await createAccount();
    const client = createClient({
      url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": token },
      retryAttempts: 0,
    });
    const follow = (after: string | null) =>
      client.iterate<{ agentUpdated: { cursor: string; agent: { status: string; isWalletLinked: boolean } } }>({
        query:
          "subscription ($after: String) { agentUpdated(after: $after) { cursor agent { status isWalletLinked } } }",
        variables: { after },
      });
    const cursors: string[] = [];
    for await (const { data } of follow(Buffer.from("1:agt_1").toString("base64url"))) {
      cursors.push(data?.agentUpdated.cursor ?? "");
      if (data?.agentUpdated.agent.isWalletLinked) break;
    }
    expect(cursors.length).toBeGreaterThan(1);
    const resumed = await follow(cursors[0] ?? null).next();
    expect(resumed.value?.data?.agentUpdated.agent).toEqual({ status: "ACTIVE", isWalletLinked: true });
    await client.dispose();
  });
});
