// @module-tag postgresql
/** When agents' credentials are replaced and taken back: one of each kind stands, whoever asks at once and whatever fails. */
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
import { credentialRoom, type TestAgent } from "./credential-room.ts";

const DAY_MS = 86_400_000;
let stack: OwnStack;
const room = credentialRoom(() => stack);

beforeAll(async () => {
  // The job runs when a test wants it to.
  stack = await startStack({ env: { RECONCILE_INTERVAL_MS: "600000" } });
});
afterAll(() => stack?.stop());

const prisma = () => stack.service.deps.db.prisma;
const rowsOf = ({ agentRecordId: agentId }: TestAgent) =>
  prisma().agentCredential.findMany({ where: { agentId }, orderBy: [{ issuedAt: "asc" }, { id: "asc" }] });
const standing = async (agent: TestAgent) => {
  const rows = (await rowsOf(agent)).filter(({ revokedAt }) => revokedAt === null);
  return Object.fromEntries(rows.map((row) => [row.kind, row]));
};
const claims = async (sdJwt = "") =>
  (await new SDJwtVcInstance({ hasher: digest }).getClaims(sdJwt)) as Record<string, unknown>;

describe("credentials that stand", () => {
  it("stay while they say what is so", async () => {
    const agent = await room.holder();
    const before = await rowsOf(agent);
    await room.refresh(agent);
    expect(await rowsOf(agent)).toEqual(before);
    expect(before.map(({ kind }) => kind).toSorted()).toEqual(["delegation", "trust"]);
  });

  it("are replaced in their last week, and the old ones revoked", async () => {
    const agent = await room.holder();
    const before = await standing(agent);
    const expiresAt = (days: number) => ({ data: { expiresAt: new Date(Date.now() + days * DAY_MS) } });
    await prisma().agentCredential.update({ where: { id: before["trust"]?.id ?? "" }, ...expiresAt(6.9) });
    await prisma().agentCredential.update({ where: { id: before["delegation"]?.id ?? "" }, ...expiresAt(7.1) });
    await room.refresh(agent);
    const after = await standing(agent);
    expect(after["delegation"]?.id).toBe(before["delegation"]?.id);
    expect(after["trust"]?.id).not.toBe(before["trust"]?.id);
    expect(after["trust"]?.statusIndex).not.toBe(before["trust"]?.statusIndex);
    expect(await rowsOf(agent)).toHaveLength(3);
  });

  it("follow what the person allows, and the agent's score by steps of five", async () => {
    const agent = await room.holder();
    const before = await standing(agent);
    await prisma().budget.update({ where: { id: agent.accountId }, data: { dailyLimitMicroUsd: 25_000_000n } });
    const dispute = () => {
      const row = { id: newId("dsp"), agentId: agent.agentRecordId, reason: "No delivery", status: "open" };
      return prisma().agentDispute.create({ data: row });
    };
    await dispute();
    await room.refresh(agent);
    const after = await standing(agent);
    expect(await claims(after["delegation"]?.sdJwt)).toMatchObject({
      limits: { per_transaction_usd: null, daily_usd: "25.00", monthly_usd: null },
    });
    const scores = await Promise.all([before, after].map(async ({ trust }) => claims(trust?.sdJwt)));
    expect(Number(scores[0]?.["trust_score"]) - Number(scores[1]?.["trust_score"])).toBe(5);
    await stack.service.deps.db.prisma.apiToken.updateMany({
      where: { accountId: agent.accountId },
      data: { scopes: ["agent:read", "account:manage"], networks: ["base"] },
    });
    await room.refresh(agent);
    const narrower = await standing(agent);
    expect(await claims(narrower["delegation"]?.sdJwt)).toMatchObject({
      scopes: ["agent:read"],
      networks: ["eip155:8453"],
    });
    expect(narrower["trust"]?.id).toBe(after["trust"]?.id);
  });

  it("are replaced when this service has moved: what they name is not there any more", async () => {
    const agent = await room.holder();
    const { baseUrl } = stack;
    const { site } = stack.service.deps;
    vi.spyOn(site, "baseUrl").mockReturnValue("https://satchel.example");
    await room.refresh(agent);
    expect(await claims((await standing(agent))["trust"]?.sdJwt)).toMatchObject({ iss: "https://satchel.example" });
    vi.restoreAllMocks();
    await room.refresh(agent);
    expect(await claims((await standing(agent))["trust"]?.sdJwt)).toMatchObject({ iss: baseUrl });
  });
});

