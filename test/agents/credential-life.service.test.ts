// @module-tag postgresql
/** Replacement and revocation of agent credentials: one of each kind is active, despite concurrent refreshes and failures. */
import { digest } from "@sd-jwt/crypto-nodejs";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createClaims, isOutdated } from "../../src/agents/credentials/claims.ts";
import type { AgentFacts } from "../../src/agents/credentials/facts.ts";
import { refreshDueCredentials } from "../../src/agents/credentials/refresh-due.ts";
import { revokeCredentials } from "../../src/agents/credentials/revoke.ts";
import { findFreeStatusIndex, STATUS_LIST_SIZE } from "../../src/agents/credentials/status-index.ts";
import { newId } from "../../src/platform/ids.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createCredentialFixture, type TestAgent } from "./credential-fixture.ts";

const DAY_MS = 86_400_000;
let stack: OwnStack;
const fixture = createCredentialFixture(() => stack);

beforeAll(async () => {
  // The long interval disables the job, so each test runs it.
  stack = await startStack({ env: { RECONCILE_INTERVAL_MS: "600000" } });
});
afterAll(() => stack?.stop());

const prisma = () => stack.service.deps.db.prisma;
const rowsOf = ({ agentRecordId: agentId }: TestAgent) =>
  prisma().agentCredential.findMany({ where: { agentId }, orderBy: [{ issuedAt: "asc" }, { id: "asc" }] });
const activeCredentials = async (agent: TestAgent) => {
  const rows = (await rowsOf(agent)).filter(({ revokedAt }) => revokedAt === null);
  return Object.fromEntries(rows.map((row) => [row.kind, row]));
};
const claims = async (sdJwt = "") =>
  (await new SDJwtVcInstance({ hasher: digest }).getClaims(sdJwt)) as Record<string, unknown>;

describe("active credentials", () => {
  it("remain while their claims are current", async () => {
    const agent = await fixture.createAgentWithCredentials();
    const before = await rowsOf(agent);
    await fixture.refresh(agent);
    expect(await rowsOf(agent)).toEqual(before);
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(["delegation", "trust"]);
  });

  it("are replaced in their last 7 days, and the old ones revoked", async () => {
    const agent = await fixture.createAgentWithCredentials();
    const before = await activeCredentials(agent);
    const expiresAt = (days: number) => ({ data: { expiresAt: new Date(Date.now() + days * DAY_MS) } });
    await prisma().agentCredential.update({ where: { id: before["trust"]?.id ?? "" }, ...expiresAt(6.9) });
    await prisma().agentCredential.update({ where: { id: before["delegation"]?.id ?? "" }, ...expiresAt(7.1) });
    await fixture.refresh(agent);
    const after = await activeCredentials(agent);
    expect(after["delegation"]?.id).toBe(before["delegation"]?.id);
    expect(after["trust"]?.id).not.toBe(before["trust"]?.id);
    expect(after["trust"]?.statusIndex).not.toBe(before["trust"]?.statusIndex);
    expect(await rowsOf(agent)).toHaveLength(3);
  });

  it("are replaced when limits, scopes or networks change, or the trust score changes by 5", async () => {
    const agent = await fixture.createAgentWithCredentials();
    const before = await activeCredentials(agent);
    await prisma().budget.update({ where: { id: agent.accountId }, data: { dailyLimitMicroUsd: 25_000_000n } });
    const dispute = () => {
      const row = { id: newId("dsp"), agentId: agent.agentRecordId, reason: "No delivery", status: "open" };
      return prisma().agentDispute.create({ data: row });
    };
    await dispute();
    await fixture.refresh(agent);
    const after = await activeCredentials(agent);
    expect(await claims(after["delegation"]?.sdJwt)).toMatchObject({
      limits: { per_transaction_usd: null, daily_usd: "25.00", monthly_usd: null },
    });
    const scores = await Promise.all([before, after].map(async ({ trust }) => claims(trust?.sdJwt)));
    expect(Number(scores[0]?.["trust_score"]) - Number(scores[1]?.["trust_score"])).toBe(5);
    await stack.service.deps.db.prisma.apiToken.updateMany({
      where: { accountId: agent.accountId },
      data: { scopes: ["agent:read", "account:manage"], networks: ["base"] },
    });
    await fixture.refresh(agent);
    const restricted = await activeCredentials(agent);
    expect(await claims(restricted["delegation"]?.sdJwt)).toMatchObject({
      scopes: ["agent:read"],
      networks: ["eip155:8453"],
    });
    expect(restricted["trust"]?.id).toBe(after["trust"]?.id);
  });

  it("are replaced when the base URL of the service changes", async () => {
    const agent = await fixture.createAgentWithCredentials();
    const { baseUrl } = stack;
    const { site } = stack.service.deps;
    vi.spyOn(site, "baseUrl").mockReturnValue("https://satchel.example");
    await fixture.refresh(agent);
    expect(await claims((await activeCredentials(agent))["trust"]?.sdJwt)).toMatchObject({
      iss: "https://satchel.example",
    });
    vi.restoreAllMocks();
    await fixture.refresh(agent);
    expect(await claims((await activeCredentials(agent))["trust"]?.sdJwt)).toMatchObject({ iss: baseUrl });
  });
});

