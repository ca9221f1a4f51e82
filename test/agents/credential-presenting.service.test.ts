/** Access to agent credentials: reading, presenting and rejected requests. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { createToken } from "../payments/purchase-token.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createCredentialFixture, present, type TestAgent } from "./credential-fixture.ts";

const INPUT = { kind: "TRUST", audience: "https://merchant.example", nonce: "n" };
const HISTORY = `query History($filter: AgentCredentialFilter) {
  viewer { agentCredentials(first: 10, filter: $filter) { nodes: edges { node {
    id credentialId kind claims isRevoked revokedAt issuedAt expiresAt
  } } } }
}`;
let stack: OwnStack;
let agent: TestAgent;
const fixture = createCredentialFixture(() => stack);

beforeAll(async () => {
  stack = await startStack({ env: { RECONCILE_INTERVAL_MS: "600000", RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:9" } });
  agent = await fixture.createAgentWithCredentials();
});
afterAll(() => stack.stop());

describe("presentAgentCredential", () => {
  it("replaces an outdated credential first", async () => {
    const own = await fixture.createAgentWithCredentials();
    const { deps } = stack.service;
    const before = (await fixture.getCredentials(own)).delegationCredential;
    const data = { monthlyLimitMicroUsd: 9_000_000n };
    await deps.db.prisma.budget.update({ where: { id: own.accountId }, data });
    const input = { ...INPUT, kind: "DELEGATION", disclose: ["limits.monthly_usd"] };
    const { presentation, disclosed } = await fixture.present(own, input);
    expect(disclosed).toEqual(["limits.monthly_usd"]);
    expect(presentation.startsWith(before.split("~")[0] ?? "")).toBe(false);
    expect(presentation.split("~").map((part) => Buffer.from(part, "base64url").toString())).toContainEqual(
      expect.stringMatching(/"monthly_usd","9\.00"\]$/),
    );
    expect(decodeJwt(presentation.split("~").at(-1) ?? "")).toEqual({
      iat: expect.any(Number),
      aud: "https://merchant.example",
      nonce: "n",
      sd_hash: expect.any(String),
    });
  });

  it("rejects tokens without both scopes, purchase tokens and unauthenticated clients", async () => {
    for (const missing of ["agent:read", "payments:sign"] as const) {
      const scopes = SCOPES.filter((scope) => scope !== missing);
      const limited = await fixture.createAgentWithCredentials({ scopes });
      expect(await present(stack, limited.token, INPUT)).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining(missing),
      });
      // The contract does not enforce scopes for reading.
      expect(await fixture.getCredentials(limited)).toMatchObject({ hasCredential: true });
      const { accountId } = limited;
      await stack.service.deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes: true } });
      const response = await stack.rest(limited.token, "GET", "/api/agent/credential");
      expect(response.status).toBe(missing === "agent:read" ? 403 : 200);
    }
    const { token } = await createToken(stack, agent.token, { merchantUrl: "https://merchant.example/buy" });
    for (const other of [token, "wrong", null]) {
      expect(JSON.stringify(await present(stack, other, INPUT))).toContain("unauthorized");
    }
  });

  it("returns not_found for an agent that is not registered or is revoked", async () => {
    const { token } = await stack.account();
    expect(await present(stack, token, INPUT)).toMatchObject({ code: "NOT_FOUND" });
    const revoked = await fixture.createAgentWithCredentials();
    const { prisma } = stack.service.deps.db;
    await prisma.agent.update({ where: { id: revoked.agentRecordId }, data: { status: "revoked" } });
    expect(await present(stack, revoked.token, INPUT)).toMatchObject({ code: "NOT_FOUND" });
  });

  it.each<[string, object, string]>([
    ["an empty audience", { audience: "" }, "audience"],
    ["a line break in the audience", { audience: "https://merchant.example\n" }, "audience"],
    ["a nonce that is too long", { nonce: "n".repeat(513) }, "nonce"],
    ["an unknown claim", { disclose: ["trust_score", "email"] }, "disclose[1]"],
    ["a claim that is always visible", { disclose: ["cnf"] }, "disclose[0]"],
    ["a property name of every object", { disclose: ["__proto__"] }, "disclose[0]"],
    ["too many names", { disclose: Array.from({ length: 101 }, () => "trust_score") }, "disclose"],
  ])("rejects %s", async (_case, more, field) => {
    const rejected = await present(stack, agent.token, { ...INPUT, ...more });
    expect(rejected).toMatchObject({ code: "INVALID_REQUEST", field });
  });

  it("is limited to 60 calls a minute", async () => {
    const busy = await fixture.createAgentWithCredentials();
    const results = await Promise.all(Array.from({ length: 61 }, () => present(stack, busy.token, INPUT)));
    expect(results.filter(({ code }) => code === "RATE_LIMITED")).toHaveLength(1);
  });
});

describe("agentCredentials", () => {
  it("lists all credentials, newest first, only to their own account", async () => {
    const own = await fixture.createAgentWithCredentials();
    const data = { dailyLimitMicroUsd: 1_000_000n };
    await stack.service.deps.db.prisma.budget.update({ where: { id: own.accountId }, data });
    await fixture.refresh(own);
    const list = async (filter: object | null) => {
      const { json } = await stack.graphql(own.token, HISTORY, { filter });
      return json.data.viewer.agentCredentials.nodes.map(({ node }: { node: object }) => node);
    };
    const all = await list(null);
    expect(all).toHaveLength(3);
    expect(all.filter((node: { isRevoked: boolean }) => node.isRevoked)).toMatchObject([
      { kind: "DELEGATION", revokedAt: expect.any(String), claims: { limits: { daily_usd: null } } },
    ]);
    expect(await list({ kinds: ["DELEGATION"], isRevoked: false })).toMatchObject([
      { claims: { limits: { daily_usd: "1.00" } }, revokedAt: null },
    ]);
    const node = (token: string) =>
      stack.graphql(token, "query ($id: ID!) { node(id: $id) { ... on AgentCredential { credentialId } } }", {
        id: all[0].id,
      });
    expect((await node(own.token)).json.data).toEqual({ node: { credentialId: all[0].credentialId } });
    expect((await node(agent.token)).json.data).toEqual({ node: null });
  });

  it("announces new credentials on the agent's channel", async () => {
    const own = await fixture.createAgent();
    const { pubsub } = stack.service.deps;
    const announced = pubsub.subscribe(`agent:${own.accountId}`)[Symbol.asyncIterator]();
    const next = announced.next();
    await fixture.refresh(own);
    expect(await next).toMatchObject({ value: own.agentRecordId });
    await announced.return?.();
  });
});
