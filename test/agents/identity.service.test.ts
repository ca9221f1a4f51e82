// @module-tag postgresql
/** An agent from its account's first token on: registered on chain, shown over REST and GraphQL, and found by anybody. */
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
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

let people = 0;
/** A new account as the operator opens one, and its first token. */
async function newPerson(): Promise<{ accountId: string; token: string }> {
  people += 1;
  const input = { email: `agent-person-${people}@example.test` };
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const { json } = await stack.graphql(null, CREATE, { input }, headers);
  const { secret, account } = json.data.createAccount;
  return { accountId: account.accountId, token: secret };
}

const identity = async (token: string) => (await stack.rest(token, "GET", "/api/agent/identity")).json;
const agentOf = async (token: string) => (await stack.graphql(token, AGENT)).json.data.viewer.agent;

async function registeredPerson() {
  const person = await newPerson();
  await expect.poll(() => identity(person.token)).toMatchObject({ isWalletLinked: true });
  return { ...person, agent: await agentOf(person.token) };
}

describe("an account's agent", () => {
  it("is registered once, the first of all with the number 0, and its wallet is named", async () => {
    const { token } = await newPerson();
    await expect.poll(() => agentOf(token)).toMatchObject({ status: expect.any(String) });
    await expect.poll(() => identity(token)).toMatchObject({ hasAgent: true, isWalletLinked: true });
    const agent = await agentOf(token);
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

    expect(await identity(token)).toEqual({
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
      ...(await delegationOf(token)),
    });
  });

  /** Issued by a job of its own: there or not yet. */
  async function delegationOf(token: string): Promise<object> {
    const { delegation } = await identity(token);
    return delegation === undefined
      ? {}
      : { delegation: { id: expect.stringMatching(/^crd_/), sdJwt: expect.any(String) } };
  }

  it("is begun by a token made by hand, too, and never twice", async () => {
    const account = await stack.account();
    expect(await identity(account.token)).toEqual({ hasAgent: false });
    expect(await agentOf(account.token)).toBeNull();
    const create = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { ... on CreateApiTokenSuccess { secret } ... on Error { message } } }`;
    const make = () => stack.graphql(account.token, create, { input: { name: "one", networks: ["base"] } });
    await Promise.all(Array.from({ length: 5 }, make));
    await expect.poll(() => identity(account.token)).toMatchObject({ hasAgent: true });
    const { agentRecordId } = await agentOf(account.token);
    expect(await registry.of(agentRecordId)).toHaveLength(1);
  });

  it("says where its file is, which says what it is and nothing of its person", async () => {
    const { agent, accountId } = await registeredPerson();
    const answer = await fetch(agent.registrationUrl);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const text = await answer.text();
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
    const picture = await fetch(file.image);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    const again = await fetch(agent.registrationUrl, {
      headers: { "if-none-match": answer.headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });

  it.each(["agt_1795195756000_k3v9Qm2LxT7a", "agt_1_x", "..%2f..%2fx", "%00", "agt_", "x".repeat(90)])(
    "that nobody knows (%s) has no file",
    async (id) => {
      const answer = await fetch(`${stack.baseUrl}/agents/${id}/registration.json`);
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, "not_found"]);
    },
  );

  it("is revoked and reinstated by its person, as often as they like", async () => {
    const { token, agent } = await registeredPerson();
    const active = async () => ((await (await fetch(agent.registrationUrl)).json()) as { active: boolean }).active;
    for (let round = 0; round < 2; round++) {
      const { json } = await stack.graphql(token, REVOKE, { input: { reason: " Lost its key. " } });
      expect(json.data.revokeAgent).toEqual({
        __typename: "RevokeAgentSuccess",
        agent: { status: "REVOKED", revokedReason: "Lost its key." },
      });
    }
    expect(await active()).toBe(false);
    expect(await identity(token)).toMatchObject({ hasAgent: true, agentId: agent.agentId, status: "revoked" });
    for (let round = 0; round < 2; round++) {
      const { json } = await stack.graphql(token, REINSTATE);
      expect(json.data.reinstateAgent.agent).toEqual({ status: "ACTIVE", revokedReason: null, revokedAt: null });
    }
    expect(await active()).toBe(true);
    expect(await registry.of(agent.agentRecordId)).toHaveLength(1);
    const long = await stack.graphql(token, REVOKE, { input: { reason: "x".repeat(1_001) } });
    expect(long.json.data.revokeAgent).toMatchObject({ __typename: "InvalidRequestError" });
  });

  it("is nobody else's: not by its global id, and not for a token without the right to change it", async () => {
    const { agent } = await registeredPerson();
    const other = await stack.account({ token: { scopes: ["agent:read"] } });
    const node = await stack.graphql(other.token, "query ($id: ID!) { node(id: $id) { id } }", { id: agent.id });
    expect(node.json.data.node).toBeNull();
    const refused = await stack.graphql(other.token, REVOKE, { input: {} });
    expect(refused.json.data.revokeAgent).toMatchObject({ __typename: "ForbiddenError" });
    expect((await stack.rest(null, "GET", "/api/agent/identity")).status).toBe(401);
  });

  it("is watched while it is registered, also after a lost connection", async () => {
    const { token } = await newPerson();
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