it("issues at most 24 credentials of a kind a day, then only revokes outdated ones", async () => {
  const agent = await fixture.createAgentWithCredentials();
  for (let limit = 1n; limit <= 25n; limit++) {
    const data = { dailyLimitMicroUsd: limit * 1_000_000n };
    await prisma().budget.update({ where: { id: agent.accountId }, data });
    await fixture.refresh(agent);
  }
  expect((await rowsOf(agent)).filter(({ kind }) => kind === "delegation")).toHaveLength(24);
  expect(Object.keys(await activeCredentials(agent))).toEqual(["trust"]);
  expect(await fixture.getCredentials(agent)).toEqual({ hasCredential: false });
  const yesterday = { issuedAt: new Date(Date.now() - 1.01 * DAY_MS) };
  await prisma().agentCredential.updateMany({ where: { agentId: agent.agentRecordId }, data: yesterday });
  await fixture.refresh(agent);
  expect(await fixture.getCredentials(agent)).toMatchObject({ hasCredential: true });
});

describe("a credential refresh", () => {
  it("issues one credential of each kind under concurrent calls", async () => {
    const agent = await fixture.createAgent();
    await Promise.all(Array.from({ length: 8 }, () => fixture.refresh(agent)));
    expect(await rowsOf(agent)).toHaveLength(2);
    const [row] = await rowsOf(agent);
    if (!row) throw new Error("no credential");
    const duplicate = { ...row, id: newId("crd"), statusIndex: (row.statusIndex + 1) % STATUS_LIST_SIZE };
    await expect(prisma().agentCredential.create({ data: duplicate })).rejects.toThrow(/[Uu]nique/);
  });

  it("leaves no active credential when the agent is revoked concurrently", async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await fixture.createAgent();
      const revoke = () =>
        prisma().$transaction(async (tx) => {
          await tx.agent.update({ where: { id: agent.agentRecordId }, data: { status: "revoked" } });
          await revokeCredentials(tx, agent.agentRecordId);
        });
      await Promise.all([fixture.refresh(agent), revoke(), fixture.refresh(agent)]);
      expect(await activeCredentials(agent)).toEqual({});
      await fixture.refresh(agent);
      expect(await activeCredentials(agent)).toEqual({});
    }
  });

  it("is completed by the job after a failure between two credentials", async () => {
    const agent = await fixture.createAgent();
    const { deps } = stack.service;
    let signatures = 0;
    const current = deps.signingKeys.current.bind(deps.signingKeys);
    vi.spyOn(deps.signingKeys, "current").mockImplementation(async (purpose) => {
      if (signatures++ > 0) throw new Error("simulated failure");
      return await current(purpose);
    });
    await refreshDueCredentials(deps);
    expect(await rowsOf(agent)).toHaveLength(1);
    const { credentialsDueAt } = await prisma().agent.findUniqueOrThrow({ where: { id: agent.agentRecordId } });
    const inMs = Number(credentialsDueAt) - Date.now();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThanOrEqual(60_000);
    vi.restoreAllMocks();
    await prisma().agent.update({ where: { id: agent.agentRecordId }, data: { credentialsDueAt: new Date() } });
    await Promise.all([refreshDueCredentials(deps), refreshDueCredentials(deps)]);
    expect(Object.keys(await activeCredentials(agent)).toSorted()).toEqual(["delegation", "trust"]);
    expect(await rowsOf(agent)).toHaveLength(2);
    const refreshed = await prisma().agent.findUniqueOrThrow({ where: { id: agent.agentRecordId } });
    expect(Number(refreshed.credentialsDueAt) - Date.now()).toBeGreaterThan(17 * 3_600_000);
  });
});

