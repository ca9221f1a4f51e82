// @module-tag postgresql
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { lazy } from "../../../src/platform/concurrency/memoize.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import { startJobs } from "../../../src/platform/jobs/queue.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { freshDatabase } from "../../support/database.ts";

const LEASE = { leaseMs: 1_000, pollSeconds: 0.5 };
const SOON = { timeout: 20_000, interval: 10 };
/** Fewer than a lease has: two nodes that worked at once would alternate within them. */
const RUNS_OF_ONE = 12;

describe("work that is repeated", () => {
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await freshDatabase());
  });
  afterAll(() => close?.());

  /** A node that shares the database with the others, until it dies. */
  async function node(lease = LEASE) {
    const life = { isDead: false, sendsToFail: 0, log: "" };
    const write = (line: string) => {
      life.log += line;
    };
    const logger = createLogger("error", { write });
    const own: Database = {
      ...db,
      async executeSql(text, values) {
        if (life.isDead) throw new Error("This node is dead.");
        if (text.includes("INSERT INTO jobs.job") && life.sendsToFail-- > 0) throw new Error("The database is away.");
        return await db.executeSql(text, values);
      },
    };
    const jobs = await startJobs(own, logger, lease);
    const stop = lazy(() => jobs.stop());
    onTestFinished(stop);
    return { jobs, life, stop };
  }
  const jobCount = async (name: string) =>
    (await db.executeSql("SELECT id FROM jobs.job WHERE name = $1", [name])).rows.length;

  it("runs at its interval, is one job for many runs, and goes on after a run that failed", async () => {
    const { jobs, life } = await node();
    let runs = 0;
    await jobs.repeat("often", 50, async () => {
      if (++runs === 2) throw new Error("The second run failed.");
    });
    expect(runs).toBe(0);
    await vi.waitFor(() => expect(runs).toBeGreaterThan(8), SOON);
    expect(life.log).toContain("The second run failed.");
    expect(await jobCount("often")).toBeLessThanOrEqual(runs / 4);
    // Beyond its first lease.
    await vi.waitFor(() => expect(runs).toBeGreaterThan(40), SOON);
  });

  it("runs once in a longer interval than a lease", async () => {
    const { jobs } = await node();
    const ranAtMs: number[] = [];
    await jobs.repeat("seldom", 1_500, async () => void ranAtMs.push(performance.now()));
    await vi.waitFor(() => expect(ranAtMs).toHaveLength(3), SOON);
    const [first = 0, second = 0, third = 0] = ranAtMs;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(1_400);
  });

  it("goes on after its next job could not be queued", async () => {
    const { jobs, life } = await node();
    let runs = 0;
    await jobs.repeat("unlucky", 50, async () => void runs++);
    life.sendsToFail = 1;
    await vi.waitFor(() => expect(life.log).toContain("The database is away."), SOON);
    expect(await jobCount("unlucky")).toBe(1);
    // Its lease ends; what comes after that is of a job that was queued later.
    await vi.waitFor(() => expect(runs).toBeGreaterThan(25), SOON);
    expect(await jobCount("unlucky")).toBeGreaterThan(1);
  });

  it("goes on where the database's clock was ahead as its next job was queued", async () => {
    const { jobs } = await node();
    let runs = 0;
    await jobs.repeat("ahead", 1_500, async () => void runs++);
    await db.executeSql("UPDATE jobs.job SET start_after = now() + interval '1 year' WHERE name = 'ahead'", []);
    await vi.waitFor(() => expect(runs).toBeGreaterThan(0), SOON);
  });

  it("is taken up at once by a node that starts after another died", async () => {
    const long = { ...LEASE, leaseMs: 600_000 };
    const runs: string[] = [];
    const begin = async (name: string) => {
      const { jobs, life } = await node(long);
      await jobs.repeat("held", 20, async () => {
        if (!life.isDead) runs.push(name);
      });
      await vi.waitFor(() => expect(runs.at(-1)).toBe(name), SOON);
      return life;
    };
    const first = await begin("first");
    first.isDead = true;
    await begin("second");
  });

  it("is handed by a node that stops to one that never had it", async () => {
    const long = { ...LEASE, leaseMs: 600_000 };
    const runs: string[] = [];
    const nodes = { one: await node(long), other: await node(long) };
    await Promise.all(
      Object.entries(nodes).map(([name, { jobs }]) => jobs.repeat("handed", 500, async () => void runs.push(name))),
    );
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), SOON);
    const [had, has] = runs.at(-1) === "one" ? (["one", "other"] as const) : (["other", "one"] as const);
    await nodes[had].stop();
    await vi.waitFor(() => expect(runs.at(-1)).toBe(has), SOON);
  });

  it("is done by one node of all, and goes over to another when that one stops or dies", async () => {
    const nodes = [await node(), await node(), await node()];
    const runs: number[] = [];
    for (const [index, { jobs, life }] of nodes.entries()) {
      await jobs.repeat("shared", 20, async () => {
        if (!life.isDead) runs.push(index);
      });
    }
    const holder = async (): Promise<number> => {
      // Where a node began while another had the work, both do it to the end of a lease.
      return await vi.waitFor(async () => {
        const latest = runs.slice(-RUNS_OF_ONE);
        expect(new Set(latest).size).toBe(1);
        expect(latest).toHaveLength(RUNS_OF_ONE);
        return latest[0] as number;
      }, SOON);
    };
    const first = await holder();
    await nodes[first]?.stop();
    runs.length = 0;
    const second = await holder();
    expect(second).not.toBe(first);
    const { life } = nodes[second] as (typeof nodes)[number];
    life.isDead = true;
    runs.length = 0;
    const third = await holder();
    expect(new Set([first, second, third]).size).toBe(3);
  });
});