it("credentials are issued at most 24 times a day; then what no longer holds is only revoked", async () => {
  const agent = await room.holder();
  for (let limit = 1n; limit <= 25n; limit++) {
    const data = { dailyLimitMicroUsd: limit * 1_000_000n };
    await prisma().budget.update({ where: { id: agent.accountId }, data });
    await room.refresh(agent);
  }
  expect((await rowsOf(agent)).filter(({ kind }) => kind === "delegation")).toHaveLength(24);
  expect(Object.keys(await standing(agent))).toEqual(["trust"]);
  expect(await room.credential(agent)).toEqual({ hasCredential: false });
  const yesterday = { issuedAt: new Date(Date.now() - 1.01 * DAY_MS) };
  await prisma().agentCredential.updateMany({ where: { agentId: agent.agentRecordId }, data: yesterday });
  await room.refresh(agent);
  expect(await room.credential(agent)).toMatchObject({ hasCredential: true });
});

describe("one of each kind stands", () => {
  it("however many ask at once", async () => {
    const agent = await room.agent();
    await Promise.all(Array.from({ length: 8 }, () => room.refresh(agent)));
    expect(await rowsOf(agent)).toHaveLength(2);
    const [row] = await rowsOf(agent);
    if (!row) throw new Error("no credential");
    const twin = { ...row, id: newId("crd"), statusIndex: (row.statusIndex + 1) % STATUS_LIST_SIZE };
    await expect(prisma().agentCredential.create({ data: twin })).rejects.toThrow(/[Uu]nique/);
  });

  it("and none once the agent is revoked, however close the two come", async () => {
    for (let round = 0; round < 6; round++) {
      const agent = await room.agent();
      const revoke = () =>
        prisma().$transaction(async (tx) => {
          await tx.agent.update({ where: { id: agent.agentRecordId }, data: { status: "revoked" } });
          await revokeCredentials(tx, agent.agentRecordId);
        });
      await Promise.all([room.refresh(agent), revoke(), room.refresh(agent)]);
      expect(await standing(agent)).toEqual({});
      await room.refresh(agent);
      expect(await standing(agent)).toEqual({});
    }
  });

  it("after a failure half way the job goes on", async () => {
    const agent = await room.agent();
    const { deps } = stack.service;
    let signatures = 0;
    const current = deps.signingKeys.current.bind(deps.signingKeys);
    vi.spyOn(deps.signingKeys, "current").mockImplementation(async (purpose) => {
      if (signatures++ > 0) throw new Error("the power went");
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
    expect(Object.keys(await standing(agent)).toSorted()).toEqual(["delegation", "trust"]);
    expect(await rowsOf(agent)).toHaveLength(2);
    const done = await prisma().agent.findUniqueOrThrow({ where: { id: agent.agentRecordId } });
    expect(Number(done.credentialsDueAt) - Date.now()).toBeGreaterThan(17 * 3_600_000);
  });
});

describe("places in a status list", () => {
  it("are never given twice, and a full list is followed by another", async () => {
    const agent = await room.holder();
    const [some] = await rowsOf(agent);
    if (!some) throw new Error("no credential");
    // A small list of which every place but one is taken.
    const statusListId = 1_000;
    const [size, free] = [64, 47];
    const taken = Array.from({ length: size }, (_, statusIndex) => statusIndex).filter((index) => index !== free);
    const rows = taken.map((statusIndex) => ({ ...some, id: newId("crd"), statusListId, statusIndex }));
    await prisma().agentCredential.createMany({ data: rows.map((row) => ({ ...row, revokedAt: new Date() })) });
    const places = await Promise.all(
      Array.from({ length: 60 }, () => findFreeStatusIndex(stack.service.deps.db, size)),
    );
    const found = places.filter((place) => place.statusListId === statusListId);
    expect(new Set(found.map(({ statusIndex }) => statusIndex))).toEqual(new Set([free]));
    expect(new Set(places.map((place) => place.statusListId))).toEqual(new Set([statusListId, statusListId + 1]));
    await prisma().agentCredential.deleteMany({ where: { statusListId } });
  });

  it("are tried again when another was quicker", async () => {
    const [taken] = await rowsOf(await room.holder());
    const agent = await room.agent();
    const { db } = stack.service.deps;
    const query = db.query.bind(db);
    let asked = 0;
    vi.spyOn(db, "query").mockImplementation(async (statement, values) => {
      const rows = await query(statement, values);
      const isFirst = statement.name === "first-free-status-index" && asked++ === 0;
      return (isFirst ? [{ index: taken?.statusIndex }] : rows) as never;
    });
    await room.refresh(agent);
    expect(asked).toBe(3);
    expect(Object.keys(await standing(agent)).toSorted()).toEqual(["delegation", "trust"]);
  });
});

it("a credential is outdated exactly when it says something else, or another score by five", () => {
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