describe("status list indexes", () => {
  it("are unique, and continue in a new list when one is full", async () => {
    const agent = await fixture.createAgentWithCredentials();
    const [template] = await rowsOf(agent);
    if (!template) throw new Error("no credential");
    // A small list with one free index.
    const statusListId = 1_000;
    const [size, free] = [64, 47];
    const usedIndexes = Array.from({ length: size }, (_, statusIndex) => statusIndex).filter((index) => index !== free);
    const rows = usedIndexes.map((statusIndex) => ({ ...template, id: newId("crd"), statusListId, statusIndex }));
    await prisma().agentCredential.createMany({ data: rows.map((row) => ({ ...row, revokedAt: new Date() })) });
    const entries = await Promise.all(
      Array.from({ length: 60 }, () => findFreeStatusIndex(stack.service.deps.db, size)),
    );
    const found = entries.filter((entry) => entry.statusListId === statusListId);
    expect(new Set(found.map(({ statusIndex }) => statusIndex))).toEqual(new Set([free]));
    expect(new Set(entries.map((entry) => entry.statusListId))).toEqual(new Set([statusListId, statusListId + 1]));
    await prisma().agentCredential.deleteMany({ where: { statusListId } });
  });

  it("are retried when another credential used the index first", async () => {
    const [existing] = await rowsOf(await fixture.createAgentWithCredentials());
    const agent = await fixture.createAgent();
    const { db } = stack.service.deps;
    const query = db.query.bind(db);
    let calls = 0;
    vi.spyOn(db, "query").mockImplementation(async (statement, values) => {
      const rows = await query(statement, values);
      const isFirst = statement.name === "first-free-status-index" && calls++ === 0;
      return (isFirst ? [{ index: existing?.statusIndex }] : rows) as never;
    });
    await fixture.refresh(agent);
    expect(calls).toBe(3);
    expect(Object.keys(await activeCredentials(agent)).toSorted()).toEqual(["delegation", "trust"]);
  });
});

it("treats a credential as outdated if a claim differs or the trust score differs by 5", () => {
  const scores = fc.integer({ min: 0, max: 100 });
  const account = { createdAt: new Date(0), email: null, x402EnabledAt: null };
  const factsOf = (score: number, isWalletLinked: boolean, dailyMicroUsd: bigint | null) =>
    ({
      agent: { id: "agt", agentId: 0n, accountId: "a", isWalletLinked, registeredAt: null, account },
      trust: { score, parts: [{ name: "age", points: score, maxPoints: 100 }] },
      limits: { perTransactionMicroUsd: null, dailyMicroUsd, monthlyMicroUsd: null },
      scopes: [],
      networks: [],
    }) as unknown as AgentFacts;
  const limits = fc.option(fc.bigInt({ min: 0n, max: 10n ** 12n }));
  fc.assert(
    fc.property(
      scores,
      scores,
      fc.boolean(),
      fc.boolean(),
      limits,
      limits,
      (a, b, linkedA, linkedB, limitA, limitB) => {
        const [before, now] = [factsOf(a, linkedA, limitA), factsOf(b, linkedB, limitB)];
        const outdated = (kind: "trust" | "delegation") =>
          isOutdated(createClaims(kind, "https://s.example", now), createClaims(kind, "https://s.example", before));
        expect(outdated("trust")).toBe(linkedA !== linkedB || Math.abs(a - b) >= 5);
        expect(outdated("delegation")).toBe(limitA !== limitB);
      },
    ),
  );
});
