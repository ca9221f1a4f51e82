import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createCancellations } from "../../mcp/cancellations.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { createPubSub } from "../../src/platform/pubsub/pubsub.ts";

const open = () => createCancellations(createPubSub({ logger: createLogger("silent") }));

it("counts a call as delivered if its result was complete when the response was written", async () => {
  for (const [isComplete, wasWritten] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ] as const) {
    const written = Promise.withResolvers<boolean>();
    const call = open().watch("budget", 1, written.promise);
    if (isComplete) call.complete();
    written.resolve(wasWritten);
    expect(await call.delivered).toBe(isComplete && wasWritten);
  }
});

it("counts a cancelled call as not delivered, by its budget and the exact id", async () => {
  const cancellations = open();
  const written = Promise.withResolvers<boolean>();
  const watch = (budgetId: string, id: unknown) => cancellations.watch(budgetId, id, written.promise);
  const cancelled = [watch("budget", 1), watch("budget", 1)];
  const others = [watch("budget", "1"), watch("budget", 2), watch("other", 1)];
  for (const call of [...cancelled, ...others]) call.complete();
  cancellations.cancel("budget", 1);
  await setImmediate();
  written.resolve(true);
  expect(await Promise.all(cancelled.map(({ delivered }) => delivered))).toEqual([false, false]);
  expect(await Promise.all(others.map(({ delivered }) => delivered))).toEqual([true, true, true]);
  const later = cancellations.watch("budget", 1, Promise.resolve(true));
  later.complete();
  expect(await later.delivered).toBe(true);
});
