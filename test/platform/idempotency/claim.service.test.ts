// @module-tag postgresql
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { InvalidRequestError } from "../../../src/platform/errors.ts";
import {
  claimIdempotencyKey,
  IdempotencyInFlightError,
  IdempotencyKeyReusedError,
  runIdempotent,
} from "../../../src/platform/idempotency/claim.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { simulateLostConnections } from "../../support/lost-connections.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());

const accountId = randomUUID();
const once = (key: string, request: unknown, work: () => Promise<object>) =>
  runIdempotent(fresh.db, accountId, key, request, work);

describe("an idempotency key", () => {
  it("returns the first response without repeating the work", async () => {
    const first = await once("a", ["pay", 1], async () => ({ paid: 1 }));
    const second = await once("a", ["pay", 1], () => Promise.reject(new Error("done twice")));
    expect([first, second]).toEqual([{ paid: 1 }, { paid: 1 }]);
  });

  it("is rejected for another request, but can be reused by another account", async () => {
    await once("b", ["pay", 1], async () => ({ paid: 1 }));
    await expect(once("b", ["pay", 2], async () => ({}))).rejects.toThrow(IdempotencyKeyReusedError);
    expect(await runIdempotent(fresh.db, randomUUID(), "b", ["pay", 2], async () => ({ paid: 2 }))).toEqual({
      paid: 2,
    });
  });

  it("runs the work once for 50 concurrent requests", async () => {
    let done = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const requests = Array.from({ length: 50 }, () =>
      once("c", ["pay"], async () => {
        done += 1;
        await released;
        return { paid: 1 };
      }).catch((error: unknown) => error),
    );
    await Promise.any(requests);
    release();
    const results = await Promise.all(requests);
    expect(done).toBe(1);
    // Requests during the work fail with `idempotency_in_flight`; later requests receive the same response.
    const responses = results.filter((it) => !(it instanceof IdempotencyInFlightError));
    expect(responses.length).toBeGreaterThan(0);
    expect(new Set(responses.map((it) => JSON.stringify(it)))).toEqual(new Set(['{"paid":1}']));
  });

  it("can be retried after a failure, and after its lease has expired", async () => {
    await expect(once("d", [], () => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(await once("d", [], async () => ({ paid: 1 }))).toEqual({ paid: 1 });
    await fresh.db.executeSql(`INSERT INTO idempotency_records (account_id, key, request_sha256, leased_until)
      SELECT account_id, 'e', request_sha256, now() - interval '1 second' FROM idempotency_records WHERE key = 'd'`);
    expect(await once("e", [], async () => ({ paid: 2 }))).toEqual({ paid: 2 });
  });

  it("is acquired 10 seconds after the process of its request has died", async () => {
    // Without a renewal, as in a dead process.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const dead = await claimIdempotencyKey(fresh.db, accountId, "dead", []);
    vi.useRealTimers();
    const age = (seconds: number) =>
      fresh.db.executeSql(
        `UPDATE idempotency_records SET leased_until = leased_until - interval '${seconds} seconds' WHERE key = 'dead'`,
      );
    await age(9);
    await expect(once("dead", [], async () => ({}))).rejects.toThrow(IdempotencyInFlightError);
    await age(1);
    expect(await once("dead", [], async () => ({ paid: 2 }))).toEqual({ paid: 2 });
    await expect(dead.complete({ paid: 1 })).rejects.toThrow(IdempotencyInFlightError);
  });

  it("is renewed for a request that runs longer than its lease", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { promise, resolve } = Promise.withResolvers<object>();
    const begun = Promise.withResolvers<void>();
    const first = once("f", [], () => {
      begun.resolve();
      return promise;
    });
    await begun.promise;
    await fresh.db.executeSql(
      "UPDATE idempotency_records SET leased_until = now() - interval '1 second' WHERE key = 'f'",
    );
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    const isLeased = async () => {
      const { rows } = await fresh.db.executeSql(
        "SELECT leased_until > now() AS leased FROM idempotency_records WHERE key = 'f'",
      );
      return rows[0];
    };
    await expect.poll(isLeased).toEqual({ leased: true });
    await expect(once("f", [], async () => ({ paid: 9 }))).rejects.toThrow(IdempotencyInFlightError);
    resolve({ paid: 1 });
    expect(await first).toEqual({ paid: 1 });
    expect(await once("f", [], async () => ({ paid: 9 }))).toEqual({ paid: 1 });
  });

  it("stores its response at the second attempt; if that fails too, its lease expires", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    simulateLostConnections(fresh.db, /^answer-idempotency-record$/, 1);
    await once("g", [], async () => ({ paid: 1 }));
    expect(await once("g", [], () => Promise.reject(new Error("done twice")))).toEqual({ paid: 1 });

    simulateLostConnections(fresh.db, /^(?:answer|forget)-idempotency-record$/);
    const work = async () => ({ paid: 2 });
    await expect(once("h", [], work)).rejects.toThrow("connection terminated");
    await expect(once("h", [], work)).rejects.toThrow(IdempotencyInFlightError);
    // The renewal has stopped.
    expect(vi.getTimerCount()).toBe(0);
  });

  describe("acquired by a second request after the lease expired", () => {
    const claim = (key: string) => claimIdempotencyKey(fresh.db, accountId, key, []);
    const expireLease = (key: string) =>
      fresh.db.prisma.idempotencyRecord.updateMany({ where: { accountId, key }, data: { leasedUntil: new Date(0) } });
    const claimTwice = async (key: string) => {
      const first = await claim(key);
      await expireLease(key);
      return { first, second: await claim(key) };
    };

    it("stores the response of the second request", async () => {
      const { first, second } = await claimTwice("i");
      await second.complete({ paid: 2 });
      await expect(first.complete({ paid: 1 })).rejects.toThrow(IdempotencyInFlightError);
      expect((await claim("i")).stored).toEqual({ paid: 2 });
    });

    it("cannot be completed or discarded by the first request", async () => {
      const { first, second } = await claimTwice("j");
      await expect(first.complete({ paid: 1 })).rejects.toThrow(IdempotencyInFlightError);
      await first.discard();
      await expect(claim("j")).rejects.toThrow(IdempotencyInFlightError);
      await second.complete({ paid: 2 });
      expect((await claim("j")).stored).toEqual({ paid: 2 });
    });

    it("belongs to a third request after the second discarded it", async () => {
      const { first, second } = await claimTwice("k");
      await second.discard();
      const third = await claim("k");
      await expect(first.complete({ paid: 1 })).rejects.toThrow(IdempotencyInFlightError);
      await third.complete({ paid: 3 });
      expect((await claim("k")).stored).toEqual({ paid: 3 });
    });

    it("rolls back the first request's work in the transaction of its response", async () => {
      const { first, second } = await claimTwice("l");
      const work = (request: typeof first, id: string) =>
        fresh.db.prisma.$transaction(async (tx) => {
          await tx.account.create({ data: { id } });
          await request.completeWithin(tx, { id });
        });
      const [one, other] = [randomUUID(), randomUUID()];
      await work(second, other);
      await expect(work(first, one)).rejects.toThrow(IdempotencyInFlightError);
      expect(await fresh.db.prisma.account.findMany({ where: { id: { in: [one, other] } } })).toMatchObject([
        { id: other },
      ]);
      expect((await claim("l")).stored).toEqual({ id: other });
    });
  });

  it.each(["", " ", "a b", "ü", "x".repeat(256), "a\nb"])(
    "is rejected unless it is printable ASCII: %j",
    async (key) => {
      await expect(once(key, [], async () => ({}))).rejects.toThrow(InvalidRequestError);
    },
  );
});
