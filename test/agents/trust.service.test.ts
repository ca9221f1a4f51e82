/** The trust score, a fixed rule over the ledger and disputes, and the disputes themselves. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureAgent } from "../../src/agents/ensure-agent.ts";
import { computeTrustScore, MAX_COUNTED_PAYMENTS, type TrustFacts } from "../../src/agents/trust-score.ts";
import { newId } from "../../src/platform/ids.ts";
import { utcDay } from "../../src/platform/utc.ts";
import { authorizeClient, createClient, exchangeCode, openSignedInBrowser } from "../support/oauth.ts";
import { ADMIN_TOKEN, type OwnStack, startStack, type TestAccount } from "../support/stack.ts";

const facts = (): fc.Arbitrary<TrustFacts> =>
  fc.record({
    days: fc.nat(4_000),
    settled: fc.nat(MAX_COUNTED_PAYMENTS),
    failed: fc.nat(MAX_COUNTED_PAYMENTS),
    openDisputes: fc.nat(10),
    upheldDisputes: fc.nat(10),
  });

describe("the trust score rule", () => {
  it("is deterministic and returns the sum of its parts, from 0 to 100", () => {
    fc.assert(
      fc.property(facts(), (given) => {
        const { score, parts } = computeTrustScore(given);
        expect(score).toBe(parts.reduce((sum, { points }) => sum + points, 0));
        for (const { points, maxPoints } of parts) {
          expect(Number.isInteger(points) && points >= 0 && points <= maxPoints).toBe(true);
        }
        expect(parts.reduce((sum, { maxPoints }) => sum + maxPoints, 0)).toBe(100);
        expect(computeTrustScore({ ...given })).toEqual({ score, parts });
      }),
    );
  });

  it("never decreases for good conduct and never increases for bad conduct", () => {
    fc.assert(
      fc.property(
        facts(),
        fc.constantFrom(...(["days", "settled", "failed", "openDisputes", "upheldDisputes"] as const)),
        (given, more) => {
          const before = computeTrustScore(given).score;
          const after = computeTrustScore({ ...given, [more]: given[more] + 1 }).score;
          if (more === "days" || more === "settled") expect(after).toBeGreaterThanOrEqual(before);
          else expect(after).toBeLessThanOrEqual(before);
        },
      ),
    );
  });

  it.each<[Partial<TrustFacts>, number]>([
    [{}, 30],
    [{ settled: 1 }, 38],
    [{ days: 180, settled: MAX_COUNTED_PAYMENTS }, 100],
    [{ days: 90, settled: 30, failed: 10 }, 67],
    [{ openDisputes: 1, upheldDisputes: 1 }, 15],
    [{ failed: MAX_COUNTED_PAYMENTS, upheldDisputes: 5 }, 0],
  ])("computes for %j the documented score %i", (given, score) => {
    const none = { days: 0, settled: 0, failed: 0, openDisputes: 0, upheldDisputes: 0 };
    expect(computeTrustScore({ ...none, ...given }).score).toBe(score);
  });
});

describe("an agent with a trust score", () => {
  let stack: OwnStack;
  let owner: TestAccount;
  let agentRecordId: string;

  beforeAll(async () => {
    stack = await startStack({ env: { AGENT_NETWORK: "base-sepolia" } });
    owner = await stack.account();
    agentRecordId = await newAgent(owner, 0n);
  });
  afterAll(() => stack?.stop());

  const prisma = () => stack.service.deps.db.prisma;

  /** Creates an agent in the state after registration, 91 days ago. Returns its record id. */
  async function newAgent({ accountId }: TestAccount, agentId: bigint): Promise<string> {
    await ensureAgent(stack.service.deps, accountId);
    const registeredAt = new Date(Date.now() - 91 * 86_400_000);
    const data = { agentId, status: "active", registeredAt, isWalletLinked: true, nextCheckAt: null };
    return (await prisma().agent.update({ where: { accountId }, data })).id;
  }

  const scoreFor = async ({ token }: TestAccount) => {
    const query =
      "{ viewer { agent { trustScore { score parts { name points } } disputes { edges { node { id status } } } } } }";
    const { agent } = (await stack.graphql(token, query)).json.data.viewer;
    const { score, parts } = agent.trustScore as { score: number; parts: { name: string; points: number }[] };
    return {
      score,
      ...Object.fromEntries(parts.map(({ name, points }) => [name.toLowerCase(), points])),
      disputeCount: agent.disputes.edges.length,
    };
  };

  const asOperator = (query: string, input: object) =>
    stack.graphql(null, query, { input }, { authorization: `Bearer ${ADMIN_TOKEN}` });
  const OPEN = `mutation ($input: OpenAgentDisputeInput!) { openAgentDispute(input: $input) { __typename
    ... on OpenAgentDisputeSuccess { dispute { id disputeId status reason agent { agentRecordId } transaction { transactionId } } } ... on Error { code message } } }`;
  const CLOSE = `mutation ($input: CloseAgentDisputeInput!) { closeAgentDispute(input: $input) { __typename
    ... on CloseAgentDisputeSuccess { dispute { id status } } ... on Error { code message } } }`;

  it("gets points for settled payments and loses them for signed payments that never settled, only", async () => {
    const base = {
      accountId: owner.accountId,
      direction: "out",
      amountAtomic: "1",
      amountMicroUsd: 1n,
      budgetIds: [],
      budgetDay: new Date(utcDay(new Date())),
    };
    const rows = [
      ...Array.from({ length: 10 }, () => ({ type: "x402", status: "settled" })),
      { type: "gateway", status: "settled" },
      { type: "x402", status: "released", signedAt: new Date() },
      { type: "x402", status: "released" },
      { type: "trade", status: "failed" },
      { type: "transfer", status: "settled" },
      { type: "credit", status: "settled" },
    ];
    await prisma().transaction.deleteMany({ where: { accountId: owner.accountId } });
    await prisma().transaction.createMany({ data: rows.map((row) => ({ ...base, ...row, id: newId("tx") })) });
    expect(await scoreFor(owner)).toEqual({
      score: 63,
      age: 10,
      payments: 16,
      reliability: 17,
      disputes: 20,
      disputeCount: 0,
    });
    const { json } = await stack.rest(owner.token, "GET", "/api/agent/identity");
    expect(json).toMatchObject({ hasAgent: true, agentId: 0, trustScore: 63, email: null });
  });

  it("loses points for open and upheld disputes, whose outcome is final", async () => {
    await prisma().agentDispute.deleteMany({ where: { agentId: agentRecordId } });
    const opened = await asOperator(OPEN, { agentRecordId, reason: "Ordered, never paid." });
    const { dispute } = opened.json.data.openAgentDispute;
    expect(dispute).toMatchObject({ status: "OPEN", reason: "Ordered, never paid.", agent: null, transaction: null });
    const lookUp = "query ($id: ID!) { agentDispute(id: $id) { status agent { agentRecordId } transaction { id } } }";
    expect((await stack.graphql(owner.token, lookUp, { id: dispute.disputeId })).json).toEqual({
      data: { agentDispute: { status: "OPEN", agent: { agentRecordId }, transaction: null } },
    });
    expect(await scoreFor(owner)).toMatchObject({ disputes: 15, disputeCount: 1 });
    const close = (outcome: string) => asOperator(CLOSE, { id: dispute.id, outcome });
    const closed = await Promise.all(["UPHELD", "UPHELD", "UPHELD"].map(close));
    expect(closed.map(({ json }) => json.data.closeAgentDispute.dispute.status)).toEqual(Array(3).fill("UPHELD"));
    expect((await close("DISMISSED")).json.data.closeAgentDispute.dispute.status).toBe("UPHELD");
    expect(await scoreFor(owner)).toMatchObject({ disputes: 10 });
  });

  it("has disputes opened only by administrators, about existing agents and transactions", async () => {
    const rejected = await stack.graphql(owner.token, OPEN, { input: { agentRecordId, reason: "x" } });
    expect(rejected.json.data.openAgentDispute).toMatchObject({ __typename: "ForbiddenError" });
    const openedType = async (input: object) => (await asOperator(OPEN, input)).json.data.openAgentDispute.__typename;
    expect(await openedType({ agentRecordId: "agt_1_none", reason: "x" })).toBe("NotFoundError");
    expect(await openedType({ agentRecordId, reason: "  " })).toBe("InvalidRequestError");
    expect(await openedType({ agentRecordId, reason: "x", transactionId: "tx_1_none" })).toBe("InvalidRequestError");
  });

  it("appears by its id, even 0, in userinfo for applications with the scope agent:read", async () => {
    const session = await openSignedInBrowser(stack, owner.accountId);
    const client = await createClient(stack);
    const userInfo = async (scope: string) => {
      const code = (await authorizeClient(session, client, { scope })).get("code") ?? "";
      const { json } = await exchangeCode(stack, client, code);
      const headers = { authorization: `Bearer ${json.access_token}` };
      return (await stack.rest(null, "GET", "/oauth/userinfo", undefined, headers)).json;
    };
    expect(await userInfo("agent:read")).toEqual({ sub: expect.stringMatching(/^did:web:/), agent_id: 0 });
    expect(Object.keys(await userInfo("balance:read"))).toEqual(["sub"]);
  });

  it("is created when an account authorizes its first application", async () => {
    const other = await stack.account();
    expect((await stack.rest(other.token, "GET", "/api/agent/identity")).json).toEqual({ hasAgent: false });
    const client = await createClient(stack);
    const code =
      (await authorizeClient(await openSignedInBrowser(stack, other.accountId), client, {})).get("code") ?? "";
    expect(await prisma().agent.count({ where: { accountId: other.accountId } })).toBe(0);
    expect((await exchangeCode(stack, client, code)).status).toBe(200);
    await expect.poll(() => prisma().agent.count({ where: { accountId: other.accountId } })).toBe(1);
  });
});
