/** Who may read an agent's credentials, who may show them, and what is refused. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { createToken } from "../payments/purchase-token.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { credentialRoom, present, type TestAgent } from "./credential-room.ts";

const INPUT = { kind: "TRUST", audience: "https://shop.example", nonce: "n" };
const HISTORY = `query History($filter: AgentCredentialFilter) {
  viewer { agentCredentials(first: 10, filter: $filter) { nodes: edges { node {
    id credentialId kind claims isRevoked revokedAt issuedAt expiresAt
  } } } }
}`;
let stack: OwnStack;
let agent: TestAgent;
const room = credentialRoom(() => stack);

beforeAll(async () => {
  stack = await startStack({ env: { RECONCILE_INTERVAL_MS: "600000", RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:9" } });
  agent = await room.holder();
});
afterAll(() => stack.stop());

describe("a credential is shown", () => {
  it("as it is now: one that no longer says what is so is replaced first", async () => {
    const own = await room.holder();
    const { deps } = stack.service;
    const before = (await room.credential(own)).delegationCredential;
    const data = { monthlyLimitMicroUsd: 9_000_000n };
    await deps.db.prisma.budget.update({ where: { id: own.accountId }, data });
    const input = { ...INPUT, kind: "DELEGATION", disclose: ["limits.monthly_usd"] };
    const { presentation, disclosed } = await room.present(own, input);
    expect(disclosed).toEqual(["limits.monthly_usd"]);
    expect(presentation.startsWith(before.split("~")[0] ?? "")).toBe(false);
    expect(presentation.split("~").map((part) => Buffer.from(part, "base64url").toString())).toContainEqual(
      expect.stringMatching(/"monthly_usd","9\.00"\]$/),
    );
    expect(decodeJwt(presentation.split("~").at(-1) ?? "")).toEqual({
      iat: expect.any(Number),
      aud: "https://shop.example",
      nonce: "n",
      sd_hash: expect.any(String),
    });
  });

  it("by nobody who may only read, or pay once, or is not known", async () => {
    for (const missing of ["agent:read", "payments:sign"] as const) {
      const scopes = SCOPES.filter((scope) => scope !== missing);
      const limited = await room.holder({ scopes });
      expect(await present(stack, limited.token, INPUT)).toMatchObject({
        code: "forbidden",
        message: expect.stringContaining(missing),
      });
      // Reading is left unenforced, as the contract has it.
      expect(await room.credential(limited)).toMatchObject({ hasCredential: true });
      const { accountId } = limited;
      await stack.service.deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes: true } });
      const answer = await stack.rest(limited.token, "GET", "/api/agent/credential");
      expect(answer.status).toBe(missing === "agent:read" ? 403 : 200);
    }
    const { token } = await createToken(stack, agent.token, { merchantUrl: "https://shop.example/buy" });
    for (const other of [token, "wrong", null]) {
      expect(JSON.stringify(await present(stack, other, INPUT))).toContain("unauthorized");
    }
  });

  it("never by an agent that is not registered, or is revoked", async () => {
    const { token } = await stack.account();
    expect(await present(stack, token, INPUT)).toMatchObject({ code: "not_found" });
    const revoked = await room.holder();
    const { prisma } = stack.service.deps.db;
    await prisma.agent.update({ where: { id: revoked.agentRecordId }, data: { status: "revoked" } });
    expect(await present(stack, revoked.token, INPUT)).toMatchObject({ code: "not_found" });
  });

  it.each<[string, object, string]>([
    ["no audience", { audience: "" }, "audience"],
    ["a line break in it", { audience: "https://shop.example\n" }, "audience"],
    ["a nonce too long", { nonce: "n".repeat(513) }, "nonce"],
    ["a claim it has not", { disclose: ["trust_score", "email"] }, "disclose[1]"],
    ["one that is always seen", { disclose: ["cnf"] }, "disclose[0]"],
    ["a name of every object", { disclose: ["__proto__"] }, "disclose[0]"],
    ["too many names", { disclose: Array.from({ length: 101 }, () => "trust_score") }, "disclose"],
  ])("not with %s", async (_which, more, field) => {
    const refused = await present(stack, agent.token, { ...INPUT, ...more });
    expect(refused).toMatchObject({ code: "invalid_request", field });
  });

  it("at most 60 times a minute", async () => {
    const busy = await room.holder();
    const answers = await Promise.all(Array.from({ length: 61 }, () => present(stack, busy.token, INPUT)));
    expect(answers.filter(({ code }) => code === "rate_limited")).toHaveLength(1);
  });
});

describe("GraphQL", () => {
  it("lists every credential there was, newest first, to its own account alone", async () => {
    const own = await room.holder();
    const data = { dailyLimitMicroUsd: 1_000_000n };
    await stack.service.deps.db.prisma.budget.update({ where: { id: own.accountId }, data });
    await room.refresh(own);
    const list = async (filter: object | null) => {
      const { json } = await stack.graphql(own.token, HISTORY, { filter });
      return json.data.viewer.agentCredentials.nodes.map(({ node }: { node: object }) => node);
    };
    const all = await list(null);
    expect(all).toHaveLength(3);
    expect(all.filter((node: { isRevoked: boolean }) => node.isRevoked)).toMatchObject([
      { kind: "DELEGATION", revokedAt: expect.any(String), claims: { limits: { daily_usd: null } } },
    ]);
    expect(await list({ kind: "DELEGATION", isRevoked: false })).toMatchObject([
      { claims: { limits: { daily_usd: "1.00" } }, revokedAt: null },
    ]);
    const node = (token: string) =>
      stack.graphql(token, "query ($id: ID!) { node(id: $id) { ... on AgentCredential { credentialId } } }", {
        id: all[0].id,
      });
    expect((await node(own.token)).json.data).toEqual({ node: { credentialId: all[0].credentialId } });
    expect((await node(agent.token)).json.data).toEqual({ node: null });
  });

  it("announces an agent's new credentials on its channel", async () => {
    const own = await room.agent();
    const { pubsub } = stack.service.deps;
    const announced = pubsub.subscribe(`agent:${own.accountId}`)[Symbol.asyncIterator]();
    const next = announced.next();
    await room.refresh(own);
    expect(await next).toMatchObject({ value: own.agentRecordId });
    await announced.return?.();
  });
});
