// @module-tag postgresql
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { lazy } from "../../../src/platform/concurrency/memoize.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import { startJobs } from "../../../src/platform/jobs/queue.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createTestDatabase } from "../../support/database.ts";

const LEASE = { leaseMs: 1_000, pollSeconds: 0.5 };
const SOON = { timeout: 20_000, interval: 10 };
/** Fewer than the runs of one lease: two nodes that run concurrently would alternate within this number. */
const RUNS_OF_ONE = 12;

describe("a recurring job", () => {
  let db: Database;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ db, close } = await createTestDatabase());
  });
  afterAll(() => close?.());

  /** Starts a node on the shared database. `state.isDead` simulates a crash. */
  async function startNode(lease = LEASE) {
    const state = { isDead: false, sendsToFail: 0, log: "" };
    const write = (line: string) => {
      state.log += line;
    };
    const logger = createLogger("error", { write });
    const own: Database = {
      ...db,
      async executeSql(text, values) {
        if (state.isDead) throw new Error("This node has crashed.");
        if (text.includes("INSERT INTO jobs.job") && state.sendsToFail-- > 0) {
          throw new Error("The database is unavailable.");
        }
        return await db.executeSql(text, values);
      },
    };
    const jobs = await startJobs(own, logger, lease);
    const stop = lazy(() => jobs.stop());
    onTestFinished(stop);
    return { jobs, state, stop };
  }
  const jobCount = async (name: string) =>
    (await db.executeSql("SELECT id FROM jobs.job WHERE name = $1", [name])).rows.length;

  it("runs at its interval, with one queued job for many runs, and continues after a failed run", async () => {
    const { jobs, state } = await startNode();
    let runs = 0;
    await jobs.repeat("often", 50, async () => {
      if (++runs === 2) throw new Error("The second run failed.");
    });
    expect(runs).toBe(0);
    await vi.waitFor(() => expect(runs).toBeGreaterThan(8), SOON);
    expect(state.log).toContain("The second run failed.");
    expect(await jobCount("often")).toBeLessThanOrEqual(runs / 4);
    // Continues after its first lease.
    await vi.waitFor(() => expect(runs).toBeGreaterThan(40), SOON);
  });

  it("runs once per interval if the interval is longer than a lease", async () => {
    const { jobs } = await startNode();
    const ranAtMs: number[] = [];
    await jobs.repeat("seldom", 1_500, async () => void ranAtMs.push(performance.now()));
    await vi.waitFor(() => expect(ranAtMs).toHaveLength(3), SOON);
    const [first = 0, second = 0, third = 0] = ranAtMs;
    expect(Math.min(second - first, third - second)).toBeGreaterThan(1_400);
  });

  it("continues after its next job could not be queued", async () => {
    const { jobs, state } = await startNode();
    let runs = 0;
    await jobs.repeat("unlucky", 50, async () => void runs++);
    state.sendsToFail = 1;
    await vi.waitFor(() => expect(state.log).toContain("The database is unavailable."), SOON);
    expect(await jobCount("unlucky")).toBe(1);
    // Runs after the end of its lease belong to a job that was queued later.
    await vi.waitFor(() => expect(runs).toBeGreaterThan(25), SOON);
    expect(await jobCount("unlucky")).toBeGreaterThan(1);
  });

  it("continues if the database's clock was ahead when its next job was queued", async () => {
    const { jobs } = await startNode();
    let runs = 0;
    await jobs.repeat("ahead", 1_500, async () => void runs++);
    await db.executeSql("UPDATE jobs.job SET start_after = now() + interval '1 year' WHERE name = 'ahead'", []);
    await vi.waitFor(() => expect(runs).toBeGreaterThan(0), SOON);
  });

  it("is acquired immediately by a node that starts after another crashed", async () => {
    const long = { ...LEASE, leaseMs: 600_000 };
    const runs: string[] = [];
    const startJob = async (name: string) => {
      const { jobs, state } = await startNode(long);
      await jobs.repeat("held", 20, async () => {
        if (!state.isDead) runs.push(name);
      });
      await vi.waitFor(() => expect(runs.at(-1)).toBe(name), SOON);
      return state;
    };
    const first = await startJob("first");
    first.isDead = true;
    await startJob("second");
  });

  it("is released by a node that stops and acquired by another", async () => {
    const long = { ...LEASE, leaseMs: 600_000 };
    const runs: string[] = [];
    const nodes = { one: await startNode(long), other: await startNode(long) };
    await Promise.all(
      Object.entries(nodes).map(([name, { jobs }]) => jobs.repeat("handed", 500, async () => void runs.push(name))),
    );
    await vi.waitFor(() => expect(runs.length).toBeGreaterThan(2), SOON);
    const [holder, successor] = runs.at(-1) === "one" ? (["one", "other"] as const) : (["other", "one"] as const);
    await nodes[holder].stop();
    await vi.waitFor(() => expect(runs.at(-1)).toBe(successor), SOON);
  });

  it("runs on one of several nodes, and on another after that one stops or crashes", async () => {
    const nodes = [await startNode(), await startNode(), await startNode()];
    const runs: number[] = [];
    for (const [index, { jobs, state }] of nodes.entries()) {
      await jobs.repeat("shared", 20, async () => {
        if (!state.isDead) runs.push(index);
      });
    }
    const holder = async (): Promise<number> => {
      // If a node starts while another has the lease, both run until the end of a lease.
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
    const { state } = nodes[second] as (typeof nodes)[number];
    state.isDead = true;
    runs.length = 0;
    const third = await holder();
    expect(new Set([first, second, third]).size).toBe(3);
  });
});
